/* SPDX-License-Identifier: MIT */
/*
 * Two threads free the same block when both find it there.  With -DFIXED=1 an
 * exchange decides who does.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT use-after-free exit=1 message~free location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT use-after-free exit=1
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef FIXED
#define FIXED 0
#endif

static _Atomic(char *) block;

static void *drop(void *arg)
{
    char *mine;

    if (FIXED) {
        mine = atomic_exchange(&block, NULL);
    } else {
        mine = block;
        block = NULL;
    }
    if (mine != NULL)
        free(mine); /* @bug */
    return arg;
}

int main(void)
{
    pthread_t t;

    block = malloc(8);
    pthread_create(&t, NULL, drop, NULL);
    drop(NULL);
    pthread_join(t, NULL);
    return 0;
}
