/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 4.15: each access holds the lock in the object that it accesses, whichever that is:
 * the locks alone are pairs.
 *
 * PAIRS 1 pair: 1 MM
 * NONE heap from fig_4_15.c:39
 */
#include <pthread.h>
#include <stdlib.h>

struct account {
    pthread_mutex_t lock;
    int val;
};
static struct account *all[2];
static volatile int which;

__attribute__((noinline)) static void add(struct account *a, int n)
{
    pthread_mutex_lock(&a->lock);
    a->val += n;
    pthread_mutex_unlock(&a->lock);
}

static void *t1(void *arg)
{
    add(all[which], 1);
    return arg;
}

static void *t2(void *arg)
{
    add(all[1], 1);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++) {
        all[i] = calloc(1, sizeof(*all[i]));
        pthread_mutex_init(&all[i]->lock, NULL);
    }
    pthread_create(&t[0], NULL, t1, NULL);
    pthread_create(&t[1], NULL, t2, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
    return 0;
}
