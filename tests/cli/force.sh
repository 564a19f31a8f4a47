#!/bin/sh
# SPDX-License-Identifier: MIT
# From pairs to an order that is forced: what a campaign came to is in the list of pairs, --force looks for one order
# of a pair, and says what is wrong with one that cannot be understood.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

cat >race.c <<'EOF'
#include <pthread.h>
static int x, seen, never;
static void *reads(void *arg)
{
    seen = x;
    return arg;
}
static void *writes(void *arg)
{
    if (never)
        x = 2;
    x = 1;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reads, NULL);
    pthread_create(&b, NULL, writes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
EOF
PLAIT_CC=clang plait cc --whole --keep-hooks -g -o race race.c || exit 1
PLAIT_CC=clang plait cc -g -o plain race.c || exit 1

# Nothing is known before a campaign, and all after a complete one.
expect 0 '2 RW' plait pairs ./race
grep -q 'a->b' out.txt && fail "something is known before any campaign"
expect 0 'pairs     2 RW; 4 orders: 2 shown, 2 impossible' plait test -s values -o results ./race
expect 0 'a->b  shown' plait pairs -o results ./race
grep -q 'impossible: a branch led past it: from race.c:10 to race.c:12' out.txt || fail "no reason: $(cat out.txt)"
expect 0 '^2 pairs: 2 RW; 0 shown' plait pairs -o results --open ./race
expect 0 '"format": "plait-pairs"' plait pairs --json ./race
expect 0 '"status": "impossible"' plait pairs -o results --json ./race
expect 2 'is not there' plait pairs -o nowhere ./race

# Other strategies have shown orders as well.
expect 0 '' plait test -s dpor -o other ./race
expect 0 'a->b  shown' plait pairs -o other ./race
grep -q 'b->a  shown' out.txt || fail "what dpor has shown is not known: $(cat out.txt)"
[ "$(grep -c '  open' out.txt)" = 2 ] || fail "what nobody has shown is not open: $(cat out.txt)"

# Coverage counts all orders that the code allows, not only those that executions came near.
expect 0 'seen 2 of 4 orders that can exist, 2 impossible, 0 open' plait coverage results
expect 0 'seen 2 of 4 orders that can exist, 0 impossible, 2 open' plait coverage other
expect 0 'seen 2 of 4 orders that can exist, 2 impossible, 0 open' plait coverage other results
plait coverage --json - other | tr -d ' \n' | grep -q '"pairs":{"orders":4,"open":2,"impossible":0,"shown":2' ||
    fail "orders that can exist are not in the JSON"
expect 0 '' plait test -s dpor -o without ./plain
expect 0 'M3' plait coverage without
grep -q 'can exist' out.txt && fail "orders of a program that was not analysed are counted"
expect 0 'M3' plait coverage other without
grep -q 'can exist' out.txt && fail "orders of two programs are counted as one's"

# The pair of the write that is executed, in both orders; of the other one neither.
real=$(plait pairs ./race | grep -B2 'race.c:12' | sed -n 's/^\(P[0-9]\) .*/\1/p')
other=$(plait pairs ./race | grep -B2 'race.c:11' | sed -n 's/^\(P[0-9]\) .*/\1/p')
expect 0 'race.c:5<race.c:12: shown' plait test --force "$real: a->b" ./race
expect 0 'race.c:12<race.c:5: shown' plait test --force "$real: b->a" ./race
expect 5 'race.c:11<race.c:5: not shown\|race.c:11<race.c:5: impossible' plait test --force "$other: b->a" ./race
expect 2 'lists 2 of them' plait test --force 'P7: a->b' ./race
expect 2 "such as 'P3: b->a'" plait test --force 'P1: a->a' ./race
expect 3 'plait cc --whole' plait test --force 'P1: a->b' ./plain
# A statement that is too far away is not called impossible.
cat >far.c <<'EOF'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int steps;
static int x, seen;
static void *reads(void *arg)
{
    seen = x;
    seen += atomic_load(&steps);
    return arg;
}
static void *writes(void *arg)
{
    for (int i = 0; i < 30000; i++)
        atomic_store(&steps, i);
    x = 1;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, reads, NULL);
    pthread_create(&b, NULL, writes, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return atomic_load(&steps) == 0;
}
EOF
PLAIT_CC=clang plait cc --whole --keep-hooks -g -o far far.c || exit 1
expect 0 '1 limit' plait test -s values -n 6 -o results-far ./far
expect 0 'b->a  open: the execution was given up' plait pairs -o results-far ./far

finish "pairs are listed, judged and forced"
