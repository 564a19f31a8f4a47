/* SPDX-License-Identifier: MIT */
/*
 * It is the mutex that orders, not the signal: what the writer does after it has released the
 * mutex and before it signals is unordered, since the reader may have seen the flag already.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag, data;

static void *writer(void *arg)
{
    pthread_mutex_lock(&lock);
    flag = 1;
    pthread_mutex_unlock(&lock);
    data = 1; /* @here */
    pthread_cond_signal(&changed);
    return arg;
}

static void *reader(void *arg)
{
    pthread_mutex_lock(&lock);
    while (!flag)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return seen(arg, data); /* @here */
}

int main(void)
{
    return both(writer, reader);
}
