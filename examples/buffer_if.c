/* SPDX-License-Identifier: MIT */
/*
 * A bounded buffer whose producers test with `if` instead of `while` whether it is full.  Whoever
 * has waited may find it full again: the assertion fails, and without it an item gets lost, and in
 * the end the consumer waits for ever.
 */
#include <assert.h>
#include <pthread.h>

enum { SLOTS = 2 }; /* one of them is always free */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items[SLOTS];
static int first, last; /* what is in it: from first up to last, and not last itself */

static int is_full(void)
{
    return (last + 1) % SLOTS == first;
}

static void put(int item)
{
    pthread_mutex_lock(&lock);
    if (is_full()) /* should be a while */
        pthread_cond_wait(&changed, &lock);
    assert(!is_full());
    items[last] = item;
    last = (last + 1) % SLOTS;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    pthread_mutex_lock(&lock);
    while (first == last)
        pthread_cond_wait(&changed, &lock);
    int item = items[first];
    first = (first + 1) % SLOTS;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *produce(void *arg)
{
    put(1);
    put(2);
    return arg;
}

static void *consume(void *arg)
{
    for (int i = 0; i < 4; i++)
        take();
    return arg;
}

int main(void)
{
    pthread_t producers[2], consumer;

    pthread_create(&producers[0], NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_create(&producers[1], NULL, produce, NULL);
    pthread_join(producers[0], NULL);
    pthread_join(consumer, NULL);
    pthread_join(producers[1], NULL);
    return 0;
}
