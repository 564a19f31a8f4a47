/* SPDX-License-Identifier: MIT */
/*
 * raise() sends to the thread that calls it.  While main blocks the signal it stays pending for
 * main, also when another thread runs that does not block it; unblocked, main handles it.  An
 * execution that ends in between, by exit() in the other thread, leaves it pending.
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
#include <stdbool.h>
#include <stdlib.h>

static atomic_int turn;
static volatile int handled_by_main;
static pthread_t self;
static bool leave = true;

static void handle(int number)
{
    (void)number;
    assert(pthread_equal(pthread_self(), self));
    handled_by_main++;
}

static void *thread(void *arg)
{
    turn++;
    if (turn == 4 && leave) /* main has raised, and not yet unblocked */
        exit(0);
    turn++;
    return arg;
}

static void execution(void)
{
    sigset_t set;
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    turn++;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
    turn++;
    assert(raise(SIGUSR1) == 0);
    turn++;
    assert(handled_by_main == 0); /* @fresh */
    assert(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
    assert(handled_by_main == 1);
    assert(pthread_join(t, NULL) == 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    leave = argc == 1;
    self = pthread_self();
    signal(SIGUSR1, handle);
    execution();
    if (argc > 1)
        execution();
    return 0;
}
