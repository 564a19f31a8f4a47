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

set -l commands test suite replay minimize show pairs coverage cc c++ list
set -l running '__fish_seen_subcommand_from test suite replay minimize'

complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a test -d 'explore the interleavings of a program'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a suite -d 'explore the tests of a suite'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a replay -d 'run a schedule again'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a minimize -d 'make a schedule simpler and say what decides'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a show -d 'print a schedule thread by thread'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a pairs -d 'list which statements can conflict'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a coverage -d 'print which interleavings have been seen, and which not'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a cc -d 'compile C for plait'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a c++ -d 'compile C++ for plait'
complete -c plait -n "not __fish_seen_subcommand_from $commands" -f -a list -d 'list strategies, detectors or options'

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
complete -c plait -n '__fish_seen_subcommand_from test' -l paths -x -a all
complete -c plait -n '__fish_seen_subcommand_from test suite minimize' -s o -l output -r
complete -c plait -n $running -l expect-output -r
complete -c plait -n $running -l json -r
complete -c plait -n '__fish_seen_subcommand_from test suite' -l suppressions -r
complete -c plait -n '__fish_seen_subcommand_from suite' -l junit -r
complete -c plait -n '__fish_seen_subcommand_from suite' -l ctest -x -a '(__fish_complete_directories)'
complete -c plait -n '__fish_seen_subcommand_from list' -f -a 'strategies detectors options'
