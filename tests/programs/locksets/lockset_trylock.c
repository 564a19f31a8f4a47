/* SPDX-License-Identifier: MIT */
/*
 * Who fails to get the lock and goes on all the same has not got it.  In the other
 * executions there is nothing to report.
 *
 * RUN    plait test -s dfs -k --detect +lockset
 * EXPECT lockset complete accesses~shared at @anyway .work. holding nothing
 *
 * RUN    -DPOLITE plait test -s dfs --detect +lockset
 * EXPECT clean complete
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static volatile int shared;

static void *work(void *arg)
{
    if (pthread_mutex_trylock(&lock) == 0) {
        shared = 1;
        shared = 2;
        pthread_mutex_unlock(&lock);
    }
#ifndef POLITE
    else {
        shared = 3; /* @anyway */
    }
#endif
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, work, NULL);
    pthread_create(&u, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
