/* SPDX-License-Identifier: MIT */
/*
 * A thread waits for a signal that it has not blocked: until it waits, the signal is as deadly as
 * anywhere, or its handler runs (-DHANDLED), and then nobody is left to wake the thread.
 * -DBLOCKED: it is blocked, and comes only to who waits.
 *
 * RUN    plait test -s dpor
 * EXPECT crash
 *
 * RUN    plait test -s dfs
 * EXPECT crash
 *
 * RUN    -DHANDLED plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    -DBLOCKED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DBLOCKED plait test -s dfs
 * EXPECT clean complete
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void handle(int number)
{
    (void)number;
}

static void block(void)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static void *await(void *arg)
{
    sigset_t set;
    int number;

    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigwait(&set, &number);
    return arg;
}

int main(void)
{
    pthread_t thread;

#ifdef HANDLED
    signal(SIGTERM, handle);
#else
    (void)handle;
#endif
#ifdef BLOCKED
    block();
    pthread_create(&thread, NULL, await, NULL);
#else
    pthread_create(&thread, NULL, await, NULL);
    block();
#endif
    kill(getpid(), SIGTERM);
    pthread_join(thread, NULL);
    return 0;
}
