/* SPDX-License-Identifier: MIT */
/*
 * A barrier opens while a handler interrupts one that waits there.  Which of the two is the serial
 * thread is as open as ever, and the handler is what it would have been.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=5 executions=6
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=5
 *
 * Whoever comes back to the barrier while the last one handles a signal there may do so later: the
 * last one waits for those only who came before it.
 *
 * RUN    -DBACK plait test -s dpor -k --expect-exit=0,1
 * EXPECT deadlock complete classes=31
 *
 * RUN    -DBACK plait test -s dfs -k --expect-exit=0,1
 * EXPECT deadlock complete classes=31
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int hits, serial;
static pthread_barrier_t barrier;
static pthread_t first;

static void hit(int number)
{
    (void)number;
    hits++;
}

static void pass(void)
{
    if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD)
        serial++;
}

static void *waits(void *arg)
{
    pass();
#ifdef BACK
    pthread_kill(first, SIGUSR1);
    pass();
#endif
    return arg;
}

int main(void)
{
    pthread_t thread;

    first = pthread_self();
    signal(SIGUSR1, hit);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, waits, NULL);
    pthread_kill(thread, SIGUSR1);
    pass();
#ifdef BACK
    pthread_kill(thread, SIGUSR1);
#endif
    pthread_join(thread, NULL);
    return serial != 1 || hits > 1;
}
