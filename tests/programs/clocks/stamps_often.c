/* SPDX-License-Identifier: MIT */
/*
 * Threads that look at the clock each time round a loop, as whoever stamps what it does, move it
 * faster and faster, since they could be working until a deadline.  Nobody gives up after five
 * seconds for that: neither who could have had the mutex before, nor who waits for somebody that
 * makes hundreds of stamps first; nor does the alarm go off that ends tests which hang.
 *
 * RUN    plait test -s random -n 20 --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pct -n 20 --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    -DWAITS=1 plait test -s random -n 20 --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    -DWATCHED=1 plait test -s random -n 20 --time-outs last
 * EXPECT clean exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>
#include <unistd.h>

#ifndef WAITS
#define WAITS 0
#endif
#ifndef WATCHED
#define WATCHED 0
#endif

enum { THREADS = 3, ROUNDS = 400, STAMPS = 800 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct timespec stamp;
static int count;
static bool done;

static struct timespec in_five_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec += 5;
    return t;
}

static void *count_all(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec last = in_five_seconds();

        assert(pthread_mutex_timedlock(&mutex, &last) == 0);
        count++;
        pthread_mutex_unlock(&mutex);
    }
    return arg;
}

static void *stamp_all(void *arg)
{
    for (int i = 0; i < STAMPS; i++) {
        pthread_mutex_lock(&mutex);
        clock_gettime(CLOCK_REALTIME, &stamp);
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_lock(&mutex);
    done = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static int wait_for_stamps(void)
{
    struct timespec last;
    pthread_t t;

    pthread_create(&t, NULL, stamp_all, NULL);
    pthread_mutex_lock(&mutex);
    last = in_five_seconds();
    while (!done)
        assert(pthread_cond_timedwait(&changed, &mutex, &last) == 0);
    pthread_mutex_unlock(&mutex);
    return pthread_join(t, NULL);
}

int main(void)
{
    pthread_t t[THREADS];

    if (WATCHED)
        alarm(60);
    if (WAITS)
        return wait_for_stamps();
    for (int i = 0; i < THREADS; i++)
        pthread_create(&t[i], NULL, count_all, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    assert(count == THREADS * ROUNDS);
    return 0;
}
