/* SPDX-License-Identifier: MIT */
/*
 * A round of a loop that was for nothing is no part of an execution, also if the only other thread
 * has ended before the round does.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=1
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static atomic_int first = 1, second = 1;

static void *ends(void *arg)
{
    first = 0;
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, ends, NULL);
    while (first && second)
        ;
    pthread_join(thread, NULL);
    return 0;
}
