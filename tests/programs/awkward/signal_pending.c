/* SPDX-License-Identifier: MIT */
/*
 * A signal is raised while it is blocked and still pending when the execution ends.  The next
 * execution must not find it pending, nor be hit by it when masks and handlers are put back:
 * SIGUSR1 has no handler at the root and would kill.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean executions=100 restart=rollback|fork why~signal
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
#include <unistd.h>

static atomic_int turn;

static void *thread(void *arg)
{
    turn++;
    turn++;
    return arg;
}

static void execution(void)
{
    sigset_t set, pending;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(sigpending(&pending) == 0);
    assert(!sigismember(&pending, SIGUSR1) && !sigismember(&pending, SIGUSR2)); /* @fresh */
    turn++;
    turn++;
    assert(pthread_join(t, NULL) == 0);
    assert(turn == 4);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGUSR2);
    assert(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
    assert(raise(SIGUSR1) == 0);
    assert(kill(getpid(), SIGUSR2) == 0);
    assert(sigpending(&pending) == 0);
    assert(sigismember(&pending, SIGUSR1) && sigismember(&pending, SIGUSR2));
}

int main(int argc, char **argv)
{
    (void)argv;
    execution();
    if (argc > 1)
        execution();
    return 0;
}
