/* SPDX-License-Identifier: MIT */
/*
 * Where cancellation is disabled nothing is acted upon, and a cancellation depends on nothing that
 * the thread does there; the first cancellation point after it is enabled acts.  So there are two
 * orders that matter: before that point and after it.  The third execution is the first, which
 * shows that the thread is cancelled at all.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2 exit=0
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2 executions=3 exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int steps;

static void *work(void *arg)
{
    int old;

    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    assert(old == PTHREAD_CANCEL_ENABLE);
    usleep(10);
    close(-1);
    steps = 1;
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    assert(old == PTHREAD_CANCEL_DISABLE);
    close(-1);
    steps = 2;
    return arg;
}

int main(void)
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, work, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    assert(steps == (result == PTHREAD_CANCELED ? 1 : 2));
    return 0;
}
