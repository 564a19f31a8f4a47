/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 6.2: Fig. 5.1 without the two blocks on y.
 *
 * PAIRS 5 pairs: 5 RW
 * PAIR RW x.val
 */
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
    return arg;
}

static void *t2(void *arg)
{
    pthread_mutex_lock(&y.lock);
    x.val -= 10;
    if (y.val < 0)
        x.val = 0;
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
    return 0;
}
