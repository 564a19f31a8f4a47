/* SPDX-License-Identifier: MIT */
/*
 * Three threads, three locks, each takes two of them, and the orders form a
 * ring.  With -DFIXED=1 the locks are always taken in ascending order.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT deadlock preemptions=1 minimal=proven threads=3 exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock threads=3 exit=1
 *
 * RUN    -DFIXED=1 plait test -s random -n 2000
 * EXPECT clean exit=0
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DFIXED=1 native
 * EXPECT exit=0
 */
#include <pthread.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock[3] = {
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
    PTHREAD_MUTEX_INITIALIZER,
};

static void both(int first, int second)
{
    if (FIXED && first > second) {
        int swap = first;

        first = second;
        second = swap;
    }
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[second]);
    pthread_mutex_unlock(&lock[second]);
    pthread_mutex_unlock(&lock[first]);
}

static void *second(void *arg)
{
    both(1, 2);
    return arg;
}

static void *third(void *arg)
{
    both(2, 0);
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, second, NULL);
    pthread_create(&u, NULL, third, NULL);
    both(0, 1);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
