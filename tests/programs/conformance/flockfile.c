/* SPDX-License-Identifier: MIT */
/*
 * flockfile() keeps other threads' output out, also while its holder is switched
 * away from; the lock is recursive.
 *
 * RUN    plait test -s random -n 300
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int inside;

static void *print(void *arg)
{
    flockfile(stdout);
    assert(++inside == 1);
    puts("one");
    assert(--inside == 0);
    funlockfile(stdout);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, print, NULL);
    flockfile(stdout);
    print(NULL);
    funlockfile(stdout);
    pthread_join(t, NULL);
    assert(ftrylockfile(stdout) == 0);
    funlockfile(stdout);
    return 0;
}
