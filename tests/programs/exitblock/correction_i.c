/* SPDX-License-Identifier: MIT */
/*
 * The first takes both locks only when it has seen what the second did under both: no deadlock,
 * although the locks form a circle.
 *
 * RUN    [exitblock] plait test -s exitblock:dd -k
 * EXPECT clean complete
 *
 * RUN    [exitblock] plait test -s exitblock -k
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor -k
 * EXPECT clean complete
 */
#include "begin.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *first(void *arg)
{
    pthread_mutex_lock(&a);
    int seen = x;
    pthread_mutex_unlock(&a);
    pthread_mutex_lock(&a);
    if (seen == 2) {
        pthread_mutex_lock(&b);
        pthread_mutex_unlock(&b);
    }
    pthread_mutex_unlock(&a);
    return arg;
}

static void *second(void *arg)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    x = 2;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return arg;
}

int main(void)
{
    RUN_ALL(first, second);
    return 0;
}
