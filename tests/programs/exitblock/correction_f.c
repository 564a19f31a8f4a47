/* SPDX-License-Identifier: MIT */
/*
 * Hand over hand: a chain of the locks released last would be a circle, but the one was not held
 * when the other was taken.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT clean complete reports=0
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT clean complete reports=0
 *
 * RUN    [exitblock] plait test -s exitblock:dd,order=newest -k
 * EXPECT clean complete reports=0
 *
 * RUN    plait test -s dpor -k
 * EXPECT clean complete
 */
#include "begin.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second);
    return 0;
}
