/* SPDX-License-Identifier: MIT */
/*
 * A lock that is copied while others take it: the copy is held, or it is not.
 *
 * PAIR life a.lock
 */
#include <pthread.h>
#include <string.h>

struct box {
    pthread_mutex_t lock;
    int value;
};

static struct box a = {PTHREAD_MUTEX_INITIALIZER, 0}, b;

static void *t1(void *arg)
{
    pthread_mutex_lock(&a.lock);
    pthread_mutex_unlock(&a.lock);
    return arg;
}

static void *t2(void *arg)
{
    memcpy(&b, &a, sizeof(b));
    if (pthread_mutex_trylock(&b.lock) == 0)
        pthread_mutex_unlock(&b.lock);
    return arg;
}

int main(void)
{
    pthread_t x, y;

    pthread_create(&x, NULL, t1, NULL);
    pthread_create(&y, NULL, t2, NULL);
    pthread_join(x, NULL);
    pthread_join(y, NULL);
    return 0;
}
