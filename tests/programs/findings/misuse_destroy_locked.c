/* SPDX-License-Identifier: MIT */
/*
 * A mutex is destroyed while another thread may hold it.  With -DFIXED=1 the
 * thread is joined first.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@bug|@late
 *
 * RUN    plait test -s dfs
 * EXPECT misuse exit=1
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 */
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock;
static atomic_int value;

static void *other(void *arg)
{
    pthread_mutex_lock(&lock); /* @late */
    value = 1;
    pthread_mutex_unlock(&lock); /* @late */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, other, NULL);
    if (FIXED)
        pthread_join(t, NULL);
    pthread_mutex_destroy(&lock); /* @bug */
    if (!FIXED)
        pthread_join(t, NULL);
    return 0;
}
