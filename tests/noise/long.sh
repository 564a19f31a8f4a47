#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: long.sh BUILD
#
# An execution with more operations than the choices that are kept of one: few switches order all
# of them, so its recording replays to the same lost updates.
set -eu
PATH=$1/bin:$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
cd "$work"

cat >count.c <<'END'
#include <pthread.h>
enum { ROUNDS = 3000000 };
static volatile long count;
static void *work(void *arg)
{
    for (long i = 0; i < ROUNDS; i++)
        count++;
    return arg;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 1 + count % 251;
}
END
plait-cc -O2 -o count count.c -pthread

status=0
plait test -s noise -n 1 --no-minimize -o results ./count >out.txt 2>&1 || status=$?
if [ "$status" -ne 1 ] || grep -q 'does not replay' out.txt; then
    echo "FAILED: exit status $status"
    cat out.txt
    exit 1
fi
status=0
plait replay results/latest/finding-001-exit.plait >out.txt 2>&1 || status=$?
if [ "$status" -ne 1 ]; then
    echo "FAILED: replay: exit status $status"
    cat out.txt
    exit 1
fi
