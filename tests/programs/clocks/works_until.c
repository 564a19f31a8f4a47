/* SPDX-License-Identifier: MIT */
/*
 * Two threads work until a deadline, whatever that changes: the more often they look at the clock
 * the faster it goes, so that they come to an end.  Two looks close to each other differ little,
 * and sleeping takes no processor time.
 *
 * RUN    plait test -n 50 --max-steps 100000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --max-steps 100000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pct -n 50 --max-steps 100000
 * EXPECT clean exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static long done;

static double read_clock(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void *work(void *arg)
{
    time_t end = time(NULL) + 10;

    while (time(NULL) < end) {
        pthread_mutex_lock(&m);
        done++;
        pthread_mutex_unlock(&m);
    }
    for (double last = read_clock(CLOCK_MONOTONIC) + 2; read_clock(CLOCK_MONOTONIC) < last;) {
        pthread_mutex_lock(&m);
        done++;
        pthread_mutex_unlock(&m);
    }
    return arg;
}

static double processor_time(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6 +
           (double)usage.ru_stime.tv_sec + (double)usage.ru_stime.tv_usec * 1e-6;
}

static void measure(void)
{
    double wall = read_clock(CLOCK_MONOTONIC), own = read_clock(CLOCK_THREAD_CPUTIME_ID);
    double all = read_clock(CLOCK_PROCESS_CPUTIME_ID), used = processor_time();
    clock_t ticks = clock();
    struct tms t;
    clock_t elapsed = times(&t);

    assert(read_clock(CLOCK_MONOTONIC) - wall < 0.1);
    assert(all < 1 && own < 1 && own <= all && used < 1 && ticks < CLOCKS_PER_SEC);
    sleep(2);
    assert(read_clock(CLOCK_MONOTONIC) - wall >= 2);
    assert(read_clock(CLOCK_PROCESS_CPUTIME_ID) - all < 1);
    assert(read_clock(CLOCK_THREAD_CPUTIME_ID) - own < 1);
    assert(clock() - ticks < CLOCKS_PER_SEC && processor_time() - used < 1);
    assert(times(&t) - elapsed >= 2 * sysconf(_SC_CLK_TCK));
    assert(t.tms_utime < sysconf(_SC_CLK_TCK));
}

int main(void)
{
    pthread_t t;

    measure();
    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return done == 0;
}
