/* SPDX-License-Identifier: MIT */
/*
 * A compare-exchange that expects the address of a block which has been freed meanwhile: malloc()
 * could have given the same address to the other thread, and the exchange would take the new block
 * for the old one.  Freed blocks are not used again so soon here, so a search says that it is not
 * about that.  -DKEPT: nobody frees what is expected.
 *
 * RUN    plait test -s dpor --detect -use-after-free
 * EXPECT clean incomplete ended~that.expects.a.freed.address.at.*freed_again.c
 *
 * RUN    plait test -s dfs --detect -use-after-free
 * EXPECT clean incomplete ended~that.expects.a.freed.address.at.*freed_again.c
 *
 * RUN    -DKEPT plait test -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static _Atomic(int *) top;

static void *replace(void *arg)
{
    int *old = atomic_exchange(&top, NULL);

#ifndef KEPT
    free(old);
#else
    (void)old;
#endif
    atomic_store(&top, malloc(sizeof(int)));
    return arg;
}

int main(void)
{
    static int other;
    pthread_t thread;

    atomic_store(&top, malloc(sizeof(int)));
    pthread_create(&thread, NULL, replace, NULL);
    int *seen = atomic_load(&top);

    atomic_compare_exchange_strong(&top, &seen, &other);
    pthread_join(thread, NULL);
    return 0;
}
