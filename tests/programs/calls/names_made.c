/* SPDX-License-Identifier: MIT */
/*
 * Three threads make a folder, look for it and remove it.  A call that never waits does as much in
 * whatever order it comes: a search that plans it as one that only looks takes orders for others.
 *
 * All interleavings are 32,242: that they have 52 classes too is for who has the time.
 *
 * RUN    -DONCE plait test -s dfs
 * EXPECT clean complete classes=26
 *
 * RUN    -DONCE plait test -s dpor
 * EXPECT clean complete classes=26
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=52
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=52
 */
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static void *make(void *arg)
{
    *(int *)arg = mkdir("made", 0700) == 0;
    *(int *)arg |= (access("made", F_OK) == 0) << 1;
    return NULL;
}

static void *end(void *arg)
{
    *(int *)arg = access("made", F_OK) == 0;
    *(int *)arg |= (rmdir("made") == 0) << 1;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int seen[3];

    pthread_create(&a, NULL, make, &seen[0]);
    pthread_create(&b, NULL, end, &seen[1]);
#ifdef ONCE
    seen[2] = mkdir("made", 0700) == 0;
#else
    make(&seen[2]);
#endif
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d %d\n", seen[0], seen[1], seen[2]);
    rmdir("made");
    return 0;
}
