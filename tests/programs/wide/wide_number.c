/* SPDX-License-Identifier: MIT */
/*
 * Two threads add to a number of 16 bytes, half by half.  An update can be lost in one half only.
 *
 * For each half the two additions come one after the other, in either order, or both read before
 * either writes, and the writes come in either order: 4 possibilities, 16 for both halves.  One
 * thread wholly before the other in one half and after it in the other is impossible (2).  So is a
 * thread that reads the upper half after the other has written it, and yet writes the lower half
 * before the other does (2).  That leaves 12.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    -DANY plait test -s dfs
 * EXPECT clean complete classes=12
 *
 * RUN    [dpor] -DANY plait test -s dpor
 * EXPECT clean complete executions=14 classes=12
 *
 * RUN    [dpor] -DANY plait test -s dpor --points all
 * EXPECT clean complete executions=13 classes=12
 */
#include <assert.h>
#include <pthread.h>

static volatile __int128 number;

static void *add(void *arg)
{
    number += ((__int128)1 << 64) + 1;
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifndef ANY
    assert((long)number == (long)(number >> 64));
#endif
    return 0;
}
