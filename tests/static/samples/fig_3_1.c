/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 3.1: four pairs, one of each fate; what is under the common lock is none.
 *
 * PAIRS 4 pairs: 3 RW, 1 MM
 * PAIR RW v1
 * PAIR RW v2[]
 * PAIR MM v3.lock
 * PAIR RW v4
 * NONE v3.val
 */
#include <pthread.h>

int v1, v2[4], v4 = 1, one = 1, two = 2, result, never;
struct {
    pthread_mutex_t lock;
    int val;
} v3 = {PTHREAD_MUTEX_INITIALIZER, 0};

static void *t1(void *arg)
{
    int sum = v1 + v2[one];

    pthread_mutex_lock(&v3.lock);
    v3.val++;
    pthread_mutex_unlock(&v3.lock);
    result = sum / v4;
    return arg;
}

static void *t2(void *arg)
{
    if (never)
        v1 = 1;
    v2[two] = 1;
    pthread_mutex_lock(&v3.lock);
    v3.val++;
    pthread_mutex_unlock(&v3.lock);
    v4 = 0;
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
