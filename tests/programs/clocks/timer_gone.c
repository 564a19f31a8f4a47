/* SPDX-License-Identifier: MIT */
/*
 * Whether there is a timer is known when it is set, looked at or deleted, not before: another
 * thread may have deleted it by then.  What a call answers is stored behind that.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@gone exit=1 replay=identical
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@gone exit=1
 *
 * RUN    -DLOOKS plait test -s dpor
 * EXPECT assertion location~@gone exit=1
 *
 * RUN    -DDELETES plait test -s dpor
 * EXPECT assertion location~@gone exit=1
 *
 * RUN    -DLATE plait test -s dpor
 * EXPECT assertion location~@late exit=1
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>

static timer_t timer;
static struct itimerspec before;

static struct itimerspec wanted = {.it_value = {.tv_sec = 1000}};

static int call(void)
{
#if defined(LOOKS)
    return timer_gettime(timer, &before);
#elif defined(DELETES)
    return timer_delete(timer);
#else
    return timer_settime(timer, 0, &wanted, &before);
#endif
}

static void *use(void *arg)
{
    assert(call() == 0); /* @gone */
    return arg;
}

/* It is set by then, and where the time before goes was written here after that. */
static void meanwhile(void)
{
#ifdef LATE
    struct itimerspec now;

    before.it_value.tv_nsec = 1;
    if (timer_gettime(timer, &now) == 0 && now.it_value.tv_sec > 0)
        assert(before.it_value.tv_nsec == 0); /* @late */
#else
    timer_delete(timer);
#endif
}

int main(void)
{
    struct sigevent none = {.sigev_notify = SIGEV_NONE};
    pthread_t thread;

    assert(timer_create(CLOCK_MONOTONIC, &none, &timer) == 0);
    pthread_create(&thread, NULL, use, NULL);
    meanwhile();
    pthread_join(thread, NULL);
    (void)before;
    (void)wanted;
    return 0;
}
