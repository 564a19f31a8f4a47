/* SPDX-License-Identifier: MIT */
/*
 * Timed waits on a condition: ETIMEDOUT not before the deadline, with the mutex
 * held again; the condition's clock; EINVAL for nonsense.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;

static bool passed(clockid_t clock, const struct timespec *t)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec > t->tv_sec || (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

static void *thread(void *arg)
{
    struct timespec deadline, nonsense = {.tv_nsec = -1};
    pthread_condattr_t attr;
    pthread_cond_t cond;
    clockid_t clock;

    assert(pthread_condattr_init(&attr) == 0);
    assert(pthread_condattr_getclock(&attr, &clock) == 0 && clock == CLOCK_REALTIME);
    assert(pthread_condattr_setclock(&attr, CLOCK_PROCESS_CPUTIME_ID) == EINVAL);
    assert(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    assert(pthread_cond_init(&cond, &attr) == 0);
    assert(pthread_condattr_destroy(&attr) == 0);
    assert(pthread_mutex_lock(&lock) == 0);
    clock_gettime(CLOCK_MONOTONIC, &deadline);
    deadline.tv_nsec = deadline.tv_nsec < 999000000 ? deadline.tv_nsec + 1000000 : 999999999;
    assert(pthread_cond_timedwait(&cond, &lock, &deadline) == ETIMEDOUT);
    assert(passed(CLOCK_MONOTONIC, &deadline));
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_nsec = deadline.tv_nsec < 999000000 ? deadline.tv_nsec + 1000000 : 999999999;
    assert(pthread_cond_clockwait(&cond, &lock, CLOCK_REALTIME, &deadline) == ETIMEDOUT);
    assert(passed(CLOCK_REALTIME, &deadline));
    assert(pthread_cond_timedwait(&cond, &lock, &nonsense) == EINVAL);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_cond_destroy(&cond) == 0);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
