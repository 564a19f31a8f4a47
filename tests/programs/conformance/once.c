/* SPDX-License-Identifier: MIT */
/*
 * pthread_once runs its routine once, and nobody passes before it has ended.
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

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int begun, ended;

static void routine(void)
{
    begun++;
    sched_yield();
    ended++;
}

static void *thread(void *arg)
{
    assert(pthread_once(&once, routine) == 0);
    assert(begun == 1 && ended == 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    return 0;
}
