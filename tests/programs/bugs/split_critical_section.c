/* SPDX-License-Identifier: MIT */
/*
 * Every access is locked, but reading and writing back are two critical
 * sections: what another thread adds in between is overwritten.  With
 * -DFIXED=1 one critical section covers both.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion preemptions=1 minimal=proven exit=1 message~balance == 30 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance;

static void deposit(int amount)
{
    int old;

    pthread_mutex_lock(&lock);
    old = balance;
    if (!FIXED) {
        pthread_mutex_unlock(&lock);
        pthread_mutex_lock(&lock);
    }
    balance = old + amount;
    pthread_mutex_unlock(&lock);
}

static void *depositor(void *arg)
{
    deposit(20);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, depositor, NULL);
    deposit(10);
    pthread_join(t, NULL);
    assert(balance == 30); /* @bug */
    return 0;
}
