#!/bin/sh
# SPDX-License-Identifier: MIT
# A program that crashes in every second execution: 10,000 executions, one finding with a count.
. "$2/common.sh"
cat >half.c <<'C'
#include <plait.h>
#include <pthread.h>
#include <stddef.h>
static void *other(void *arg) { return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, other, NULL);
    if (plait_choose(2))
        *(volatile int *)NULL = 1;
    pthread_join(t, NULL);
    return 0;
}
C
plait-cc -g -o half_crasher half.c
plait test -s random -k -n 10000 --json r.json ./half_crasher >out.txt && fail "no finding" || rc=$?
[ "$rc" = 1 ] || fail "exit status $rc"
[ "$(json r.json 'r["executions"]')" = 10000 ] || fail "not 10,000 executions"
[ "$(json r.json 'len(r["findings"])')" = 1 ] || fail "not one finding"
count=$(json r.json 'r["findings"][0]["count"]')
# 10,000 fair coins: five standard deviations are 250.
[ "$count" -gt 4750 ] && [ "$count" -lt 5250 ] || fail "$count crashes"
nothing_left half_crasher
echo "$count crashes in 10,000 executions, one finding"
