/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 5.1: two accounts; one thread changes x under the lock of y.
 *
 * PAIRS 7 pairs: 5 RW, 2 MM
 * PAIR RW x.val
 * PAIR MM y.lock
 * NONE y.val
 * WHY 26 39 common lock: both hold y.lock
 */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int val;
};
static struct account x = {PTHREAD_MUTEX_INITIALIZER, 0}, y = {PTHREAD_MUTEX_INITIALIZER, 0};

static void *t1(void *arg)
{
    pthread_mutex_lock(&x.lock);
    x.val += 10;
    pthread_mutex_unlock(&x.lock);
    pthread_mutex_lock(&y.lock);
    y.val += 10;
    pthread_mutex_unlock(&y.lock);
    return arg;
}

static void *t2(void *arg)
{
    pthread_mutex_lock(&y.lock);
    x.val -= 10;
    if (y.val < 0)
        x.val = 0;
    pthread_mutex_unlock(&y.lock);
    pthread_mutex_lock(&y.lock);
    y.val -= 10;
    pthread_mutex_unlock(&y.lock);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], NULL, t1, NULL);
    pthread_create(&t[1], NULL, t2, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    assert(x.val == y.val);
    return 0;
}
