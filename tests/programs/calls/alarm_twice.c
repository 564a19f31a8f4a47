/* SPDX-License-Identifier: MIT */
/*
 * Two threads set the one alarm of the process: each is told what the other had set, or nothing.
 * Nobody comes in between while the first is about to have a thread for it.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=0-5,9-0
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=0-5,9-0
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static unsigned before[2];

static void *soon(void *arg)
{
    before[0] = alarm(5);
    return arg;
}

static void *later(void *arg)
{
    before[1] = alarm(9);
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, soon, NULL);
    pthread_create(&b, NULL, later, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    alarm(0);
    printf("%u-%u\n", before[0], before[1]);
    return 0;
}
