/* SPDX-License-Identifier: MIT */
/*
 * A trylock sees that a lock is held, which no order of lock exits alone would show.
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
static int x, failed, seen;

static void *first(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_lock(&n);
    x = 2;
    pthread_mutex_unlock(&n);
    x = 3;
    pthread_mutex_unlock(&m);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        if (pthread_mutex_trylock(&m) != 0) {
            failed++;
            continue;
        }
        seen = seen * 10 + x;
        pthread_mutex_unlock(&m);
    }
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d %d\n", x, failed, seen);
    return 0;
}
