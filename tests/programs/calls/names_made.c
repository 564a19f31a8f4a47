/* SPDX-License-Identifier: MIT */
/*
 * Three threads make a folder, look for it and remove it.  A call that never waits does as much in
 * whatever order it comes: a search that plans it as one that only looks takes orders for others.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=52
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=52 executions=52
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=52 executions=52
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void *make(void *arg)
{
    intptr_t seen = mkdir("made", 0700) == 0;

    return (void *)(seen << 1 | (access("made", F_OK) == 0));
}

static void *end(void *arg)
{
    intptr_t seen = access("made", F_OK) == 0;

    return (void *)(seen << 1 | (rmdir("made") == 0));
}

int main(void)
{
    pthread_t a, b;
    void *x, *y, *z;

    pthread_create(&a, NULL, make, NULL);
    pthread_create(&b, NULL, end, NULL);
    z = make(NULL);
    pthread_join(a, &x);
    pthread_join(b, &y);
    printf("%ld %ld %ld\n", (long)x, (long)y, (long)z);
    rmdir("made");
    return 0;
}
