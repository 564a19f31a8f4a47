/* SPDX-License-Identifier: MIT */
/*
 * Double-checked locking that publishes the flag before the contents: a thread
 * that finds the flag set, and so does not lock, sees an empty object.  This
 * fails even under sequential consistency.  With -DFIXED=1 the contents come
 * first.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion preemptions=1 minimal=proven exit=1 message~value == 42 location~@bug
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
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int ready;
static volatile int value;

static void initialise(void)
{
    if (ready)
        return;
    pthread_mutex_lock(&lock);
    if (!ready) {
        if (FIXED) {
            value = 42;
            ready = 1;
        } else {
            ready = 1;
            value = 42;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void *user(void *arg)
{
    initialise();
    assert(value == 42); /* @bug */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, user, NULL);
    user(NULL);
    pthread_join(t, NULL);
    return 0;
}
