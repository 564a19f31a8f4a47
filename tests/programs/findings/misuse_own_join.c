/* SPDX-License-Identifier: MIT */
/*
 * A thread that has been joined is joined or detached again by the thread that joined it, in every
 * execution that comes so far.  No order decides that, so a search that goes on is complete.
 *
 * RUN    plait test -s dpor -k
 * EXPECT misuse,assertion exit=1 complete
 *
 * RUN    -DDETACH=1 plait test -s dpor -k
 * EXPECT misuse,assertion exit=1 complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef DETACH
#define DETACH 0
#endif

static atomic_int x;

static void *work(void *arg)
{
    int n = x; /* not x++ */

    x = n + 1;
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, NULL);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(x == 2);
    if (DETACH)
        pthread_detach(t[0]);
    else
        pthread_join(t[0], NULL);
    return 0;
}
