/* SPDX-License-Identifier: MIT */
/*
 * Dining philosophers who are all alike: each takes the left fork, then the right one.  When all of
 * them have their left fork at the same time, all wait for ever.  They think for longer than they
 * eat, so without help it takes long until that happens.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 5
#endif
#ifndef MEALS
#define MEALS 200 /* what everybody needs, */
#endif
#ifndef MOST
#define MOST 1000000 /* and where the fastest stops */
#endif
#ifndef THOUGHTS
#define THOUGHTS 40000 /* before each meal */
#endif

static pthread_mutex_t forks[PHILOSOPHERS];
static atomic_int hungry = PHILOSOPHERS; /* until all have had enough, dinner goes on */

static void think(void)
{
    int thought = 0;

    for (int i = 0; i < THOUGHTS; i++)
        __asm__ volatile("" : "+r"(thought)); /* the compiler leaves the loop as it is */
}

static void eat(int me)
{
    pthread_mutex_t *left = &forks[me], *right = &forks[(me + 1) % PHILOSOPHERS];

    pthread_mutex_lock(left);
    pthread_mutex_lock(right); /* each may have one and want the next */
    pthread_mutex_unlock(right);
    pthread_mutex_unlock(left);
}

static void *philosopher(void *arg)
{
    int me = (int)(intptr_t)arg;

    for (int i = 1; i <= MOST && hungry > 0; i++) {
        think();
        eat(me);
        if (i == MEALS)
            hungry--;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[PHILOSOPHERS];

    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_mutex_init(&forks[i], NULL);
    for (intptr_t i = 0; i < PHILOSOPHERS; i++)
        pthread_create(&threads[i], NULL, philosopher, (void *)i);
    for (int i = 0; i < PHILOSOPHERS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
