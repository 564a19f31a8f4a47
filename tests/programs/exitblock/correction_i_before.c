/* SPDX-License-Identifier: MIT */
/*
 * Three locks in a circle.  Each thread sees what another has written, but only behind the place
 * where it would wait: that does not make the deadlock impossible.
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock:plain -k
 * EXPECT deadlock complete
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete
 */
#include "begin.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void count(pthread_mutex_t *outer, pthread_mutex_t *inner)
{
    pthread_mutex_lock(outer);
    pthread_mutex_lock(inner);
    x++;
    pthread_mutex_unlock(inner);
    pthread_mutex_unlock(outer);
}

static void *first(void *arg)
{
    count(&a, &b);
    return arg;
}

static void *second(void *arg)
{
    count(&b, &c);
    return arg;
}

static void *third(void *arg)
{
    count(&c, &a);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second, third);
    return 0;
}
