/* SPDX-License-Identifier: MIT */
/*
 * Who has been cancelled is not cancelled again: a second cancellation changes nothing, wherever it
 * comes.  So all that matters is whether the first of main's comes before the test.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=2
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=2 executions=3
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=2 executions=3
 *
 * Of those of two threads either may be the first, also before the test.
 *
 * RUN    -DOTHER=1 plait test -s dfs --outputs
 * EXPECT clean complete outputs=1,0
 *
 * RUN    -DOTHER=1 plait test -s dpor --outputs
 * EXPECT clean complete outputs=1,0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>

#ifndef OTHER
#define OTHER 0
#endif

static pthread_t target;

static void *test(void *arg)
{
    pthread_testcancel();
    return arg;
}

static void *cancel(void *arg)
{
    assert(pthread_cancel(target) == 0);
    return arg;
}

int main(void)
{
    pthread_t other;
    void *result;

    pthread_create(&target, NULL, test, NULL);
    if (OTHER)
        pthread_create(&other, NULL, cancel, NULL);
    cancel(NULL);
    cancel(NULL);
    if (OTHER)
        pthread_join(other, NULL);
    pthread_join(target, &result);
    if (OTHER)
        printf("%d\n", result == PTHREAD_CANCELED);
    return 0;
}
