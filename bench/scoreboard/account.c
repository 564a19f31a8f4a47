/* SPDX-License-Identifier: MIT */
/*
 * account: a deposit, a withdrawal and a check of the balance, each a thread and each under the
 * lock.  The check expects the sum of somebody who has mistaken the deposit for a withdrawal, which
 * shows only when it comes last.
 *
 * Described in: SCTBench (Thomson, Donaldson, Betts, "Concurrency testing using controlled
 * schedulers", TOPC 2016), CS.account.
 *
 * BUG: the check comes after both changes
 * KIND: bug
 * FINDS: assertion
 * PREEMPTIONS: 0
 * ORDER: @deposit before @check and @withdraw before @check
 */
#include "threads.h"

#include <assert.h>
#include <stdbool.h>

enum { START = 1, IN = 2, OUT = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = START;
static bool deposited, withdrawn;

static void *deposit(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock); /* @deposit */
    balance += IN;
    deposited = true;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *withdraw(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock); /* @withdraw */
    balance -= OUT;
    withdrawn = true;
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *check(void *arg)
{
    (void)arg;
    pthread_mutex_lock(&lock); /* @check */
    if (deposited && withdrawn) {
#ifdef FIXED
        assert(balance == START + IN - OUT);
#else
        assert(balance == START - IN - OUT);
#endif
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    thread_start(check, 0);
    thread_start(deposit, 0);
    thread_start(withdraw, 0);
    threads_join();
    return 0;
}
