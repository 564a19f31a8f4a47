#!/bin/sh
# SPDX-License-Identifier: MIT
# What the time that there is means: -t bounds all of a campaign, --hang-time goes by processor
# time, and what does not come again is no finding.  PLAIT_BUILD is the build folder.
set -u

# shellcheck source=tests/cli/common.sh
. "$(dirname "$0")/common.sh"

# result EXPRESSION: true of the JSON object r.
result() {
    python3 -c "import json; r = json.load(open('result.json')); exit(not ($1))" || fail "not so: $1"
}

# within SECONDS STATUS TEXT COMMAND...: as expect, and it takes no longer.
within() {
    most=$1 began=$(date +%s)
    shift
    expect "$@"
    took=$(($(date +%s) - began))
    [ $took -le "$most" ] || fail "it took $took s, not at most $most: $*"
}

# Each execution works for a while before it may fail, and minimising needs hundreds of them.
cat >slow.c <<'END'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_long x;
static void work(void)
{
    for (volatile long i = 0; i < 15000000; i++)
        ;
}
static void *other(void *a)
{
    for (int i = 0; i < 20; i++) {
        long n = x;
        x = n + 1;
    }
    return a;
}
int main(void)
{
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, other, 0);
    work();
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(x == 40);
    return 0;
}
END
plait cc -g -O1 -pthread -o slow slow.c || exit 1
within 12 1 '' plait test -s random -t 2s --json result.json ./slow
result 'len(r["findings"]) == 1 and r["findings"][0]["schedule"]'

# Nothing comes to an end at all: that is no clean result.
cat >never.c <<'END'
#include <pthread.h>
static void *other(void *a)
{
    for (;;)
        __asm__ volatile("");
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    return pthread_join(t, 0);
}
END
plait cc -g -O1 -pthread -o never never.c || exit 1
within 12 4 'no execution came to its end within the time' plait test -t 2s --json result.json ./never
result 'r["executions"] == 0 and not r["complete"] and r["notes"]'
expect 1 'nothing happens any more for 500 ms' plait test -n 1 --hang-time 500ms ./never

# Somebody stops the program for longer than --hang-time: it does not hang.
cat >stopped.c <<'END'
#include <pthread.h>
static void *other(void *a)
{
    for (long i = 0; i < 6000000000; i++)
        __asm__ volatile("");
    return a;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    return pthread_join(t, 0);
}
END
plait cc -g -O1 -pthread -o stopped stopped.c || exit 1
plait test -s random -n 1 --hang-time 5s ./stopped >out.txt 2>&1 &
campaign=$!
sleep 1
for exe in /proc/[0-9]*/exe; do
    pid=${exe%/exe}
    [ "$(readlink "$exe")" = "$work/stopped" ] && echo "${pid#/proc/}"
done >pids.txt
if [ -s pids.txt ]; then
    xargs kill -STOP <pids.txt
    sleep 7
    xargs kill -CONT <pids.txt
else
    fail "the program does not run"
fi
wait $campaign
status=$?
[ $status -eq 0 ] || fail "exit status $status of a program that was stopped"

# The first start fails, and no other: something varies that is not under control.
cat >once.c <<'END'
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *other(void *a)
{
    x++;
    return a;
}
int main(void)
{
    int fresh = open("mark", O_CREAT | O_EXCL | O_WRONLY, 0600);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x++;
    pthread_join(t, 0);
    assert(fresh < 0);
    return 0;
}
END
plait cc -g -O1 -pthread -o once once.c || exit 1
expect 3 'did not come again' plait test --files real -s random -n 3 --restart exec --json result.json ./once
result 'r["findings"] == [] and r["executions"] == 3 and len(r["notes"]) == 1'
result '"nothing was found" in r["notes"][0] and not r["complete"]'

finish "time is what it is said to be"
