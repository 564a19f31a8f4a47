/* SPDX-License-Identifier: MIT */
/*
 * A handler may come between any two accesses of its thread, also to memory that nobody else uses,
 * unless the signal is blocked meanwhile.  While it runs its signal is blocked in that thread
 * alone.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1 location~@torn
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1 location~@torn
 *
 * RUN    -DBLOCK=1 plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    -DBLOCK=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s exitblock
 * EXPECT clean incomplete ended~interrupts.a.block
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <signal.h>

#ifndef BLOCK
#define BLOCK 0
#endif

static volatile sig_atomic_t debit, credit, torn;

static int is_blocked(void)
{
    sigset_t now;

    pthread_sigmask(SIG_BLOCK, NULL, &now);
    return sigismember(&now, SIGUSR1);
}

static void audit(int number)
{
    (void)number;
    assert(is_blocked());
    torn |= debit != credit;
}

static void *book(void *arg)
{
    sigset_t set;

    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (BLOCK)
        pthread_sigmask(SIG_BLOCK, &set, NULL);
    debit = 1;
    credit = 1;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(!is_blocked());
    return arg;
}

int main(void)
{
    pthread_t t;

    signal(SIGUSR1, audit);
    pthread_create(&t, NULL, book, NULL);
    pthread_kill(t, SIGUSR1);
    assert(!is_blocked());
    pthread_join(t, NULL);
    assert(!torn); /* @torn */
    return 0;
}
