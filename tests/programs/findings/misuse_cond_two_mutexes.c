/* SPDX-License-Identifier: MIT */
/*
 * Two threads wait on one condition variable with different mutexes at the same
 * time.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT misuse exit=1 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT misuse exit=1
 */
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int go;

static void *waiter(void *arg)
{
    pthread_mutex_t *mine = arg;

    pthread_mutex_lock(mine);
    if (!go)
        pthread_cond_wait(&changed, mine); /* @bug */
    pthread_mutex_unlock(mine);
    return NULL;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, waiter, &a);
    pthread_create(&u, NULL, waiter, &b);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    go = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
