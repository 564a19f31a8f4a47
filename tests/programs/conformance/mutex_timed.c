/* SPDX-License-Identifier: MIT */
/*
 * Timed locking: ETIMEDOUT not before the deadline, EINVAL for nonsense, success
 * without waiting when the mutex is free although the deadline has passed.
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
#include <semaphore.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static sem_t tried;

static struct timespec soon(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    t.tv_nsec += 5000000;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

static bool passed(clockid_t clock, const struct timespec *t)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return now.tv_sec > t->tv_sec || (now.tv_sec == t->tv_sec && now.tv_nsec >= t->tv_nsec);
}

static void *thread(void *arg)
{
    struct timespec deadline = soon(CLOCK_REALTIME), nonsense = {.tv_nsec = 1000000000};

    assert(pthread_mutex_timedlock(&lock, &deadline) == ETIMEDOUT);
    assert(passed(CLOCK_REALTIME, &deadline));
    deadline = soon(CLOCK_MONOTONIC);
    assert(pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &deadline) == ETIMEDOUT);
    assert(passed(CLOCK_MONOTONIC, &deadline));
    assert(pthread_mutex_clocklock(&lock, CLOCK_PROCESS_CPUTIME_ID, &deadline) == EINVAL);
    assert(pthread_mutex_timedlock(&lock, &nonsense) == EINVAL);
    sem_post(&tried);
    return arg;
}

int main(void)
{
    struct timespec past = {.tv_sec = 1};
    pthread_t t;

    sem_init(&tried, 0, 0);
    assert(pthread_mutex_timedlock(&lock, &past) == 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    sem_wait(&tried);
    assert(pthread_mutex_unlock(&lock) == 0);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
