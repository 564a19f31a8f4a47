/* SPDX-License-Identifier: MIT */
/*
 * Chen, Fig. 6.15: each thread has a field that is set before there are threads, from an element of
 * an array. Which one it is only executions tell; but once is enough.
 *
 * PAIRS 9 pairs: 8 RW, 1 MM
 * FIXED 9
 */
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int value, booked;
};

struct customer {
    struct account *local;
};

static struct account accounts[2] = {{PTHREAD_MUTEX_INITIALIZER, 0, 0},
                                     {PTHREAD_MUTEX_INITIALIZER, 0, 0}};
static struct customer customers[2];

static void *book(void *arg)
{
    struct customer *self = arg;

    for (int i = 0; i < 2; i++)
        self->local->value += 10;
    self->local->booked = 1;
    pthread_mutex_lock(&self->local->lock);
    pthread_mutex_unlock(&self->local->lock);
    self->local->value -= 10;
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        customers[i].local = &accounts[i];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, book, &customers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
