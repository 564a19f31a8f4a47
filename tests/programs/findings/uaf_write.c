/* SPDX-License-Identifier: MIT */
/*
 * A block is written after realloc has moved it away.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT use-after-free exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT use-after-free exit=1 location~@bug
 */
#include <pthread.h>
#include <stdlib.h>

static void *writer(void *arg)
{
    volatile char *block = arg;

    block[0] = 1; /* @bug */
    return NULL;
}

int main(void)
{
    char *block = malloc(16), *larger;
    pthread_t t;

    pthread_create(&t, NULL, writer, block);
    larger = realloc(block, 4096);
    pthread_join(t, NULL);
    free(larger);
    return 0;
}
