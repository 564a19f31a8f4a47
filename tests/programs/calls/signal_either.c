/* SPDX-License-Identifier: MIT */
/*
 * A thread that waits for a signal has sent one to the process itself, and main sends one to the
 * thread.  Either lets it go on, so main may come before the wait or behind it.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 */
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *take(void *arg)
{
    sigset_t set;
    int got;

    kill(getpid(), SIGUSR2);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    sigwait(&set, &got);
    return arg;
}

int main(void)
{
    pthread_t t;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&t, NULL, take, NULL);
    pthread_kill(t, SIGUSR2);
    pthread_join(t, NULL);
    return 0;
}
