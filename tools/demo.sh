#!/bin/sh
# SPDX-License-Identifier: MIT
# The tour that `make demo` gives: a bank that loses money, found, shown and replayed.
# usage: tools/demo.sh BUILD
# Ends with 0 when every command did what the text says it does.
set -u

root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build}" && pwd) || exit 1
PATH=$build/bin:$PATH
export PATH
mkdir -p "$build/demo" && cd "$build/demo" || exit 1
rm -rf .plait bank bank.c
cp "$root/examples/bank.c" . || exit 1

# run STATUS SENTENCE COMMAND...: say what comes, show it, and insist on its exit status
# unless STATUS is "any".
run() {
    expected=$1
    printf '\n%s\n\n    $ ' "$2"
    shift 2
    printf '%s\n\n' "$*"
    "$@"
    status=$?
    if [ "$expected" != any ] && [ "$status" -ne "$expected" ]; then
        printf '\nThe demo expected exit status %s here, not %s.\n' "$expected" "$status" >&2
        exit 1
    fi
}

run 0 "bank.c moves money between accounts. It is compiled as always, with plait-cc for a compiler." \
    plait-cc -g -O1 -pthread -o bank bank.c
run any "Started by itself it is an ordinary program, and nearly always nothing seems wrong." \
    ./bank
run 1 "plait tries one interleaving after the other, and stops at the first that breaks it." \
    plait test ./bank

schedule=
for file in .plait/bank/latest/finding-*.plait; do
    [ -f "$file" ] && schedule=$file && break
done
if [ -z "$schedule" ]; then
    echo "The demo expected a schedule in .plait/bank, and there is none." >&2
    exit 1
fi

run 0 "The schedule is a small file. This is what it says: a column a thread, a row an operation." \
    plait show "$schedule"
run 1 "Replayed, it breaks the program again: every time, in the same way." \
    plait replay "$schedule"

printf '\nThe program, its schedule and the results are in %s.\n' "${build#"$root"/}/demo"
