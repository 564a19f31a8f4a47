/* SPDX-License-Identifier: MIT */
/*
 * A lock is taken with a timeout that is tried again until it succeeds.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs --time-outs any
 * EXPECT clean incomplete ended~three\stimes exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *add(void *arg)
{
    struct timespec deadline;

    do {
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_sec += 1;
    } while (pthread_mutex_timedlock(&lock, &deadline) != 0);
    counter++;
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(counter == 2);
    return 0;
}
