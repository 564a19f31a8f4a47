/* SPDX-License-Identifier: MIT */
/*
 * Nothing of a new thread runs inside pthread_create(), not even what nobody sees; it begins before
 * its creator's next operation.  Two threads, so that the second creation starts the first.
 *
 * RUN    plait test -s dfs --hooks-only
 * EXPECT clean complete executions=1
 *
 * RUN    [dpor] plait test -s dpor --carrier=thread --hooks-only
 * EXPECT clean complete executions=1
 *
 * A creator that waits without an operation, and counts while it does: the new thread begins all
 * the same.
 *
 * RUN    -DWAITS plait test -s random -n 20 --hooks-only
 * EXPECT clean
 */
#include <assert.h>
#include <pthread.h>

static volatile int done;
#ifdef WAITS
static int rounds;
#endif

/* Accesses without a hook. */
static int unseen(const volatile int *p)
{
    int value;

    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(*p));
    return value;
}

static void *run(void *arg)
{
#ifdef WAITS
    done = 1;
#else
    __asm__ volatile("incl %0" : "+m"(*(int *)&done));
#endif
    return arg;
}

int main(void)
{
    pthread_t s, t;

    assert(pthread_create(&s, NULL, run, NULL) == 0);
    assert(unseen(&done) == 0);
#ifdef WAITS
    while (!done)
        rounds++;
#endif
    assert(pthread_create(&t, NULL, run, NULL) == 0);
#ifndef WAITS
    assert(unseen(&done) == 1);
#endif
    pthread_join(s, NULL);
    pthread_join(t, NULL);
#ifndef WAITS
    assert(unseen(&done) == 2);
#endif
    return 0;
}
