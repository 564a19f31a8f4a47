/* SPDX-License-Identifier: MIT */
/*
 * What is freed is no block: the middle of one, in one interleaving.
 * -DSTACK=1: a variable on the stack.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT use-after-free|misuse exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT use-after-free|misuse exit=1
 *
 * RUN    -DSTACK=1 -Wno-free-nonheap-object plait test -s dfs
 * EXPECT use-after-free|misuse exit=1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(char *) position;

static void *advance(void *arg)
{
    char *p = position;

    position = p + 1;
    return arg;
}

int main(void)
{
    pthread_t t;
#ifdef STACK
    char local[8];

    position = local;
#else
    position = malloc(8);
#endif
    pthread_create(&t, NULL, advance, NULL);
    free(position); /* @bug */
    pthread_join(t, NULL);
    return 0;
}
