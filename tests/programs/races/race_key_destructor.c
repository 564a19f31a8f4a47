/* SPDX-License-Identifier: MIT */
/*
 * The destructor of thread-specific data runs before the thread can be joined.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 */
#include "two.h"

static pthread_key_t key;
int data;

static void destroy(void *value)
{
    data = *(int *)value;
}

static void *work(void *arg)
{
    static int value = 1;

    pthread_setspecific(key, &value);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_key_create(&key, destroy);
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return data != 1;
}
