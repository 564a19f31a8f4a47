#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: real_code.sh BUILD SOURCES PACKAGE MODE [EXECUTIONS]
#
# pigz, pbzip2 and lbzip2 (its binary only) on a 300 KB file with four threads, under `plait test`: right
# output in every execution, no finding.  MODE is `source` (Debian's source,
# built with plait-cc or plait-c++) or `binary` (Debian's own binary, controlled
# at synchronisation).  Nothing of them enters the tree.
set -eu
build=$1
sources=$2
package=$3
mode=$4
executions=${5:-200}
here=$(cd "$(dirname "$0")" && pwd)
PATH=$build/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ "$mode" = source ]; then
    if ! "$here/fetch_source.sh" "$sources" "$package" 2>"$work/log"; then
        echo "SKIPPED: the source of $package cannot be had here: $(tail -n 1 "$work/log")"
        exit 77
    fi
    case $package in
    pigz) set -- CC "$build/bin/plait-cc" ;;
    *) set -- CXX "$build/bin/plait-c++" ;;
    esac
    program=$("$here/built.sh" "$build" "$sources" "$package" "$@")/$package
else
    program=$(command -v "$package") || { echo "SKIPPED: $package is not installed"; exit 77; }
fi
cd "$work"
# 300 KB that compress somewhat: numbers.
seq 1 60000 | head -c 300000 >data
case $package in
pigz) set -- -p 4 -b 32 -k -c data; unpack='gzip -dc' ;;
lbzip2) set -- -n 4 -1 -k -c data; unpack='bzip2 -dc' ;;
*) set -- -p4 -b1 -k -c data; unpack='bzip2 -dc' ;;
esac
plait test -s random -n "$executions" --hang-time 10m --check "$unpack | cmp - data" --json result.json -- "$program" "$@"
python3 - "$executions" <<'P'
import json, sys
r = json.load(open("result.json"))
assert r["executions"] == int(sys.argv[1]), r["executions"]
assert not r["findings"], r["findings"]
print("%.1f points per execution, %.1f executions/s" %
      (r["points_per_execution"], r["executions_per_second"]))
P
