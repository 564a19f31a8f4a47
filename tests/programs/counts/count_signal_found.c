/* SPDX-License-Identifier: MIT */
/*
 * A signal that a thread blocks is found by a look at its descriptor.  The look comes before the
 * first that is sent, between the two or behind them: as many classes, whichever search counts,
 * though the second one makes no difference.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=3 executions=4
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 */
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>

static int signals;

static void *look(void *arg)
{
    struct pollfd p = {.fd = signals, .events = POLLIN};

    poll(&p, 1, 0);
    return arg;
}

int main(void)
{
    pthread_t thread;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    signals = signalfd(-1, &set, 0);
    pthread_create(&thread, NULL, look, NULL);
    pthread_kill(thread, SIGUSR2);
    pthread_kill(thread, SIGUSR2);
    pthread_join(thread, NULL);
    return signals < 0;
}
