#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: bench/run.sh BUILD [--short|--smoke] [--json FILE] [--update-docs]
#
# Measures plait and everything it is compared with in one run, prints one table
# and writes BUILD/bench.json.  --short takes two minutes at most.  --update-docs
# puts the table into docs/performance.md.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
exec python3 -B "$root/bench/bench.py" "$@"
