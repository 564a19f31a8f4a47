# SPDX-License-Identifier: MIT
# Completion of plait for fish.  Options and names come from plait itself.

function __plait_names
    plait list $argv[1] 2>/dev/null | awk '{print $1}'
end

# The strategies, and the variants that their summaries name: dpor:source.
function __plait_strategies
    plait list strategies 2>/dev/null |
        awk '{ print $1; for (i = 2; i <= NF; i++) if (match($i, "^" $1 ":[a-z]+")) print substr($i, 1, RLENGTH) }'
end

function __plait_options
    set -l words (commandline -opc)
    plait $words[2] --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u
end

# NAME and summary from the lines of `plait help` that begin with the name of a command.
function __plait_commands
    plait help 2>/dev/null | awk '/^  [a-z+]+ +[a-z]/ && $1 != "plait" { name = $1; sub(/^ +[^ ]+ +/, ""); print name "\t" $0 }'
end

set -l commands (__plait_commands | string replace -r '\t.*' '') help
set -l running '__fish_seen_subcommand_from test suite replay minimize'

complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a '(__plait_commands)'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a help -d 'explain a command'
complete -c plait -n '__fish_seen_subcommand_from help' -f -a '(__plait_commands)'
complete -c plait -n "$running; and string match -q -- '-*' (commandline -ct)" -a '(__plait_options)'
complete -c plait -n "__fish_seen_subcommand_from coverage; and string match -q -- '-*' (commandline -ct)" -a '(__plait_options)'
complete -c plait -n '__fish_seen_subcommand_from coverage' -l html -r
complete -c plait -n '__fish_seen_subcommand_from coverage' -l merge -r
complete -c plait -n '__fish_seen_subcommand_from test suite' -s s -l strategy -x -a '(__plait_strategies)'
complete -c plait -n '__fish_seen_subcommand_from test suite' -l detect -x -a '(__plait_names detectors)'
complete -c plait -n $running -l carrier -x -a 'fiber thread'
complete -c plait -n $running -l restart -x -a 'rollback fork exec'
complete -c plait -n '__fish_seen_subcommand_from test suite' -l checkpoints -x -a 'auto off always'
complete -c plait -n '__fish_seen_subcommand_from test suite' -l points -x -a 'shared all'
complete -c plait -n '__fish_seen_subcommand_from test suite' -l time-outs -x -a 'last few any never'
complete -c plait -n '__fish_seen_subcommand_from test suite' -l risk -x -a 'on off'
complete -c plait -n '__fish_seen_subcommand_from test suite' -l noise -x -a 'sleep yield priority busy halt mixed none'
complete -c plait -n $running -l files -x -a 'overlay real (__fish_complete_directories)'
complete -c plait -n '__fish_seen_subcommand_from test' -l paths -x -a all
complete -c plait -n '__fish_seen_subcommand_from test suite minimize' -s o -l output -r
complete -c plait -n $running -l expect-output -r
complete -c plait -n $running -l json -r
complete -c plait -n '__fish_seen_subcommand_from test suite' -l suppressions -r
complete -c plait -n '__fish_seen_subcommand_from test suite' -l junit -r
complete -c plait -n '__fish_seen_subcommand_from test suite' -l sarif -r
complete -c plait -n '__fish_seen_subcommand_from suite' -l ctest -x -a '(__fish_complete_directories)'
complete -c plait -n '__fish_seen_subcommand_from suite' -l meson -x -a '(__fish_complete_directories)'
complete -c plait -n '__fish_seen_subcommand_from list' -f -a 'findings strategies detectors options'
