/* SPDX-License-Identifier: MIT */
/*
 * A handler that does not return: whatever its thread stood at is not performed, also if nobody
 * else would have noticed it, as the creation of a thread.  -DSTEP: what main stands at, creating
 * (0), creating after a store that is its own (1), yielding before a store that is its own (2).
 *
 * RUN    plait test -s dfs
 * EXPECT assertion
 *
 * RUN    plait test -s dpor
 * EXPECT assertion
 *
 * RUN    plait test -s dpor:source
 * EXPECT assertion
 *
 * RUN    -DSTEP=1 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DSTEP=2 plait test -s dpor
 * EXPECT assertion
 *
 * Between two stores that only main can tell apart is no point: the search says so.
 *
 * RUN    -DSTEP=3 plait test -s dpor
 * EXPECT clean incomplete ended~longjmp.out.of.a.handler
 *
 * RUN    -DRETURNS=1 plait test -s dfs
 * EXPECT clean complete classes=27
 *
 * RUN    -DRETURNS=1 plait test -s dpor
 * EXPECT clean complete classes=27
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#ifndef STEP
#define STEP 0
#endif
#ifndef RETURNS
#define RETURNS 0
#endif

static sigjmp_buf away;
static pthread_t first;
static volatile int made, seen;

static void handle(int number)
{
    (void)number;
    if (RETURNS)
        seen++;
    else
        siglongjmp(away, 1);
}

static void *interrupt(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

static void *second(void *arg)
{
    if (RETURNS)
        made = seen;
    return arg;
}

/* What main does until the signal comes, if its handler does not return. */
static void go_on(void)
{
    pthread_t b;

    if (STEP == 1)
        made = 2;
    if (STEP == 3) {
        made = 7;
        made = 0;
    } else if (STEP == 2) {
        sched_yield();
    } else {
        pthread_create(&b, NULL, second, NULL);
    }
    made += !RETURNS;
    if (STEP < 2)
        pthread_join(b, NULL);
    while (!RETURNS)
        pause();
}

int main(void)
{
    static pthread_t a;

    first = pthread_self();
    signal(SIGUSR1, handle);
    if (sigsetjmp(away, 1) == 0) {
        pthread_create(&a, NULL, interrupt, NULL);
        go_on();
    }
    pthread_join(a, NULL);
    assert(RETURNS || made == (STEP == 1 ? 3 : 1) || (STEP == 3 && made == 0));
    return 0;
}
