/* SPDX-License-Identifier: MIT */
/*
 * A signal that is ignored when it is sent makes no difference, wherever its thread is: also where
 * that is about to run a handler, or does.  What counts is who is first: sending to oneself and
 * handling look at what is to be done, each once, and saying so is two steps.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=6 executions=7
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    -DAGAIN plait test -s dpor
 * EXPECT clean incomplete ended~but.for.*handles.again.what.was.ignored
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int hits;

static void hit(int number)
{
    (void)number;
    hits++;
}

static void *sends(void *arg)
{
    raise(SIGUSR1);
    return arg;
}

int main(void)
{
    pthread_t thread;

    signal(SIGUSR1, hit);
    pthread_create(&thread, NULL, sends, NULL);
    signal(SIGUSR1, SIG_IGN);
    pthread_kill(thread, SIGUSR1);
#ifdef AGAIN
    signal(SIGUSR1, hit);
#endif
    pthread_join(thread, NULL);
    return hits > 2;
}
