/* SPDX-License-Identifier: MIT */
/*
 * Who is cancelled after it was woken acts on that or has gone on by then, as libc may notice it
 * or not; searches execute each class once.
 *
 * RUN    plait test -s dpor --time-outs any
 * EXPECT clean complete classes=6 executions=7
 *
 * RUN    plait test -s dfs --time-outs any
 * EXPECT clean complete classes=6
 */
#include <pthread.h>
#include <stddef.h>
#include <time.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void unlock(void *arg)
{
    pthread_mutex_unlock(arg);
}

static void *waiter(void *arg)
{
    struct timespec end = {.tv_sec = 4000000000};

    pthread_mutex_lock(&mutex);
    pthread_cleanup_push(unlock, &mutex);
    pthread_cond_timedwait(&cond, &mutex, &end);
    pthread_cleanup_pop(1);
    return arg;
}

int main(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, waiter, NULL);
    pthread_cond_signal(&cond);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    return 0;
}
