/* SPDX-License-Identifier: MIT */
/*
 * Whether a thread has ended is looked at.
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
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *body(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, body, NULL);
    pthread_mutex_lock(&m);
    int seen = x;

    pthread_mutex_unlock(&m);
    int ended = pthread_tryjoin_np(t, NULL) == 0;

    printf("%d %d\n", seen, ended);
    if (!ended)
        pthread_join(t, NULL);
    return 0;
}
