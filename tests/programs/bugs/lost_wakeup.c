/* SPDX-License-Identifier: MIT */
/*
 * A waiter that tests the flag before it takes the lock can miss the only
 * signal.  With -DFIXED=1 it tests again under the lock.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock threads=2 exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock exit=1
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
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static atomic_bool flag;

static void *waiter(void *arg)
{
    bool wait = !flag; /* the bug: a signal may come before the lock */

    pthread_mutex_lock(&lock);
    if (FIXED)
        wait = !flag;
    while (wait) {
        pthread_cond_wait(&changed, &lock);
        wait = !flag;
    }
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    flag = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return pthread_join(t, NULL);
}
