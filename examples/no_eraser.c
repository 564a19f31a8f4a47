/* SPDX-License-Identifier: MIT */
/*
 * A race that a lock-set detector does not see in most executions: B increments without the lock,
 * but only if it finds x still 0.
 */
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *increment(void *arg)
{
    bool is_b = arg != NULL;

    pthread_mutex_lock(&lock);
    int y = x;
    pthread_mutex_unlock(&lock);
    if (is_b && y == 0) {
        x++; /* the lock is missing */
        return NULL;
    }
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, increment, NULL);
    pthread_create(&b, NULL, increment, "B");
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
