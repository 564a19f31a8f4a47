/* SPDX-License-Identifier: MIT */
/*
 * Two threads add to a counter without a lock: both may read the same value,
 * and one addition is lost.  With -DFIXED=1 a mutex makes the addition atomic.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion preemptions=1 minimal=proven exit=1 message~counter == 2 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1 message~counter == 2 location~@bug
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
static int counter;

static void *add(void *arg)
{
    if (FIXED)
        pthread_mutex_lock(&lock);
    counter++;
    if (FIXED)
        pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); /* @bug */
    return 0;
}
