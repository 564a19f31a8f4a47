/* SPDX-License-Identifier: MIT */
/*
 * A thread that ends with a lock: misuse, and it is found whoever else runs.  Who goes on in spite
 * of it finds that the other thread waits for ever.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT misuse,deadlock
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT misuse,deadlock
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT misuse,deadlock
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT misuse,deadlock
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT misuse,deadlock
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    if (x == 0)
        return NULL; /* @held */
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    x = 1;
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
