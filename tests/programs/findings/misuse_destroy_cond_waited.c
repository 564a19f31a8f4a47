/* SPDX-License-Identifier: MIT */
/*
 * A condition variable is destroyed while a thread waits on it.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT misuse exit=1
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed;
static int waits;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    waits = 1;
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;
    int destroy;

    pthread_cond_init(&changed, NULL);
    pthread_create(&t, NULL, waiter, NULL);
    pthread_mutex_lock(&lock);
    destroy = waits;
    pthread_mutex_unlock(&lock);
    if (destroy)
        pthread_cond_destroy(&changed); /* @bug */
    return 0;                           /* not joined: the wait may never end */
}
