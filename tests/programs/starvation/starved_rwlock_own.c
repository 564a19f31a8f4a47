/* SPDX-License-Identifier: MIT */
/*
 * A lock for readers and writers made of a mutex and a condition.  Readers pass a writer that
 * waits; with -DFIXED=1 they wait for it.
 *
 * RUN    plait test -s random -n 2000 --detect +starvation
 * EXPECT starvation location~@wanted
 *
 * RUN    -DFIXED=1 plait test -s random -n 500 --detect +starvation
 * EXPECT clean
 */
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writing, waiting;
static int value;

static void read_lock(void)
{
    pthread_mutex_lock(&m);
    while (writing || (FIXED && waiting))
        pthread_cond_wait(&changed, &m);
    readers++;
    pthread_mutex_unlock(&m);
}

static void read_unlock(void)
{
    pthread_mutex_lock(&m);
    if (--readers == 0)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
}

static void *reader(void *arg)
{
    for (int i = 0; i < 40; i++) {
        read_lock();
        if (value < 0)
            arg = &value;
        read_unlock();
    }
    return arg;
}

static void *writer(void *arg)
{
    pthread_mutex_lock(&m);
    waiting++;
    while (writing || readers > 0)       /* @wanted */
        pthread_cond_wait(&changed, &m); /* @wanted */
    waiting--;
    writing = 1;
    pthread_mutex_unlock(&m);
    value++;
    pthread_mutex_lock(&m);
    writing = 0;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t[3];

    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], NULL, i < 2 ? reader : writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], NULL);
    return 0;
}
