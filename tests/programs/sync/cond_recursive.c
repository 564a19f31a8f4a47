/* SPDX-License-Identifier: MIT */
/*
 * A wait on a condition gives a mutex back once.  One that is locked twice stays locked, so that
 * nobody can come and signal.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dpor -- twice
 * EXPECT deadlock
 *
 * RUN    plait test -s random -n 100 -- twice
 * EXPECT deadlock
 *
 * RUN    plait test -s dpor -- twice timed
 * EXPECT assertion
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t m;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int ready;

static void *signals(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    ready = 1;
    pthread_mutex_unlock(&m);
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    return arg;
}

int main(int argc, char **argv)
{
    pthread_mutexattr_t recursive;
    struct timespec until;
    pthread_t thread;

    (void)argv;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&m, &recursive);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec++;
    pthread_create(&thread, NULL, signals, NULL);
    pthread_mutex_lock(&m);
    if (argc > 1)
        pthread_mutex_lock(&m);
    if (argc > 2 && !ready)
        pthread_cond_timedwait(&c, &m, &until);
    while (argc <= 2 && !ready)
        pthread_cond_wait(&c, &m);
    assert(ready);
    if (argc > 1)
        pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    return 0;
}
