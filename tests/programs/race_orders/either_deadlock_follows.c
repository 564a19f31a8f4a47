/* SPDX-License-Identifier: MIT */
/*
 * In one order the reader waits for a signal that has been given already.
 *
 * RUN plait test --detect +race -s random -n 1 --seed 2
 * EXPECT race confirmed=yes effect=failure
 */
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int set;

static void *one(void *unused)
{
    set = 1;
    return unused;
}

static void *two(void *unused)
{
    if (set)
        return unused;
    pthread_mutex_lock(&m);
    pthread_cond_wait(&ready, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
