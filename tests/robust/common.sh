# SPDX-License-Identifier: MIT
# For the scripts beside it: $1 is the build folder, $2 the folder of the scripts.
set -eu
build=$1
here=$2
PATH=$build/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# json FILE EXPRESSION: a value of a result, in Python's words, the object being r.
json() {
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

# No process whose command line names this test's folder is left.
nothing_left() {
    for try in 1 2 3 4 5 6 7 8 9 10; do
        left=
        for p in /proc/[0-9]*; do
            # A process that has ended and waits for its parent has no command line.
            if tr '\0' ' ' <"$p/cmdline" 2>/dev/null | grep -q "$1"; then
                left="$left ${p#/proc/}"
            fi
        done
        [ -z "$left" ] && return 0
        sleep 0.2
    done
    fail "processes are left over:$left"
}
