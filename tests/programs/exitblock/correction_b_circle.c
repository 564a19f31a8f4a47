/* SPDX-License-Identifier: MIT */
/*
 * A circle of three that shows only to a thread that tries again when the others have gone on.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock:dd,order=newest -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=newest -k
 * EXPECT deadlock complete
 *
 * RUN    [exitblock] plait test -s exitblock:rwdd,order=random -k
 * EXPECT deadlock complete
 *
 * RUN    plait test -s dpor -k
 * EXPECT deadlock complete
 */
#include "begin.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,
                       c = PTHREAD_MUTEX_INITIALIZER;

static void *first(void *arg)
{
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&c);
    pthread_mutex_lock(&a);
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&c);
    return arg;
}

static void *third(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&c);
    pthread_mutex_unlock(&c);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second, third);
    return 0;
}
