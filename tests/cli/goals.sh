#!/bin/sh
# SPDX-License-Identifier: MIT
# Orders that the analyser says may exist and nobody has shown are goals of executions that are drawn: with them a
# failure that two orders among many lead to is found sooner.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

# A plan is published before it is complete, among much that locks keep in order.
cat >plan.c <<'EOT'
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
enum { SLOTS = 6, ROUNDS = 8, WORKERS = 3 };
static struct slot {
    pthread_mutex_t lock;
    int items, bytes;
} slots[SLOTS];
static struct plan {
    int length;
} *published;
static void put(int i, int n)
{
    pthread_mutex_lock(&slots[i].lock);
    slots[i].items++;
    slots[i].bytes += n;
    pthread_mutex_unlock(&slots[i].lock);
}
static void get(int i)
{
    pthread_mutex_lock(&slots[i].lock);
    if (slots[i].items > 0)
        slots[i].bytes -= --slots[i].items;
    pthread_mutex_unlock(&slots[i].lock);
}
static void *works(void *arg)
{
    for (int i = 0; i < 2 * ROUNDS; i++) {
        put(i % SLOTS, i);
        get((i + 3) % SLOTS);
    }
    return arg;
}
static void *plans(void *arg)
{
    struct plan *p = calloc(1, sizeof(*p));
    for (int i = 0; i < ROUNDS; i++)
        put(i % SLOTS, 1);
    published = p;
    p->length = 3;
    for (int i = 0; i < ROUNDS; i++)
        get(i % SLOTS);
    return arg;
}
static void *looks(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        put(i % SLOTS, 2);
    struct plan *p = published;
    assert(p == NULL || p->length == 3);
    return arg;
}
int main(void)
{
    pthread_t t[WORKERS + 2];
    for (int i = 0; i < SLOTS; i++)
        pthread_mutex_init(&slots[i].lock, NULL);
    pthread_create(&t[0], NULL, plans, NULL);
    pthread_create(&t[1], NULL, looks, NULL);
    for (int i = 2; i < WORKERS + 2; i++)
        pthread_create(&t[i], NULL, works, NULL);
    for (int i = 0; i < WORKERS + 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
EOT
PLAIT_CC=clang plait cc --whole -g -o aimed plan.c || exit 1
PLAIT_CC=clang plait cc -g -o plain plan.c || exit 1

# sum PROGRAM STRATEGY: executions up to the failure, of five seeds.
sum() {
    total=0
    for seed in 1 2 3 4 5; do
        expect 1 assertion plait test -j 1 -s "$2" --seed "$seed" -n 400 --no-minimize --drive 0 -o "results-$1" "./$1"
        total=$((total + $(executions)))
    done
    echo "$total"
}
for strategy in auto rff; do
    with=$(sum aimed $strategy)
    without=$(sum plain $strategy)
    echo "$strategy: $with executions with goals, $without without"
    [ $((2 * with)) -lt "$without" ] || fail "$strategy gains nothing: $with executions instead of $without"
done

# What was shown, and how many executions were led, is said; a program without a table is as ever.
expect 1 'orders: .* shown' plait test -j 1 -s rff --seed 1 -n 60 --no-minimize --drive 0 -o results ./aimed
grep -q 'led to an open one: [1-9]' out.txt || fail "nothing is said about executions that were led"
expect 1 '' plait test -j 1 -s rff --seed 1 -n 400 --no-minimize --drive 0 -o results-plain ./plain
grep -q 'led to' out.txt && fail "executions of a program without a table are led"

# A guided search ends with samples that are led to what it has not come near.
cat >branch.c <<'EOT'
#include <pthread.h>
static int x, never;
static void *writes(void *arg)
{
    if (never)
        x = 2;
    x = 1;
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, writes, NULL);
    int seen = x;
    pthread_join(t, NULL);
    return seen & 0;
}
EOT
PLAIT_CC=clang plait cc --whole --keep-hooks -g -o branch branch.c || exit 1
expect 0 'orders: 2 shown, 2 open' plait test -s hapset -o results-branch ./branch
grep -q 'led to an open one: 0 came true' out.txt || fail "the guided search leaves open orders alone"
grep -q 'no uncovered order left' out.txt || fail "it does not say how it ended"

for kernel in accountdeadlock boundedbuffer; do
    PLAIT_CC=clang plait cc -g -DKERNEL_$kernel -o plain "$source/bench/values/kernels.c" || exit 1
    PLAIT_CC=clang plait cc --whole -g -DKERNEL_$kernel -o aimed "$source/bench/values/kernels.c" || exit 1
    expect 0 'no uncovered order left' plait test -s hapset --no-minimize --drive 0 -o results-plain ./plain
    expect 1 'deadlock' plait test -s hapset --no-minimize --drive 0 -o results-aimed ./aimed
done

finish "open orders are goals"
