/* SPDX-License-Identifier: MIT */
/*
 * Peterson's lock.  It is held in 2 orders with one entry each, in 6 with two; what ends a wait is
 * one of two looks, at what one of several stores has written: 4 and 48 classes, each with a line
 * of its own where all that is told apart (docs/design/spin-loops.md).  Samples have more: looks
 * that did not end a wait are not always known as such.
 *
 * RUN    [O2] plait test -s dpor -- 1
 * EXPECT clean complete classes=4 exit=0
 *
 * RUN    [O2] plait test -s dpor -- 2
 * EXPECT clean complete classes=48 exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_int flag[2], turn;
static int entries, inside;

static void *enter(void *arg)
{
    int me = arg != NULL;

    for (int i = 0; i < entries; i++) {
        atomic_store(&flag[me], 1);
        atomic_store(&turn, !me);
        while (atomic_load(&flag[!me]) && atomic_load(&turn) != me)
            ;
        assert(inside++ == 0);
        inside--;
        atomic_store(&flag[me], 0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t t;

    entries = argc > 1 ? atoi(argv[1]) : 1;
    pthread_create(&t, NULL, enter, &inside);
    enter(NULL);
    return pthread_join(t, NULL);
}
