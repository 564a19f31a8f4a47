/* SPDX-License-Identifier: MIT */
/*
 * Many threads do the same: of what they have done to one place not everything is kept, but the
 * first of them is.  The check fails if one thread has set a and none has set b, so it has to come
 * before the first that sets b, however many have come before it so far.
 *
 * RUN    -DSETTERS=40 plait test -s hapset --no-minimize -n 20
 * EXPECT assertion incomplete
 *
 * RUN    -DSETTERS=100 plait test -s hapset --no-minimize -n 20
 * EXPECT assertion incomplete
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int a, b;

static void *set(void *arg)
{
    atomic_store(&a, 1);
    atomic_store(&b, 1);
    return arg;
}

static void *check(void *arg)
{
    int one = a;

    assert(one == b);
    return arg;
}

int main(void)
{
    pthread_t t[SETTERS + 1];

    for (int i = 0; i < SETTERS; i++)
        pthread_create(&t[i], NULL, set, NULL);
    pthread_create(&t[SETTERS], NULL, check, NULL);
    for (int i = 0; i <= SETTERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
