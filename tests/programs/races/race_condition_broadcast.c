/* SPDX-License-Identifier: MIT */
/*
 * Two readers are woken by a broadcast, timed and not.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag, data;

static void *timed_reader(void *arg)
{
    struct timespec until = {.tv_sec = 2000000000};
    int value = 0;

    pthread_mutex_lock(&lock);
    while (!flag && pthread_cond_timedwait(&changed, &lock, &until) == 0)
        ;
    if (flag)
        value = data;
    pthread_mutex_unlock(&lock);
    return seen(arg, value);
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!flag)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return seen(arg, data);
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, timed_reader, NULL);
    data = 1;
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return pthread_join(b, NULL);
}
