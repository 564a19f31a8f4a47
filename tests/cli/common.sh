# SPDX-License-Identifier: MIT
# shellcheck shell=sh disable=SC2034
# Sourced by the tests of this folder, which work in a folder of their own that goes when they end.
# PLAIT_BUILD is the build folder; `source` becomes the project's.  What a command printed is
# expected in out.txt.
: "${PLAIT_BUILD:?names the build folder}"
source=$(cd "$(dirname "$0")/../.." && pwd) || exit 1
PATH=$PLAIT_BUILD/bin:$PATH
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work" || exit 1
failures=0

fail() {
    echo "FAILED $*"
    if [ -e out.txt ]; then
        head -n 40 out.txt | sed 's/^/    /'
    fi
    failures=$((failures + 1))
}

# expect STATUS TEXT COMMAND...: the exit status, and what must be printed.
expect() {
    status=$1 text=$2
    shift 2
    "$@" >out.txt 2>&1
    found=$?
    [ "$found" = "$status" ] || fail "exit status $found instead of $status: $*"
    [ -z "$text" ] || grep -q -- "$text" out.txt || fail "no '$text': $*"
}

# How many executions the last campaign made.
executions() {
    sed -n 's/.* in \([0-9]*\) executions*, .*/\1/p' out.txt
}

# finish TEXT: the last line of a test.
finish() {
    [ $failures -eq 0 ] || exit 1
    echo "$1"
}
