/* SPDX-License-Identifier: MIT */
/*
 * A thread is cancelled between one of its cancellation points and what it does behind it: it
 * signals the condition, and acts upon the cancellation at the next.  A block ends at each.
 *
 * RUN    plait test -s dfs --time-outs any --outputs
 * EXPECT clean complete outputs=late-cancelled,late-done,woken-cancelled
 *
 * RUN    plait test -s exitblock --time-outs any --outputs
 * EXPECT clean complete outputs=late-cancelled,late-done,woken-cancelled
 */
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;

static void *work(void *arg)
{
    usleep(10);
    pthread_cond_signal(&condition);
    pthread_testcancel();
    return arg;
}

int main(void)
{
    const struct timespec late = {.tv_sec = 2400000000};
    pthread_t thread;
    void *result;

    pthread_create(&thread, NULL, work, NULL);
    pthread_cancel(thread);
    pthread_mutex_lock(&mutex);
    int error = pthread_cond_timedwait(&condition, &mutex, &late);

    pthread_mutex_unlock(&mutex);
    pthread_join(thread, &result);
    printf("%s-%s\n", error == 0 ? "woken" : "late", result == NULL ? "done" : "cancelled");
    return 0;
}
