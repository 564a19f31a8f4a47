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
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int hits, serial;
static pthread_barrier_t barrier;

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
    return arg;
}

int main(void)
{
    pthread_t thread;

    signal(SIGUSR1, hit);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, waits, NULL);
    pthread_kill(thread, SIGUSR1);
    pass();
    pthread_join(thread, NULL);
    return serial != 1 || hits > 1;
}
