/* SPDX-License-Identifier: MIT */
/*
 * A thread works for long, and another one waits for it, a second at a time.  A search by classes
 * lets time-outs come at any point, but not again and again while nothing but the loop that works
 * could go on: what is over after some 60,000 steps would take one wait for each few of them.
 *
 * RUN    plait test -s dpor -n 3 --max-steps 150000
 * EXPECT clean incomplete classes=1 executions=3
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <pthread.h>
#include <time.h>

enum { STEPS = 20000 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, numbers = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static volatile int sum, done, step = 1, limit;

static void *work(void *arg)
{
    pthread_mutex_lock(&numbers);
    for (int i = 0; i < limit; i++)
        sum += step;
    pthread_mutex_unlock(&numbers);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    struct timespec until;
    pthread_t t;

    limit = STEPS;
    pthread_create(&t, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    while (!done) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec++;
        pthread_cond_timedwait(&changed, &lock, &until);
        limit = STEPS; /* it is shared, like the rest */
        step = 1;
        sum += 0;
    }
    pthread_mutex_unlock(&lock);
    return pthread_join(t, NULL);
}
