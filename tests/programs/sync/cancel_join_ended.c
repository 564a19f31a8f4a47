/* SPDX-License-Identifier: MIT */
/*
 * A thread that has been cancelled, and knows it, joins another.  libc acts upon the cancellation
 * only if it has to wait for the end: a thread that has ended is joined.
 *
 * RUN    plait test -s dfs --outputs
 * EXPECT clean complete outputs=joined,cancelled
 *
 * RUN    plait test -s dpor --outputs
 * EXPECT clean complete outputs=joined,cancelled
 *
 * RUN    plait test -s dpor:source --outputs
 * EXPECT clean complete outputs=joined,cancelled
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static pthread_t joined;

static void *nothing(void *arg)
{
    return arg;
}

static void *join(void *arg)
{
    assert(pthread_cancel(pthread_self()) == 0);
    assert(pthread_join(joined, NULL) == 0);
    return arg;
}

int main(void)
{
    pthread_t cancelled;
    void *result;

    pthread_create(&joined, NULL, nothing, NULL);
    pthread_create(&cancelled, NULL, join, NULL);
    pthread_join(cancelled, &result);
    puts(result == PTHREAD_CANCELED ? "cancelled" : "joined");
    return 0;
}
