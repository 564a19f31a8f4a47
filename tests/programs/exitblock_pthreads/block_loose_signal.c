/* SPDX-License-Identifier: MIT */
/*
 * A signal that is sent without the mutex may come between the check and the wait of another.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT deadlock complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT deadlock complete
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    int there = ready;
    pthread_mutex_unlock(&n);
    if (!there)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&n);
    ready = 1;
    pthread_mutex_unlock(&n);
    pthread_cond_signal(&c);
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
