# SPDX-License-Identifier: MIT
# Completion of plait for bash.  Options and names come from plait itself.

_plait_options()
{
    plait "$1" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u
}

# Lines of `plait help` that begin with the name of a command.
_plait_commands()
{
    plait help 2>/dev/null | awk '/^  [a-z+]+ +[a-z]/ && $1 != "plait" { print $1 }'
}

_plait_names()
{
    plait list "$1" 2>/dev/null | awk '{print $1}'
}

# The strategies, and the variants that their summaries name: dpor:source.
_plait_strategies()
{
    plait list strategies 2>/dev/null |
        awk '{ print $1; for (i = 2; i <= NF; i++) if (match($i, "^" $1 ":[a-z]+")) print substr($i, 1, RLENGTH) }'
}

# Complete the word $2 after option $1; false when the option is not one that takes a word.
_plait_value()
{
    case $1 in
    -s | --strategy)
        compopt +o filenames 2>/dev/null # or the colon would be escaped
        mapfile -t COMPREPLY < <(compgen -W "$(_plait_strategies)" -- "$2")
        ;;
    --detect) mapfile -t COMPREPLY < <(compgen -W "$(_plait_names detectors)" -- "$2") ;;
    --carrier) mapfile -t COMPREPLY < <(compgen -W "fiber thread" -- "$2") ;;
    --restart) mapfile -t COMPREPLY < <(compgen -W "rollback fork exec" -- "$2") ;;
    --checkpoints) mapfile -t COMPREPLY < <(compgen -W "auto off always" -- "$2") ;;
    --points) mapfile -t COMPREPLY < <(compgen -W "shared all" -- "$2") ;;
    --time-outs) mapfile -t COMPREPLY < <(compgen -W "last few any never" -- "$2") ;;
    --risk) mapfile -t COMPREPLY < <(compgen -W "on off" -- "$2") ;;
    --noise) mapfile -t COMPREPLY < <(compgen -W "sleep yield priority busy halt mixed none" -- "$2") ;;
    --files) mapfile -t COMPREPLY < <(compgen -W "overlay real" -- "$2"; compgen -d -- "$2") ;;
    --paths) mapfile -t COMPREPLY < <(compgen -W "all" -- "$2") ;;
    -o | --output) mapfile -t COMPREPLY < <(compgen $([[ ${COMP_WORDS[1]} == @(test|suite) ]] && echo -d || echo -f) -- "$2") ;;
    --ctest | --meson) mapfile -t COMPREPLY < <(compgen -d -- "$2") ;;
    --expect-output | --json | --junit | --sarif | --suppressions) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    -n | --executions | -t | --time | --total-time | --filter | -j | --jobs | --seed | --budget | --expect-exit | --check | --max-steps | --max-operations | --trust | --hang-time)
        COMPREPLY=()
        ;;
    *) return 1 ;;
    esac
}

_plait()
{
    local at=$COMP_CWORD beginning=
    local word=${COMP_WORDS[at]} command=${COMP_WORDS[1]}

    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_plait_commands) help --version" -- "$word")
        return
    fi
    if [ "$word" = : ] && [ "$at" -gt 2 ]; then # NAME:VARIANT, cut at :
        beginning=${COMP_WORDS[at - 1]}: word= at=$((at - 1))
    elif [ "${COMP_WORDS[at - 1]}" = : ] && [ "$at" -gt 3 ]; then
        beginning=${COMP_WORDS[at - 2]}: at=$((at - 2))
    fi
    local before=${COMP_WORDS[at - 1]}

    if [ "$before" = = ] && [ "$at" -gt 2 ]; then # --option=VALUE, cut at =
        before=${COMP_WORDS[at - 2]}
    elif [ "$word" = = ]; then
        word=
    fi
    case $command in
    test | suite | replay | minimize)
        if _plait_value "$before" "$beginning$word"; then
            COMPREPLY=("${COMPREPLY[@]#"$beginning"}") # readline keeps what is before the colon
            return
        fi
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$(_plait_options "$command")" -- "$word")
        elif [[ $command != @(test|suite) ]]; then
            mapfile -t COMPREPLY < <(compgen -f -X '!*.plait' -- "$word"; compgen -d -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
        ;;
    coverage)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$(_plait_options coverage)" -- "$word")
            return
        fi
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
        ;;
    show)
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$(_plait_options show)" -- "$word")
            return
        fi
        mapfile -t COMPREPLY < <(compgen -f -X '!*.plait' -- "$word"; compgen -d -- "$word")
        ;;
    help) mapfile -t COMPREPLY < <(compgen -W "$(_plait_commands)" -- "$word") ;;
    list) mapfile -t COMPREPLY < <(compgen -W "findings strategies detectors options" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}

complete -o filenames -F _plait plait
