#!/bin/sh
# SPDX-License-Identifier: MIT
# What value schedules say of attempts that do not come true, each word with a program that leads to it.  PLAIT_BUILD
# is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"
PLAIT_CC=clang
export PLAIT_CC

# verdict NAME WORD WHY: the summary has the word, and the list of pairs says why.
verdict() {
    plait cc --whole --keep-hooks -g -o "$1" "$1.c" || exit 1
    plait test -s values -k -n 40 --no-minimize --drive 0 -o "results-$1" "./$1" >out.txt 2>&1
    grep -q "attempts*:.* [1-9][0-9]* $2" out.txt || fail "$1: no attempt is '$2'"
    expect 0 "$3" plait pairs -o "results-$1" "./$1"
}

# The pointer leads to a function without the statement.
cat >callee.c <<'END'
#include <pthread.h>
static int x, y;
static void reads(void)
{
    y += x;
}
static void does_not(void)
{
    y++;
}
static void (*calls)(void) = reads;
static void *t1(void *arg)
{
    x = 1;
    y = 2;
    return arg;
}
static void *t2(void *arg)
{
    int was = x;
    calls();
    return (char *)arg + 0 * was;
}
int main(void)
{
    pthread_t a, b;
    calls = does_not;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
END
verdict callee callee 'another function was called than the one that has it: from callee.c:'

# The thread with the statement is not created.
cat >started.c <<'END'
#include <pthread.h>
static int x, y, never;
static void *t1(void *arg)
{
    x = 1;
    return arg;
}
static void *t2(void *arg)
{
    y = x;
    return arg;
}
static void *starts(void *arg)
{
    pthread_t t;
    int was = x;
    if (never) {
        pthread_create(&t, NULL, t2, NULL);
        pthread_join(t, NULL);
    }
    return (char *)arg + 0 * was;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, starts, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
END
verdict started 'not started' 'no thread that has it was created'

# The thread with the statement waits for the one that stops before its own, in a loop that changes something: it is
# given up where it is held back for the sake of others, or after many choices.
cat >loop.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static int x, y;
static atomic_int flag, count;
static void *t1(void *arg)
{
    count = 0;
    x = 1;
    flag = 1;
    return arg;
}
static void *t2(void *arg)
{
    while (!flag)
        count++;
    y = x;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, t1, NULL);
    pthread_create(&b, NULL, t2, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
END
verdict loop 'loop, [1-9][0-9]* limit' 'its thread goes round a loop very often, and is held back there while others can go on: at loop.c:15'

finish "attempts have their reasons"
