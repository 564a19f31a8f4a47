/* SPDX-License-Identifier: MIT */
/*
 * A thread that is cancelled at its next cancellation point, wherever it is.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void *body(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    pthread_testcancel();
    pthread_mutex_lock(&m);
    x = 2;
    pthread_mutex_unlock(&m);
    return NULL;
}

int main(void)
{
    pthread_t t;
    void *result;

    pthread_create(&t, NULL, body, NULL);
    pthread_cancel(t);
    pthread_join(t, &result);
    printf("%d %d\n", x, result == PTHREAD_CANCELED);
    return 0;
}
