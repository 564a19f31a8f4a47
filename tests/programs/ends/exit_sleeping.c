/* SPDX-License-Identifier: MIT */
/*
 * The process ends while a thread sleeps, and signals are used: nobody has what a sleep waits for.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s hapset:then=dpor
 * EXPECT clean complete
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_int rested;

static void ignore(int signo)
{
    (void)signo;
}

static void *rest(void *arg)
{
    usleep(200);
    rested = 1;
    return arg;
}

int main(void)
{
    pthread_t other;

    signal(SIGUSR1, ignore);
    pthread_create(&other, NULL, rest, NULL);
    pthread_kill(other, SIGUSR1);
    exit(rested != 0 && rested != 1);
}
