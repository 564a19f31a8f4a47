/* SPDX-License-Identifier: MIT */
/*
 * A signal that comes while its handler runs already comes when that returns, as one that comes
 * then: no class of its own.  It comes before the thread sends itself the same, or together with
 * that, and there is only one; or behind that, before the other thread has ended or after.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=4 executions=5
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 *
 * RUN    -DTIMES=2 plait test -s dpor
 * EXPECT clean complete classes=6 executions=7
 *
 * RUN    -DTIMES=2 plait test -s dfs
 * EXPECT clean complete classes=6
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef TIMES
#define TIMES 1
#endif

static atomic_int hits;
static pthread_t first;

static void hit(int number)
{
    (void)number;
    hits++;
}

__attribute__((no_sanitize("thread"))) static void *sender(void *arg)
{
    pthread_kill(first, SIGUSR1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit};
    pthread_t thread;

    sigaction(SIGUSR1, &action, NULL);
    first = pthread_self();
    pthread_create(&thread, NULL, sender, NULL);
    for (int i = 0; i < TIMES; i++)
        raise(SIGUSR1);
    pthread_join(thread, NULL);
    return hits < TIMES;
}
