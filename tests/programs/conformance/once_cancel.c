/* SPDX-License-Identifier: MIT */
/*
 * A pthread_once routine that is cancelled has not been: the next caller runs it.
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
static int attempts;

static void routine(void)
{
    attempts++;
    if (attempts == 1) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
}

static void *thread(void *arg)
{
    pthread_once(&once, routine);
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(pthread_join(t, &result) == 0 && result == PTHREAD_CANCELED);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    assert(pthread_join(t, &result) == 0 && result == NULL);
    assert(attempts == 2);
    return 0;
}
