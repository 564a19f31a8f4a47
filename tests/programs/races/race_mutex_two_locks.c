/* SPDX-License-Identifier: MIT */
/*
 * Each thread holds a mutex, but not the same one.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 */
#include "two.h"

static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
int data;

static void *first(void *arg)
{
    pthread_mutex_lock(&one);
    data = 1; /* @here */
    pthread_mutex_unlock(&one);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&other);
    data = 2; /* @here */
    pthread_mutex_unlock(&other);
    return arg;
}

int main(void)
{
    return both(first, second);
}
