/* SPDX-License-Identifier: MIT */
/*
 * A sequence lock: the reader takes what it read only if the sequence number
 * was even and has not changed.  -DBROKEN=1 does not look at it again, so the
 * reader may see half of a write.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DBROKEN=1 plait test -s random -n 2000
 * EXPECT assertion exit=1 location~@bug
 *
 * RUN    -DBROKEN=1 plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef BROKEN
#define BROKEN 0
#endif

static atomic_uint sequence;
static volatile int low, high; /* equal outside of a write */

static void *writer(void *arg)
{
    atomic_fetch_add(&sequence, 1);
    low = 1;
    high = 1;
    atomic_fetch_add(&sequence, 1);
    return arg;
}

static void reader(void)
{
    unsigned before;
    int a, b;

    do {
        before = sequence;
        a = low;
        b = high;
    } while (before % 2 != 0 || (!BROKEN && sequence != before));
    assert(a == b); /* @bug */
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, writer, NULL);
    reader();
    pthread_join(t, NULL);
    return 0;
}
