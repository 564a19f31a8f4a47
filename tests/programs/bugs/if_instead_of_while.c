/* SPDX-License-Identifier: MIT */
/*
 * A consumer that tests with `if` before it waits believes that a wake-up means
 * an item.  Between the signal and its return from the wait another thread can
 * take the item.  With -DFIXED=1 it tests again in a `while` loop.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion exit=1 message~items >= 0 location~@bug
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
#include <stdbool.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static int items;

static void *consumer(void *arg)
{
    pthread_mutex_lock(&lock);
    if (FIXED) {
        while (items == 0)
            pthread_cond_wait(&filled, &lock);
    } else {
        if (items == 0)
            pthread_cond_wait(&filled, &lock);
    }
    items--;
    assert(items >= 0); /* @bug */
    pthread_mutex_unlock(&lock);
    return arg;
}

static void put(void)
{
    pthread_mutex_lock(&lock);
    items++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static bool take_if_any(void)
{
    bool any;

    pthread_mutex_lock(&lock);
    any = items > 0;
    if (any)
        items--;
    pthread_mutex_unlock(&lock);
    return any;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, consumer, NULL);
    put();
    if (take_if_any())
        put();
    pthread_join(t, NULL);
    return 0;
}
