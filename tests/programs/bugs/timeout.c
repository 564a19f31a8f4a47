/* SPDX-License-Identifier: MIT */
/*
 * The result of a timed wait is taken as success: when the time runs out first,
 * the answer is not there.  With -DFIXED=1 the waiter looks at the result.
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion exit=1 message~answer == 42 location~@bug
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
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
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

#ifndef FIXED
#define FIXED 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t answered = PTHREAD_COND_INITIALIZER;
static int answer;

static void *oracle(void *arg)
{
    pthread_mutex_lock(&lock);
    answer = 42;
    pthread_cond_signal(&answered);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    struct timespec deadline;
    pthread_t t;
    int rc = 0;

    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 1;
    pthread_create(&t, NULL, oracle, NULL);
    pthread_mutex_lock(&lock);
    while (answer == 0 && rc == 0)
        rc = pthread_cond_timedwait(&answered, &lock, &deadline);
    if (!FIXED || rc != ETIMEDOUT)
        assert(answer == 42); /* @bug */
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
