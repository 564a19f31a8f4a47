/* SPDX-License-Identifier: MIT */
/*
 * An increment in two critical sections.  There is no data race, and yet an increment is lost when
 * the other thread comes between the two: the assertion fails.
 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static int read_x(void)
{
    pthread_mutex_lock(&lock);
    int value = x;
    pthread_mutex_unlock(&lock);
    return value;
}

static void *increment(void *arg)
{
    int y = read_x();

    pthread_mutex_lock(&lock);
    assert(x == y); /* unless somebody else was here meanwhile */
    x = y + 1;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, increment, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
