/* SPDX-License-Identifier: MIT */
/*
 * The second thread cannot get b, but once the third has come by it does not need it any more, and
 * the first can see that: whoever could not get a lock must try again when data has changed.
 *
 * RUN    [exitblock] plait test -s exitblock:plain -k
 * EXPECT assertion,deadlock complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:rw -k
 * EXPECT assertion,deadlock complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT assertion,deadlock complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT assertion,deadlock complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=newest -k
 * EXPECT assertion,deadlock complete location~@bug
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=random -k
 * EXPECT assertion,deadlock complete location~@bug
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion,deadlock complete
 */
#include "begin.h"

#include <assert.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;
static int skip, started, seen;

static void *first(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&c);
    started = 1;
    pthread_mutex_unlock(&c);
    pthread_mutex_lock(&a);
    assert(seen != 2); /* @bug */
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&a);
    if (skip) {
        seen = 2;
    } else {
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
        seen = 1;
    }
    pthread_mutex_unlock(&a);
    return arg;
}

static void *third(void *arg)
{
    pthread_mutex_lock(&c);
    int t = started;
    pthread_mutex_unlock(&c);
    pthread_mutex_lock(&a);
    if (t)
        skip = 1;
    pthread_mutex_unlock(&a);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second, third);
    return 0;
}
