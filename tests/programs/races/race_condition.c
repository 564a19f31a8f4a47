/* SPDX-License-Identifier: MIT */
/*
 * A flag under a mutex, with a condition variable to wait for it.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag, data;

static void *writer(void *arg)
{
    data = 1;
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
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
    return both(writer, reader);
}
