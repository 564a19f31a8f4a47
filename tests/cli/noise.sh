#!/bin/sh
# SPDX-License-Identifier: MIT
# --noise and --noise-at: what they ask for, where threads are disturbed, and what is refused.
# PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

cat >prog.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int shared;
struct meter {
    double passed, worked; /* ms on the wall, and on a processor */
    long slept;            /* how often */
};
static double read_clock(clockid_t id)
{
    struct timespec t;
    clock_gettime(id, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}
static struct meter read_meter(void)
{
    struct rusage used;
    getrusage(RUSAGE_THREAD, &used);
    return (struct meter){read_clock(CLOCK_MONOTONIC), read_clock(CLOCK_THREAD_CPUTIME_ID), used.ru_nvcsw};
}
static void tell(FILE *f, struct meter a, struct meter b)
{
    fprintf(f, "%.3f %.3f %ld ", b.passed - a.passed, b.worked - a.worked, b.slept - a.slept);
}
__attribute__((noinline)) static void here(void)
{
    pthread_mutex_lock(&lock);
    shared++;
    pthread_mutex_unlock(&lock);
}
__attribute__((noinline)) static void there(void)
{
    pthread_mutex_lock(&lock);
    shared--;
    pthread_mutex_unlock(&lock);
}
static void *work(void *arg)
{
    return arg;
}
/* What twenty calls of each take goes to a file, in the order of executions. */
int main(void)
{
    pthread_t t;
    FILE *f = fopen(getenv("TIMES"), "a");

    pthread_create(&t, NULL, work, NULL);
    struct meter a = read_meter();
    for (int i = 0; i < 20; i++)
        here();
    struct meter b = read_meter();
    for (int i = 0; i < 20; i++)
        there();
    tell(f, a, b);
    tell(f, b, read_meter());
    fputs("\n", f);
    fclose(f);
    return pthread_join(t, NULL);
}
END
plait cc -g -O1 -o prog prog.c || exit 1
gcc -g -O1 -o plain prog.c -pthread || exit 1

# slow PROGRAM HERE THERE OPTIONS...: whether the calls of here() and of there() are disturbed, yes or
# no.  Then they take 40 ms at least.  A busy machine can make the others take as long, but not let
# them sleep or work.
slow() {
    program=$1 here=$2 there=$3
    shift 3
    rm -f times.txt
    TIMES=times.txt plait test --files real -n 2 --seed 3 --hang-time 10m "$@" "./$program" >out.txt 2>&1 || fail "exit $? with $*"
    tail -n 1 times.txt | awk -v here="$here" -v there="$there" '
        function fits(wanted, passed, worked, slept) {
            return wanted == "yes" ? passed >= 40 : worked < 40 && slept < 20
        }
        END { exit !fits(here, $1, $2, $3) || !fits(there, $4, $5, $6) }' ||
        fail "not '$here $there' with $program $*: $(tail -n 1 times.txt)"
}

# Each event that counts is disturbed, for 2 ms.
all=probability=100,length=2ms,distribution=fixed,quiet=0,cost=off
for kind in sleep busy; do
    slow prog yes yes --noise "$kind,$all"
done
slow prog yes yes -s "noise:$all"
slow prog no no --noise none
slow prog no no --noise "quiet=100,$all,quiet=100"
slow prog yes no --noise "$all" --noise-at here
slow prog no yes --noise "$all" --noise-at there
slow prog yes yes --noise "$all" --noise-at 'h*' --noise-at 'th*'
slow prog yes yes --noise "$all" --noise-at prog.c
slow prog no no --noise "$all" --noise-at work
slow prog yes yes --noise "$all,at=sync"
slow prog yes yes --noise "$all,at=all,record=light"
slow prog yes yes --noise "halt,$all" # nobody else does anything
slow prog no no --noise "yield,$all"
slow prog no no --noise "priority,$all"
slow plain yes yes --noise "$all"
slow plain yes yes --noise "at=sync,$all"
slow prog yes yes --noise "mixed,$all"

plait test -n 2 --noise-at here ./prog >out.txt 2>&1
grep -q 'strategy  noise' out.txt || fail "--noise-at alone does not ask for noise"

# ---------------------------------------------------------------- nonsense

refused() {
    what=$1
    shift
    plait test -n 1 "$@" ./prog >out.txt 2>&1
    [ $? -eq 2 ] || fail "exit other than 2 with $*"
    grep -q -- "$what" out.txt || fail "does not say '$what' with $*"
}

export TIMES=times.txt
refused 'noise is none of sleep, yield' --noise slep
refused 'noise is none of sleep, yield' -s noise:slep
refused 'strategy pct has them under control' -s pct --noise sleep
refused 'strategy dfs has them under control' -s dfs --noise-at here
refused 'Give one of them' -s noise:sleep --noise yield
refused 'noise is empty' --noise=
refused 'cost= of noise is' --noise cost=0.5
refused 'probability= of noise is' --noise probability=0
refused 'length= of noise is' --noise length=3
refused 'cap= of noise is' --noise cap=3
refused 'beyond cap=' --noise length=2ms,cap=1ms
refused 'distribution= of noise is' --noise distribution=normal
refused 'quiet= of noise is' --noise quiet=101
refused 'random= of noise is' --noise random=101
refused 'direct= of noise is' --noise direct=m9
refused 'at= of noise is' --noise at=here
refused 'record= of noise is' --noise record=most
refused 'noise has the parameters' --noise colour=green
refused "noise-at 'nowhere' is no function" --noise-at nowhere
refused 'at most' --noise "$(printf 'cap=1ms,%.0s' $(seq 40))cap=1ms"

finish "noise is what was asked for"
