/* SPDX-License-Identifier: MIT */
/*
 * A bounded buffer with two producers and two consumers: correct.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>

enum { SIZE = 2, ITEMS = 4 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static int buffer[SIZE], count, first, sum;

static void *producer(void *arg)
{
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == SIZE)
            pthread_cond_wait(&emptied, &lock);
        buffer[(first + count++) % SIZE] = i;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

static void *consumer(void *arg)
{
    for (int i = 1; i <= ITEMS; i++) {
        pthread_mutex_lock(&lock);
        while (count == 0)
            pthread_cond_wait(&filled, &lock);
        sum += buffer[first];
        first = (first + 1) % SIZE;
        count--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
    }
    return arg;
}

int main(void)
{
    pthread_t t[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&t[i], NULL, i < 2 ? producer : consumer, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(t[i], NULL);
    assert(count == 0 && sum == 2 * ITEMS * (ITEMS + 1) / 2);
    return 0;
}
