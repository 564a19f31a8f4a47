#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD [ARGUMENT...]: the tests of the build folder, with arguments of ctest.
# What they write stays in memory where there is enough: a schedule that is kept is on the disk before it is
# announced, and that takes longer than most of what a test does.  Many tests wait for most of their time, for a
# clock or for what they have started, and all of them now and then: there are three at a time for each processor.
set -u
build=$1
shift

# in_memory FOLDER: whether programs can be made and started there, and 3 GB of them have room.
in_memory() {
    [ "$(stat -f -c %T "$1" 2>/dev/null)" = tmpfs ] || return 1
    free=$(df -kP "$1" 2>/dev/null | awk 'NR == 2 { print $4 }')
    left=$(awk '$1 == "MemAvailable:" { print $2 }' /proc/meminfo 2>/dev/null)
    [ "${free:-0}" -ge 3000000 ] && [ "${left:-0}" -ge 6000000 ] || return 1
    folder=$(mktemp -d "$1/tests-XXXXXX") || return 1
    chmod 755 "$folder" # tests of other users have to get there
    if cp /bin/true "$folder/runs" && "$folder/runs" 2>/dev/null; then
        rm "$folder/runs"
    else # it is mounted noexec
        rm -rf "$folder"
        return 1
    fi
}

# The python3 of the PATH may be a script that looks for one each time.
python=$(python3 -c 'import os, sys; print(os.path.dirname(sys.executable))' 2>/dev/null) && [ -x "$python/python3" ] &&
    export PATH="$python:$PATH"

folder=
if [ -z "${TMPDIR:-}" ] && in_memory /dev/shm; then
    export TMPDIR="$folder"
fi
trap '[ -z "$folder" ] || rm -rf "$folder"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
ctest --test-dir "$build" --output-on-failure -j "$((3 * $(nproc)))" "$@"
