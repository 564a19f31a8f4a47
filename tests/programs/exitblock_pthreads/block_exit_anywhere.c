/* SPDX-License-Identifier: MIT */
/*
 * A thread that ends the program: others may or may not have done something before.
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
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    puts("first");
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    int seen = x;
    pthread_mutex_unlock(&m);
    if (seen == 0)
        exit(0);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    puts("done");
    return 0;
}
