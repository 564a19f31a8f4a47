/* SPDX-License-Identifier: MIT */
/*
 * A wait that may return for no reason: the check must be made again.
 *
 * RUN    plait test -s dfs --keep-going --spurious
 * EXPECT assertion complete
 *
 * RUN    plait test -s exitblock:plain --keep-going --spurious
 * EXPECT assertion complete
 *
 * RUN    plait test -s exitblock:rw --keep-going --spurious
 * EXPECT assertion complete
 *
 * RUN    plait test -s exitblock:dd --keep-going --spurious
 * EXPECT assertion complete
 *
 * RUN    plait test -s exitblock --keep-going --spurious
 * EXPECT assertion complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    if (!ready)
        pthread_cond_wait(&c, &m);
    assert(ready);
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
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
