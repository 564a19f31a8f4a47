/* SPDX-License-Identifier: MIT */
/*
 * Loops whose counter is a number like a time, an absolute period, or a second of the calendar,
 * and one that waits for its time: all of them get somewhere.
 *
 * RUN    plait test -n 20
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dpor -n 20
 * EXPECT clean exit=0
 *
 * RUN    -DLIVE=1 plait test -s random -n 5
 * EXPECT livelock exit=1
 *
 * RUN    -DLIVE=2 plait test -s random -n 5
 * EXPECT livelock exit=1
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static atomic_int quit;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void count(void)
{
    usleep(100);
    for (long id = 1000000000; id % 1000 != 777 && !atomic_load(&quit); id++)
        ;
    for (time_t t = time(NULL), end = t + 300; t < end && !atomic_load(&quit); t++)
        ;
}

static void tick(void)
{
    struct timespec next;

    clock_gettime(CLOCK_MONOTONIC, &next);
    for (time_t end = next.tv_sec + 2; next.tv_sec < end && !atomic_load(&quit);) {
        next.tv_nsec += 10000000;
        if (next.tv_nsec >= 1000000000) {
            next.tv_sec++;
            next.tv_nsec -= 1000000000;
        }
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
}

static void await_hour(void)
{
    for (time_t end = time(NULL) + 3600; time(NULL) < end;)
        usleep(10000);
}

/* Nobody sets quit: with a plain sleep, and with a deadline that is new each time. */
static void never_ends(void)
{
#if defined(LIVE) && LIVE == 1
    while (!atomic_load(&quit))
        sleep(1);
#elif defined(LIVE)
    pthread_mutex_lock(&m);
    while (!atomic_load(&quit)) {
        struct timespec until;

        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&c, &m, &until);
    }
    pthread_mutex_unlock(&m);
#endif
}

static void *run(void *arg)
{
    count();
    tick();
    await_hour();
    never_ends();
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, run, NULL);
    pthread_join(t, NULL);
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    return 0;
}
