/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 2.3: consistent locking, and still not atomic: only the locks are pairs.
 *
 * PAIRS 2 pairs: 2 MM
 * NONE a.val
 */
#include <pthread.h>

struct {
    pthread_mutex_t lock;
    int val;
} a = {PTHREAD_MUTEX_INITIALIZER, 0};
int r;

static void *t1(void *arg)
{
    pthread_mutex_lock(&a.lock);
    a.val = 1;
    pthread_mutex_unlock(&a.lock);
    pthread_mutex_lock(&a.lock);
    a.val += 1;
    pthread_mutex_unlock(&a.lock);
    return arg;
}

static void *t2(void *arg)
{
    pthread_mutex_lock(&a.lock);
    r = a.val;
    pthread_mutex_unlock(&a.lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, t1, NULL);
    pthread_create(&t[1], NULL, t2, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
