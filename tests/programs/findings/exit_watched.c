/* SPDX-License-Identifier: MIT */
/*
 * Somebody sends a signal to a thread, so that exits of threads are points.  Then there are two
 * choices where a thread exits: whether it does so now, and who goes on afterwards.  A replay
 * must tell them apart, for exits before the signal, too, although it does not know of it yet.  So
 * must what makes a schedule minimal.
 *
 * RUN    plait test -s random
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s random --seed 5
 * EXPECT assertion exit=1 preemptions=1 minimal=proven
 *
 * RUN    plait test -s random --seed 13
 * EXPECT assertion exit=1 preemptions=1 minimal=proven
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s pcb
 * EXPECT assertion exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int first, second;

static void *await_signal(void *set)
{
    int signo;

    sigwait(set, &signo);
    return NULL;
}

static void *leave(void *arg)
{
    return arg;
}

static void *set_both(void *arg)
{
    first = 1;
    second = 1;
    return arg;
}

int main(void)
{
    pthread_t waiter, brief, setter;
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    pthread_create(&brief, NULL, leave, NULL);
    pthread_create(&waiter, NULL, await_signal, &set);
    pthread_create(&setter, NULL, set_both, NULL);
    pthread_join(brief, NULL);
    pthread_kill(waiter, SIGUSR1);
    pthread_join(waiter, NULL);

    int one = first;
    int two = second;

    pthread_join(setter, NULL);
    assert(one == two);
    return 0;
}
