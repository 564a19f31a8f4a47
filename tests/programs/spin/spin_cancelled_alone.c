/* SPDX-License-Identifier: MIT */
/*
 * A thread counts on its own stack until it is cancelled, at any place.  It comes to no point by
 * itself; the one that sleeps before it cancels gets on all the same.
 *
 * RUN    plait test -s random -n 4
 * EXPECT clean executions=4 exit=0
 *
 * RUN    plait test -s dpor -n 4
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static void *count(void *arg)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (volatile long n = 0;; n++)
        ;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, count, NULL);
    usleep(20000);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(result == PTHREAD_CANCELED);
    return 0;
}
