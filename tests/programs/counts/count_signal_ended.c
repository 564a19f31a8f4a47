/* SPDX-License-Identifier: MIT */
/*
 * pthread_sigqueue() fails when the thread has ended, also where its handle is still good and
 * pthread_kill() says nothing: who comes first shows, and with a signal that is blocked too.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=6 executions=7 exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=6 exit=0
 *
 * RUN    plait test -s dpor -- blocked
 * EXPECT clean complete classes=3 executions=4 exit=0
 *
 * RUN    -DNEVER plait test -s dpor -- blocked
 * EXPECT assertion
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>

static void hit(int number)
{
    (void)number;
}

static void *run(void *arg)
{
    return arg;
}

int main(int argc, char **argv)
{
    const union sigval value = {.sival_int = 1};
    pthread_t other;
    sigset_t set;

    (void)argv;
    signal(SIGUSR1, hit);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (argc > 1)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&other, NULL, run, NULL);
    int first = pthread_sigqueue(other, SIGUSR1, value), second = pthread_sigqueue(other, 0, value);

    assert(first == 0 || second == ESRCH);
#ifdef NEVER
    assert(first == 0);
#endif
    assert(pthread_kill(other, SIGUSR1) == 0);
    pthread_join(other, NULL);
    return 0;
}
