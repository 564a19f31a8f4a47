/* SPDX-License-Identifier: MIT */
/*
 * A mutex is locked after it has been destroyed.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT misuse exit=1
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock;
static atomic_int finished;

static void *late(void *arg)
{
    if (finished) {
        pthread_mutex_lock(&lock); /* @bug */
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_mutex_init(&lock, NULL);
    pthread_create(&t, NULL, late, NULL);
    pthread_mutex_destroy(&lock);
    finished = 1;
    pthread_join(t, NULL);
    return 0;
}
