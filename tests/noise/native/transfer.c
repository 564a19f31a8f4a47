/* SPDX-License-Identifier: MIT */
/* Two threads take two locks in either order, and there is time between the two. */
#include <pthread.h>
#include <unistd.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

__attribute__((noinline)) static void transfer(pthread_mutex_t *from, pthread_mutex_t *to)
{
    pthread_mutex_lock(from);
    usleep(20000);
    pthread_mutex_lock(to);
    pthread_mutex_unlock(to);
    pthread_mutex_unlock(from);
}

static void *forth(void *arg)
{
    transfer(&a, &b);
    return arg;
}

__attribute__((noinline)) static int back(void)
{
    transfer(&b, &a);
    return 0;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, forth, NULL);
    int rc = back();

    pthread_join(t, NULL);
    return rc;
}
