#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: bench/run.sh BUILD
#
# Executions per second of plait on one small program, beside a loop that just
# starts it.  Only the ratios mean anything: all figures are taken in turns in
# one run, and the median of five counts.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build}" && pwd)
PATH=$build/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
plait-cc -O2 -g -pthread -o split "$root/bench/split.c"
cat >measure.py <<'P'
import json, statistics, subprocess, sys, time

def plait(*options):
    n = "500" if "exec" in options else "3000"
    subprocess.run(["plait", "test", "-q", "-n", n, "--json", "r.json", *options, "./split"], check=True)
    return json.load(open("r.json"))["executions_per_second"]

def native():
    n = 300
    start = time.time()
    for _ in range(n):
        subprocess.run(["./split"], check=True)
    return n / (time.time() - start)

rows = [("starting the program in a loop", native),
        ("plait, fork, fibers", lambda: plait()),
        ("plait, fork, OS threads", lambda: plait("--carrier", "thread")),
        ("plait, exec, fibers", lambda: plait("--restart", "exec")),
        ("plait, fork, every access a point", lambda: plait("--points", "all"))]
rates = {name: [] for name, _ in rows}
for turn in range(5):
    for name, measure in rows:
        rates[name].append(measure())
        if sys.stderr.isatty():
            print("\rturn %d of 5: %-40s" % (turn + 1, name), end="", file=sys.stderr)
if sys.stderr.isatty():
    print("\r" + " " * 60 + "\r", end="", file=sys.stderr)
base = statistics.median(rates[rows[0][0]])
print("%-36s %14s %8s" % ("two threads, four critical sections", "executions/s", "ratio"))
for name, _ in rows:
    rate = statistics.median(rates[name])
    print("%-36s %14.0f %8.2f" % (name, rate, rate / base))
P
python3 measure.py
