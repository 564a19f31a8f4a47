/* SPDX-License-Identifier: MIT */
/*
 * A wait with a time-out of 30 seconds, and a thread that needs a few steps to end it.  Only if the
 * time-out expires early, while that thread could run, it comes first.  Found by default; not
 * there when time-outs expire in the order of time, or never.
 *
 * RUN    plait test
 * EXPECT assertion location~@here preemptions=0 exit=1
 *
 * RUN    plait test -s random -n 1000
 * EXPECT assertion location~@here preemptions=0 exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT assertion location~@here exit=1
 *
 * RUN    plait test -s dpor
 * EXPECT assertion location~@here exit=1
 *
 * RUN    plait test -s dfs --time-outs last
 * EXPECT clean incomplete ended~without\searly\stime-outs exit=0
 *
 * RUN    plait test -s dpor --time-outs never
 * EXPECT clean incomplete ended~without\stime-outs exit=0
 *
 * RUN    plait test -s random -n 300 --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    -DFOUR=1 plait test -s dfs
 * EXPECT clean incomplete ended~with\sat\smost\s2\searly\stime-outs exit=0
 *
 * RUN    -DFOUR=1 plait test -s dfs --time-outs any
 * EXPECT assertion location~@four exit=1
 *
 * RUN    -DNEVER=1 plait test -s random -n 100 --time-outs never
 * EXPECT deadlock exit=1
 *
 * RUN    -DNEVER=1 plait test
 * EXPECT clean exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *put(void *arg)
{
#ifndef NEVER
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
#endif
    return arg;
}

static int wait_once(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 30;
    return pthread_cond_timedwait(&c, &m, &until);
}

int main(void)
{
    pthread_t t;
    int rc = 0;

    pthread_create(&t, NULL, put, NULL);
    pthread_mutex_lock(&m);
#ifdef FOUR
    int n = 0;

    while (!ready && n < 4)
        n += wait_once() != 0;
    assert(n < 4); /* @four */
#else
    if (!ready)
        rc = wait_once();
#endif
#ifdef NEVER
    (void)rc;
#else
    assert(rc == 0); /* @here */
#endif
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
