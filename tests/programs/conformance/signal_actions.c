/* SPDX-License-Identifier: MIT */
/*
 * Which handler runs is known when a signal is taken: another thread may change that before, also
 * if the thread sends the signal to itself.  -DRAISES: it does.  -DIGNORES: what is ignored then
 * was about to be taken by a thread, which has to do with whatever that does: said, not searched.
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete classes=4
 *
 * RUN    plait test -s dfs -k
 * EXPECT assertion complete classes=4
 *
 * RUN    -DRAISES=1 plait test -s dpor -k
 * EXPECT assertion complete classes=3
 *
 * RUN    -DRAISES=1 plait test -s dfs -k
 * EXPECT assertion complete classes=3
 *
 * RUN    -DIGNORES=1 plait test -s dpor
 * EXPECT clean incomplete ended~but.for.*takes.a.pending.signal.away
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef RAISES
#define RAISES 0
#endif
#ifndef IGNORES
#define IGNORES 0
#endif

static atomic_int second;

static void one(int number)
{
    (void)number;
}

static void two(int number)
{
    (void)number;
    second = 1;
}

static void *changes(void *arg)
{
    signal(SIGUSR1, IGNORES ? SIG_IGN : two);
    return arg;
}

static void *works(void *arg)
{
    if (RAISES)
        raise(SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    signal(SIGUSR1, one);
    pthread_create(&threads[0], NULL, works, NULL);
    if (!RAISES)
        pthread_kill(threads[0], SIGUSR1);
    pthread_create(&threads[1], NULL, changes, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    assert(!second);
    return 0;
}
