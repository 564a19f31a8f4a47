# SPDX-License-Identifier: MIT
# Completion of plait for bash.  Options and names come from plait itself.

_plait_options()
{
    plait "$1" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]+' | sort -u
}

_plait_names()
{
    plait list "$1" 2>/dev/null | awk '{print $1}'
}

# Complete the word $2 after option $1; false when the option is not one that takes a word.
_plait_value()
{
    case $1 in
    -s | --strategy) mapfile -t COMPREPLY < <(compgen -W "$(_plait_names strategies)" -- "$2") ;;
    --detect) mapfile -t COMPREPLY < <(compgen -W "$(_plait_names detectors)" -- "$2") ;;
    --carrier) mapfile -t COMPREPLY < <(compgen -W "fiber thread" -- "$2") ;;
    --restart) mapfile -t COMPREPLY < <(compgen -W "rollback fork exec" -- "$2") ;;
    --checkpoints) mapfile -t COMPREPLY < <(compgen -W "auto off always" -- "$2") ;;
    --points) mapfile -t COMPREPLY < <(compgen -W "shared all" -- "$2") ;;
    -o | --output) mapfile -t COMPREPLY < <(compgen $([ "${COMP_WORDS[1]}" = test ] && echo -d || echo -f) -- "$2") ;;
    --expect-output | --json) mapfile -t COMPREPLY < <(compgen -f -- "$2") ;;
    -n | --executions | -t | --time | -j | --jobs | --seed | --budget | --expect-exit | --check | --max-steps | --hang-time)
        COMPREPLY=()
        ;;
    *) return 1 ;;
    esac
}

_plait()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]}

    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "test replay minimize show cc c++ list --help --version" -- "$word")
        return
    fi
    if [ "$before" = = ] && [ "$COMP_CWORD" -gt 2 ]; then # --option=VALUE, cut at =
        before=${COMP_WORDS[COMP_CWORD - 2]}
    elif [ "$word" = = ]; then
        word=
    fi
    case $command in
    test | replay | minimize)
        _plait_value "$before" "$word" && return
        if [[ $word == -* ]]; then
            mapfile -t COMPREPLY < <(compgen -W "$(_plait_options "$command")" -- "$word")
        elif [ "$command" != test ]; then
            mapfile -t COMPREPLY < <(compgen -f -X '!*.plait' -- "$word"; compgen -d -- "$word")
        else
            mapfile -t COMPREPLY < <(compgen -f -- "$word")
        fi
        ;;
    show) mapfile -t COMPREPLY < <(compgen -f -X '!*.plait' -- "$word"; compgen -d -- "$word") ;;
    list) mapfile -t COMPREPLY < <(compgen -W "strategies detectors options" -- "$word") ;;
    *) mapfile -t COMPREPLY < <(compgen -f -- "$word") ;;
    esac
}

complete -o filenames -F _plait plait
