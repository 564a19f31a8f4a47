/* SPDX-License-Identifier: MIT */
/*
 * Bytes beside each other belong to different threads: nothing to report.  Bits of
 * one byte cannot (-DBITS; gcc does not say that it accesses them), and a write of all of it
 * (-DWHOLE) touches each.
 *
 * RUN    plait test -s dfs --detect lockset
 * EXPECT clean complete
 *
 * RUN    [clang] -DBITS plait test -s dfs --detect lockset
 * EXPECT lockset
 *
 * RUN    -DWHOLE plait test -s dfs -k --detect lockset
 * EXPECT lockset,lockset complete
 */
#include <pthread.h>
#include <stdint.h>

#ifdef BITS
static struct {
    unsigned char first : 4, second : 4;
} both;
#else
static union {
    struct {
        volatile char first, second;
    };
    volatile uint16_t whole;
} both;
#endif

static void *one(void *arg)
{
    both.first = 1;
    both.first = 2;
    return arg;
}

static void *two(void *arg)
{
    both.second = 1;
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, one, NULL);
    pthread_create(&u, NULL, two, NULL);
#ifdef WHOLE
    both.whole = 0;
#endif
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
