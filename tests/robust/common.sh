#!/bin/sh
# SPDX-License-Identifier: MIT
# For the scripts beside it: $1 is the build folder, $2 the folder of the scripts.
set -eu
build=$1
# shellcheck disable=SC2034 # for the scripts
here=$2
PATH=$build/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
folder=$(pwd -P)

fail() {
    echo "FAILED: $*" >&2
    exit 1
}

# json FILE EXPRESSION: a value of a result, in Python's words, the object being r.
json() {
    python3 -c 'import json, sys; r = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"
}

# No process that works in this test's folder is left.  When the machine has time for it, they end.
nothing_left() {
    tries=300
    while [ $tries -gt 0 ]; do
        left=
        # shellcheck disable=SC2044 # no name there has a space
        for cwd in $(find /proc/[0-9]*/cwd -maxdepth 0 -lname "$folder" 2>/dev/null); do
            if grep -qa "$1" "${cwd%cwd}cmdline" 2>/dev/null; then
                left="$left $cwd"
            fi
        done
        [ -z "$left" ] && return 0
        sleep 0.2
        tries=$((tries - 1))
    done
    fail "processes are left over:$left"
}
