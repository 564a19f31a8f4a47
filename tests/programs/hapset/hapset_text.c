/* SPDX-License-Identifier: MIT */
/*
 * How far a text is read depends on what it goes before: without the second store the first one
 * lies behind its end, and has nothing to do with it.
 *
 * RUN    plait test -s hapset:then=dpor
 * EXPECT clean complete classes=2 executions=3
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 */
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

static char text[8] = "1";

static void *grow(void *arg)
{
    text[2] = '3';
    text[1] = '2';
    return arg;
}

static void *copy(void *arg)
{
    char to[16];

    return snprintf(to, sizeof(to), "%s-", text) > 0 ? arg : NULL;
}

int main(void)
{
    pthread_t threads[2];

    pthread_create(&threads[0], NULL, grow, NULL);
    pthread_create(&threads[1], NULL, copy, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    return 0;
}
