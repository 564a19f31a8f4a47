/* SPDX-License-Identifier: MIT */
/*
 * A correct bounded buffer between eight threads, with ten thousand operations
 * in an execution.
 *
 * RUN    [gcc] [O2] plait test -s random -n 1000
 * EXPECT clean exit=0 executions=1000
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>

enum { SIZE = 8, THREADS = 8, ITEMS = 320 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, first;
static long sum;

static void put(int item)
{
    pthread_mutex_lock(&lock);
    while (count == SIZE)
        pthread_cond_wait(&emptied, &lock);
    buffer[(first + count++) % SIZE] = item;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static int take(void)
{
    int item;

    pthread_mutex_lock(&lock);
    while (count == 0)
        pthread_cond_wait(&filled, &lock);
    item = buffer[first];
    first = (first + 1) % SIZE;
    count--;
    sum += item;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&lock);
    return item;
}

static void *producer(void *arg)
{
    for (int i = 1; i <= ITEMS / (THREADS / 2); i++)
        put(i);
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 1; i <= ITEMS / (THREADS / 2); i++)
        take();
    return arg;
}

int main(void)
{
    pthread_t t[THREADS];
    long each = ITEMS / (THREADS / 2);

    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, i % 2 ? producer : consumer, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == 0);
    assert(sum == THREADS / 2 * each * (each + 1) / 2);
    return 0;
}
