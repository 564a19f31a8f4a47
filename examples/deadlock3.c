/* SPDX-License-Identifier: MIT */
/* A deadlock of three threads: each holds one of three locks and wants the next. */
#include <pthread.h>

static pthread_mutex_t locks[3] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

/* The argument points to the lock that comes first. */
static void *lock_two(void *arg)
{
    pthread_mutex_t *first = arg;
    pthread_mutex_t *second = first == &locks[2] ? &locks[0] : first + 1;

    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    return NULL;
}

int main(void)
{
    pthread_t threads[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, lock_two, &locks[i]);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
