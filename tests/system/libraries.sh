#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: libraries.sh BUILD PROGRAM [SECONDS]
#
# A small correct program on top of a library that waits in ways of its own (assembly, futexes, event counters,
# timers behind descriptors), as Debian has it, without hooks: no finding, and no hang.  One that is wrong must be
# found to be.  PROGRAM is a file of tests/system/libraries without its ending.  With SECONDS it is explored for so
# long by the default strategy and with noise, and each is printed as a row of docs/real-programs.md.
set -eu
build=$1
program=$2
here=$(cd "$(dirname "$0")" && pwd)
PATH=$build/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

compiler=plait-cc
ending=c
complete=
found=0
searches=auto
case $program in
uv_two) options=-luv complete=yes ;;
event_two) options=-levent complete=yes ;;
urcu_one) options=-lurcu-memb complete=yes ;;
ck_locks) options=-lck ;;
asio_timer) compiler=plait-c++ ending=cpp options= ;;
omp_for | omp_reduction | omp_critical) options=-fopenmp complete=yes searches='auto dpor' ;;
omp_tasks) options=-fopenmp searches='auto dpor' ;;
omp_first) options=-fopenmp found=1 searches='auto dpor' ;;
glib_pool) options=$(pkg-config --cflags --libs glib-2.0 || :) searches='auto dpor' ;;
*) echo "there is no $program" >&2; exit 2 ;;
esac
# shellcheck disable=SC2086 # words are meant to be split
if ! "$compiler" -g -O1 -pthread "$here/libraries/$program.$ending" -o program $options >log 2>&1; then
    echo "SKIPPED: $program does not build here: $(head -n 1 log)"
    exit 77
fi
if [ $# -gt 2 ]; then
    for search in auto noise; do
        status=0
        plait test -t "$3s" -s $search --hang-time 60s --json result.json ./program >out 2>&1 || status=$?
        [ "$status" -eq 0 ] || { cat out; echo "FAILED: exit status $status"; exit 1; }
        python3 - "$program" $search <<'P'
import json, sys
r = json.load(open("result.json"))
print("| %s | %s | %d | %.0f | %s | %d | %s |" % (
    sys.argv[1], sys.argv[2], r["executions"], r["executions"] / max(r["seconds"], 0.001), r["restart"], r["classes"],
    "complete but for the library" if "not complete" not in open("out").readline() else "no finding"))
P
    done
    exit 0
fi
for search in $searches; do
    status=0
    plait test -t 4s -s "$search" --hang-time 20s --json result.json ./program >out 2>&1 || status=$?
    cat out
    [ "$status" -eq "$found" ] || { echo "FAILED: exit status $status"; exit 1; }
    [ -z "$complete" ] || grep -q 'clean, complete' out || { echo "FAILED: not complete"; exit 1; }
done
