#!/bin/sh
# SPDX-License-Identifier: MIT
# plait minimize: what it makes of good schedules, what it says to bad ones, and that nothing is
# lost when it is interrupted.
. "$2/common.sh"
# expect CODE PATTERN COMMAND...: the exit code, and what it says
expect() {
    code=$1 pattern=$2
    shift 2
    rc=0
    "$@" >out.txt 2>err.txt </dev/null || rc=$?
    [ "$rc" = "$code" ] || fail "'$*' exits with $rc, not $code: $(cat err.txt)"
    grep -q -- "$pattern" err.txt out.txt || fail "'$*' does not say '$pattern': $(cat out.txt err.txt)"
}
cat >bank.c <<'C'
#include <pthread.h>
#ifndef FIXED
#define FIXED 0
#endif
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance, noise;
static void *pay(void *arg)
{
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        noise++;
        pthread_mutex_unlock(&lock);
    }
    if (FIXED)
        pthread_mutex_lock(&lock);
    int seen = balance;
    noise++;
    balance = seen + 1;
    if (FIXED)
        pthread_mutex_unlock(&lock);
    return arg;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? 8 : 3; /* as good as endless to search with 8 */
    pthread_t t[8];
    for (int i = 0; i < n; i++)
        pthread_create(&t[i], 0, pay, 0);
    for (int i = 0; i < n; i++)
        pthread_join(t[i], 0);
    return balance != n;
}
C
plait-cc -g -o bank bank.c
expect 1 exit plait test --no-minimize -n 5000 --seed 2 -o raw ./bank
f=raw/latest/finding-001-exit.plait
[ "$(ls raw/latest/*.plait)" = $f ] || fail "--no-minimize writes more than the finding: $(ls raw/latest)"
cp $f before.plait

# It becomes simpler, the same each time, and replays; the file it began with stays as it was.
expect 0 '1 preemption (the fewest possible)' plait minimize $f
cmp $f before.plait || fail "the original was changed"
expect 0 'before thread' plait minimize -o again.plait --json again.json $f
sed '/^passing /d; /^end /d' raw/latest/finding-001-exit-min.plait >a.txt
sed '/^passing /d; /^end /d' again.plait >b.txt
cmp a.txt b.txt || fail "the same schedule gave another result"
[ "$(grep -c '^>' again.plait)" -lt "$(grep -c '^>' $f)" ] || fail "it has as many choices as before"
grep -q '"preemptions": 1' again.json || fail "JSON has no preemptions: $(cat again.json)"
for i in 1 2 3 4 5; do
    expect 1 'as recorded' plait replay again.plait
    expect 1 'as recorded' plait replay --carrier thread again.plait
    expect 1 'as recorded' plait replay --restart exec again.plait
done
expect 0 'no finding, as recorded' plait replay again-passing.plait
expect 0 'why: it fails because thread' plait show again.plait
expect 0 'otherwise it passes: plait replay again-passing.plait' plait show again.plait
expect 0 'no finding' plait show again-passing.plait
# Again from the result, and over itself.
expect 0 '1 preemption' plait minimize -o again.plait again.plait
expect 1 'as recorded' plait replay again.plait
# Whatever the restart and however little is allowed, what is written fails.
for how in '--restart fork' '--restart exec' '--budget 1' '--time 1ms' '--carrier thread'; do
    expect 0 'preemption' plait minimize -o some.plait $how $f
    expect 1 'as recorded' plait replay some.plait
done

# What cannot be minimised is said, and nothing is written.
expect 2 'no schedule' plait minimize
expect 2 'no file' plait minimize none.plait
expect 2 'no option' plait minimize --strategy=dfs $f
expect 2 'budget' plait minimize --budget=0 $f
expect 2 'shows no finding' plait minimize again-passing.plait
head -c 300 $f >short.plait && expect 2 'cut off' plait minimize short.plait
sed 's/ switch 0/ switch 0.9/' $f >edited.plait && expect 2 'checksum' plait minimize edited.plait
cp bank foreign.plait && expect 2 'not a schedule' plait minimize foreign.plait
expect 2 '--output cannot be' plait minimize -o no/such/folder/x.plait $f
plait-cc -g -DFIXED=1 -o fixed bank.c
expect 3 'did not replay' plait minimize $f -- ./fixed
mv bank bank.old && cp fixed bank
expect 3 'was rebuilt' plait minimize -o rebuilt.plait $f
[ ! -e rebuilt.plait ] || fail "a schedule was written for a program that does not fail"
mv bank.old bank
cat >hang.c <<'C'
#include <pthread.h>
static int n;
static void *f(void *arg) { for (int i = 0; i < 1000000; i++) n++; return arg; }
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    for (int i = 0; i < 10; i++)
        n++;
    return pthread_join(t, 0);
}
C
plait-cc -g -o hang hang.c
expect 1 'not minimised: .*hang' plait test --max-steps 5000 ./hang

# A program that was not compiled with plait-cc: its synchronisation is what can be rearranged.
cat >abba.c <<'C'
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *ba(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, ba, 0);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return pthread_join(t, 0);
}
C
gcc -g -o abba abba.c
expect 1 'minimised: 1 preemption, ' plait test -n 1000 -o plain ./abba
grep -q 'why: it fails because thread .* locks' out.txt || fail "no reason: $(cat out.txt)"
expect 1 'as recorded' plait replay plain/latest/finding-001-deadlock.plait
# Where the budget is no limit, the restart makes no difference.
plait-cc -g -o abba abba.c
expect 1 deadlock plait test --no-minimize -n 1000 -o seen ./abba
for restart in rollback fork exec; do
    expect 0 'fewest possible' plait minimize --budget 40000 --time 1h --restart $restart \
        -o $restart.plait seen/latest/finding-001-deadlock.plait
    sed '/^passing /d; /^option restart/d; /^end /d' $restart.plait >$restart.txt
done
cmp rollback.txt fork.txt || fail "fork minimises otherwise"
cmp rollback.txt exec.txt || fail "exec minimises otherwise"

# Interrupted (a shell lets what it starts in the background ignore SIGINT): the command leaves nothing behind, the campaign the schedule as it was found.
expect 1 exit plait test --no-minimize -n 5000 -o many ./bank many
f=many/latest/finding-001-exit.plait
cp $f before.plait
plait minimize --restart exec --budget 10000000 --time 1h -o never.plait $f >out.txt 2>err.txt &
pid=$!
i=0
while [ -z "$(cat /proc/$pid/task/$pid/children)" ]; do # it listens before it starts the program
    i=$((i + 1))
    [ $i -lt 600 ] || fail "the program was not started"
    sleep 0.1
done
sleep 0.5
kill -TERM $pid
rc=0
wait $pid || rc=$?
[ "$rc" = 143 ] && grep -q interrupted err.txt || fail "interrupted: exit $rc: $(cat out.txt err.txt)"
cmp $f before.plait || fail "the interrupt changed the original"
[ ! -e never.plait ] || fail "an interrupted search wrote something"
plait test --seed 2 -n 5000 --restart exec --budget 100000000 -o cut ./bank many >out.txt 2>err.txt &
pid=$!
i=0
while [ ! -e cut/finding-001-exit.plait ]; do
    i=$((i + 1))
    [ $i -lt 600 ] || fail "the finding did not come"
    sleep 0.1
done
kill -TERM $pid
rc=0
wait $pid || rc=$?
[ "$rc" = 1 ] && grep -q 'not minimised: .*interrupted' out.txt || fail "cut: $rc: $(cat out.txt err.txt)"
expect 1 'as recorded' plait replay cut/latest/finding-001-exit.plait
echo "schedules are minimised, and nothing gets lost"
