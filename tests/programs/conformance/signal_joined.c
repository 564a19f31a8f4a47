/* SPDX-License-Identifier: MIT */
/*
 * A signal that is sent while the same one is pending is not sent at all.  So it may be with one
 * that the thread sends itself: another thread's has arrived, and is handled when both are there.
 * Of signals that are queued there are two, and of one that is raised when the other must have been
 * handled (-DAFTER).
 *
 * RUN    plait test -s dpor
 * EXPECT exit
 *
 * RUN    plait test -s dfs
 * EXPECT exit
 *
 * RUN    plait test
 * EXPECT exit
 *
 * RUN    -DNUMBER=SIGRTMIN plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DAFTER plait test -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef NUMBER
#define NUMBER SIGUSR1
#endif

static atomic_int hits;
static pthread_t first;

static void hit(int number)
{
    (void)number;
    hits++;
}

static void *sender(void *arg)
{
    pthread_kill(first, NUMBER);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit};
    pthread_t thread;

    sigaction(NUMBER, &action, NULL);
    first = pthread_self();
    pthread_create(&thread, NULL, sender, NULL);
#ifdef AFTER
    pthread_join(thread, NULL);
    raise(NUMBER);
#else
    raise(NUMBER);
    pthread_join(thread, NULL);
#endif
    return hits != 2;
}
