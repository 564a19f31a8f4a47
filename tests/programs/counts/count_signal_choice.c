/* SPDX-License-Identifier: MIT */
/*
 * Another thread's signal may be the one that the first thread sends itself, or not.  That is
 * chosen where it is taken, and the order of what follows is searched for both choices: with them
 * and without, the end of the thread comes before a signal for the process or behind it.  So it
 * does if the signal comes later, and once more if that comes too late.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=7
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=7
 *
 * RUN    plait test -s dpor:classic
 * EXPECT clean complete classes=7
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=7
 */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

static atomic_int hits;

static void hit(int number)
{
    (void)number;
    hits++;
}

static void *sender(void *arg)
{
    raise(SIGUSR1);
    return arg;
}

int main(void)
{
    struct sigaction action = {.sa_handler = hit};
    pthread_t thread;
    sigset_t two;

    sigaction(SIGUSR1, &action, NULL);
    sigemptyset(&two);
    sigaddset(&two, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &two, NULL);
    pthread_create(&thread, NULL, sender, NULL);
    pthread_kill(thread, SIGUSR1);
    kill(getpid(), SIGUSR2);
    pthread_join(thread, NULL);
    return hits == 0;
}
