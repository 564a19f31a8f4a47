/* SPDX-License-Identifier: MIT */
/*
 * pthread_exit from main: the program goes on until its last thread ends, then
 * ends with status 0, with its handlers run.
 *
 * OUTPUT thread
 * OUTPUT handler
 *
 * RUN    plait test -s random -n 200 --expect-output=%t/expected
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200 --expect-output=%t/expected
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread --expect-output=%t/expected
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_t main_thread;

static void handler(void)
{
    puts("handler");
}

static void *thread(void *arg)
{
    void *result;

    assert(pthread_join(main_thread, &result) == 0);
    assert(result == &main_thread);
    puts("thread");
    return arg;
}

int main(void)
{
    pthread_t t;

    atexit(handler);
    main_thread = pthread_self();
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    pthread_exit(&main_thread);
}
