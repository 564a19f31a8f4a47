/* SPDX-License-Identifier: MIT */
/*
 * Two threads take two stamps each: their order is one of 4!/(2! 2!) = 6, and each is seen.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete classes=6 exit=0
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete classes=6 exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

static long stamp[2][2];

static void *take(void *arg)
{
    intptr_t me = (intptr_t)arg;

    for (int i = 0; i < 2; i++) {
        struct timespec now;

        clock_gettime(CLOCK_MONOTONIC, &now);
        stamp[me][i] = now.tv_sec * 1000000000L + now.tv_nsec;
    }
    return NULL;
}

int main(void)
{
    pthread_t t[2];
    int before = 0;

    for (intptr_t i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, take, (void *)i);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    for (int i = 0; i < 4; i++)
        before = 2 * before + (stamp[0][i / 2] < stamp[1][i % 2]);
    printf("%d\n", before);
    return 0;
}
