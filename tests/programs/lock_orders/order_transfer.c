/* SPDX-License-Identifier: MIT */
/*
 * One function, called with its locks in two orders: both threads wait at the same place.
 *
 * RUN plait test --detect lock-order -s random -n 1
 * EXPECT deadlock confirmed=yes threads=2 location~@second
 * RUN -DFIXED plait test --detect +lock-order -s dpor
 * EXPECT clean complete
 */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int money;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 100},
                                     {PTHREAD_MUTEX_INITIALIZER, 100}};

static void transfer(struct account *from, struct account *to, int amount)
{
    struct account *first = from, *second = to;

#ifdef FIXED
    if (first > second) {
        first = to;
        second = from;
    }
#endif
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock); /* @second */
    from->money -= amount;
    to->money += amount;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
}

static void *one(void *unused)
{
    transfer(&accounts[0], &accounts[1], 10);
    return unused;
}

static void *two(void *unused)
{
    transfer(&accounts[1], &accounts[0], 20);
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
