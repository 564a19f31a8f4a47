/* SPDX-License-Identifier: MIT */
/*
 * Waiting in one loop after the other, each of which counts its rounds: what compilers make of one
 * loop by unrolling another around it.  That the first one does not end by itself says nothing
 * about the last, where an exhaustive search stayed for ever.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete exit=0 ended~at.most.three.times
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int head, tail;
static int ring[2];
static long full, empty;

#define PUT(i)                                           \
    while (atomic_load(&head) - atomic_load(&tail) == 2) \
        full++;                                          \
    ring[(i) % 2] = (i);                                 \
    atomic_fetch_add(&head, 1)

#define TAKE(i)                                      \
    while (atomic_load(&head) == atomic_load(&tail)) \
        empty++;                                     \
    assert(ring[(i) % 2] == (i));                    \
    atomic_fetch_add(&tail, 1)

static void *put(void *arg)
{
    PUT(0);
    PUT(1);
    PUT(2);
    PUT(3);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, put, NULL);
    TAKE(0);
    TAKE(1);
    TAKE(2);
    TAKE(3);
    return pthread_join(t, NULL);
}
