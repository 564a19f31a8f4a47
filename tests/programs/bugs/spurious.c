/* SPDX-License-Identifier: MIT */
/*
 * One waiter, one signal, and `if` instead of `while`: right as long as every
 * wake-up has a signal, which POSIX does not promise.  Found only with
 * --spurious.  With -DFIXED=1 the waiter tests again.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    plait test -s random -n 2000 --spurious
 * EXPECT assertion exit=1 message~ready location~@bug
 *
 * RUN    plait test -s dfs --spurious
 * EXPECT assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000 --spurious
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs --spurious
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool ready;

static void *announcer(void *arg)
{
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, announcer, NULL);
    pthread_mutex_lock(&lock);
    if (FIXED) {
        while (!ready)
            pthread_cond_wait(&changed, &lock);
    } else {
        if (!ready)
            pthread_cond_wait(&changed, &lock);
    }
    assert(ready); /* @bug */
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
