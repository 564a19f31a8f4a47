/* SPDX-License-Identifier: MIT */
/*
 * A reader that asks for the write lock without giving up its read lock waits
 * for itself; two of them wait for each other.  With -DFIXED=1 it gives up the
 * read lock and tests again under the write lock.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock exit=1
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
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cache, computed;

static void fill(void)
{
    bool empty;

    pthread_rwlock_rdlock(&lock);
    empty = cache == 0;
    if (FIXED || !empty)
        pthread_rwlock_unlock(&lock);
    if (!empty)
        return;
    pthread_rwlock_wrlock(&lock);
    if (cache == 0) {
        cache = 42;
        computed++;
    }
    pthread_rwlock_unlock(&lock);
}

static void *reader(void *arg)
{
    fill();
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, reader, NULL);
    fill();
    pthread_join(t, NULL);
    assert(cache == 42 && computed == 1);
    return 0;
}
