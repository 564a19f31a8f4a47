/* SPDX-License-Identifier: MIT */
/*
 * A wait on a condition that nobody is left to signal.
 *
 * RUN    plait test -s random -n 100
 * EXPECT deadlock threads=2 exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT deadlock threads=2 exit=1
 */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg)
{
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, waiter, NULL);
    pthread_join(t, NULL);
    return 0;
}
