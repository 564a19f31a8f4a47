/* SPDX-License-Identifier: MIT */
/*
 * A flag is waited for with timeouts that are tried again and again.  With
 * -DSILENT=1 nobody signals, so only the timeouts end it.  With -DNEVER=1 nothing does: that what
 * was printed is flushed in every round changes nothing, since there is no more of it.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs --time-outs any
 * EXPECT clean incomplete ended~three\stimes exit=0
 *
 * RUN    -DSILENT=1 plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    -DSILENT=1 plait test -s dfs --time-outs any
 * EXPECT clean incomplete ended~three\stimes exit=0
 *
 * RUN    -DNEVER=1 plait test -s random -n 1
 * EXPECT livelock
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int flag;

static void *setter(void *arg)
{
    pthread_mutex_lock(&lock);
#ifndef NEVER
    flag = 1;
#endif
#ifndef SILENT
    pthread_cond_signal(&changed);
#endif
    pthread_mutex_unlock(&lock);
    return arg;
}

int main(void)
{
    struct timespec deadline;
    pthread_t t;
#ifdef NEVER
    FILE *file = tmpfile();

    fputs("once", file);
#endif

    pthread_create(&t, NULL, setter, NULL);
    pthread_mutex_lock(&lock);
    while (!flag) {
        clock_gettime(CLOCK_REALTIME, &deadline);
        deadline.tv_nsec += 10 * 1000 * 1000;
        if (deadline.tv_nsec >= 1000000000) {
            deadline.tv_nsec -= 1000000000;
            deadline.tv_sec++;
        }
        pthread_cond_timedwait(&changed, &lock, &deadline);
#ifdef NEVER
        fflush(file);
        fflush(stdout);
        fflush(NULL);
#endif
    }
    pthread_mutex_unlock(&lock);
    pthread_join(t, NULL);
    return 0;
}
