/* SPDX-License-Identifier: MIT */
/*
 * A signal that finds its thread asleep ends the sleep.  Without the signal the thread would have
 * slept, which has nothing to do with what a third one looks at: that the sleep was never over does
 * not make it depend on everything.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=8 executions=9
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=8
 */
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void hit(int number)
{
    (void)number;
}

static void *look(void *arg)
{
    sigset_t set;

    sigpending(&set);
    return arg;
}

static void *rest(void *arg)
{
    usleep(200);
    return arg;
}

int main(void)
{
    pthread_t looker, sleeper;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signal(SIGUSR1, hit);
    signal(SIGUSR2, hit);
    pthread_create(&looker, NULL, look, NULL);
    pthread_create(&sleeper, NULL, rest, NULL);
    pthread_kill(sleeper, SIGUSR1);
    pthread_kill(looker, SIGUSR2);
    pthread_join(looker, NULL);
    pthread_join(sleeper, NULL);
    return 0;
}
