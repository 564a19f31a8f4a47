/* SPDX-License-Identifier: MIT */
/*
 * A signal that its target blocks changes nothing for what that does meanwhile: what counts is
 * whether the other signal, which is not blocked, comes before the end of the thread.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2 executions=3
 *
 * RUN    plait test -s dpor:classic
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int mine, hits;

static void hit(int number)
{
    (void)number;
    hits++;
}

static void *target(void *arg)
{
    mine++;
    mine++;
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit};
    pthread_t thread;
    sigset_t set;

    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, target, NULL);
    pthread_kill(thread, SIGUSR2);
    pthread_kill(thread, SIGUSR2);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, NULL);
    return mine != 2;
}
