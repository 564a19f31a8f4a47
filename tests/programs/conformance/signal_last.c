/* SPDX-License-Identifier: MIT */
/*
 * A signal for the process that all block is seen by who asks what is pending, if that is still
 * there: also where the first execution sends it when the other thread has ended.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@bug
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

static void *looker(void *arg)
{
    sigset_t set;

    sigpending(&set);
    assert(!sigismember(&set, SIGUSR2)); /* @bug */
    return arg;
}

int main(void)
{
    pthread_t thread;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&thread, NULL, looker, NULL);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL); /* the other thread is over by then */
    kill(getpid(), SIGUSR2);
    pthread_join(thread, NULL);
    return 0;
}
