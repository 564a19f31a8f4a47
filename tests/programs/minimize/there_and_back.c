/* SPDX-License-Identifier: MIT */
/*
 * Two threads hand something on to each other: it takes an interruption of each
 * for the second to see what came back, and a further one for the first to see
 * that in turn.
 *
 * RUN    plait test -n 20000
 * EXPECT assertion location~@bug preemptions=2 minimal=proven decides~@back<@look
 *
 * RUN    -DAGAIN=1 plait test -n 50000
 * EXPECT assertion location~@again preemptions=3 minimal=proven decides~@forth<@last
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef AGAIN
#define AGAIN 0
#endif

static atomic_int start, there, back, forth;

static void *other(void *arg)
{
    there = start;
    int seen = back; /* @look */

    if (AGAIN)
        forth = seen; /* @forth */
    else
        assert(!seen); /* @bug */
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    start = 1;
    back = there;     /* @back */
    int seen = forth; /* @last */

    assert(!seen); /* @again */
    pthread_join(t, NULL);
    return 0;
}
