/* SPDX-License-Identifier: MIT */
/*
 * pthread_exit from main with a detached thread that is the last to end.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static void *thread(void *arg)
{
    sched_yield();
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(pthread_detach(t) == 0);
    pthread_exit(NULL);
}
