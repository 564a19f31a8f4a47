/* SPDX-License-Identifier: MIT */
/*
 * The program ends with a status other than 0 in every execution that ends well: that
 * is reported once and does not keep auto from what an interleaving breaks.
 *
 * RUN    plait test
 * EXPECT exit,assertion exit=1
 *
 * RUN    -DFIXED=1 plait test
 * EXPECT exit exit=1 complete
 *
 * RUN    plait test -s random -n 200
 * EXPECT exit exit=1 executions=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef FIXED
#define FIXED 0
#endif

static atomic_int x;

static void *other(void *arg)
{
    for (int i = 1; i < 5; i++)
        x = i;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    int a = x, b = x;

    assert(FIXED || a != 1 || b != 3);
    pthread_join(t, NULL);
    return 3;
}
