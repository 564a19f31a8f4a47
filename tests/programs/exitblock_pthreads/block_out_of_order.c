/* SPDX-License-Identifier: MIT */
/*
 * Locks that are given up in the order in which they were taken.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static int x, y, seen;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_lock(&n);
    y = 1;
    pthread_mutex_unlock(&m);
    y = 2;
    pthread_mutex_unlock(&n);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    seen = x;
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&n);
    seen = seen * 10 + y;
    y = 3;
    pthread_mutex_unlock(&n);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", seen, y);
    return 0;
}
