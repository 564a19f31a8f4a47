/* SPDX-License-Identifier: MIT */
/*
 * A block is read after another thread freed it.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT use-after-free exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT use-after-free exit=1 location~@bug
 */
#include <pthread.h>
#include <stdlib.h>

static volatile int sink;

static void *reader(void *arg)
{
    volatile int *numbers = arg;

    sink = numbers[3]; /* @bug */
    return NULL;
}

int main(void)
{
    int *numbers = calloc(4, sizeof(int));
    pthread_t t;

    pthread_create(&t, NULL, reader, numbers);
    free(numbers);
    pthread_join(t, NULL);
    return 0;
}
