/* SPDX-License-Identifier: MIT */
/*
 * Threads block and unblock signals and leave it so.  main's mask at the start is that of the
 * root, and a new thread has the mask of its creator.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback
 *
 * RUN    plait test -s random -n 100 --restart fork
 * EXPECT clean restart=fork same=1
 *
 * RUN    plait test -s random -n 100 --restart exec
 * EXPECT clean restart=exec same=1
 *
 * RUN    native
 * EXPECT exit=0
 *
 * RUN    native twice
 * EXPECT exit=134 location~@fresh
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

static atomic_int turn;

static bool blocked(int number)
{
    sigset_t now;

    assert(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0);
    return sigismember(&now, number);
}

static void *thread(void *arg)
{
    sigset_t all;

    assert(blocked(SIGUSR1) && !blocked(SIGUSR2));
    turn++;
    sigfillset(&all);
    assert(pthread_sigmask(SIG_SETMASK, &all, NULL) == 0);
    turn++;
    assert(blocked(SIGUSR1) && blocked(SIGUSR2));
    return arg;
}

static void execution(void)
{
    sigset_t set;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(blocked(SIGUSR1) && !blocked(SIGUSR2)); /* @fresh */
    turn++;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    assert(sigprocmask(SIG_SETMASK, &set, NULL) == 0);
    turn++;
    assert(!blocked(SIGUSR1) && blocked(SIGUSR2));
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
}

int main(int argc, char **argv)
{
    sigset_t set;

    (void)argv;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
