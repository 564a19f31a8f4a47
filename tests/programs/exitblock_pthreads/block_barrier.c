/* SPDX-License-Identifier: MIT */
/*
 * Before a barrier, behind it, and who is told to be the serial thread.
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

static pthread_barrier_t barrier;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, serial;

static void *meet(void *number)
{
    int n = *(int *)number;

    pthread_mutex_lock(&m);
    x = x * 10 + n;
    pthread_mutex_unlock(&m);
    if (pthread_barrier_wait(&barrier) != 0) {
        pthread_mutex_lock(&m);
        serial = n;
        pthread_mutex_unlock(&m);
    }
    pthread_mutex_lock(&m);
    x = x * 10 + n;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    static int numbers[] = {1, 2};
    pthread_t a, b;

    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&a, NULL, meet, &numbers[0]);
    pthread_create(&b, NULL, meet, &numbers[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", x, serial);
    return 0;
}
