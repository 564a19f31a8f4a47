/* SPDX-License-Identifier: MIT */
/*
 * One instruction, two steps of the processor: a number of ten bytes, a vector that is not aligned,
 * and a number that lies in two lines of the cache.  None of them is ever seen half written here,
 * so a search does not call itself complete where somebody could come in between; behind a lock
 * nobody can.
 *
 * RUN    plait test -s dpor
 * EXPECT clean incomplete ended~that.accesses.two.cache.lines.at.*at_once.c
 *
 * RUN    plait test -s dfs
 * EXPECT clean incomplete ended~that.accesses.two.cache.lines.at.*at_once.c
 *
 * RUN    -DTEN plait test -s dpor
 * EXPECT clean incomplete ended~of.ten.bytes.at.*at_once.c
 *
 * RUN    -DTEN plait test -s dfs
 * EXPECT clean incomplete ended~of.ten.bytes.at.*at_once.c
 *
 * RUN    -DVECTOR plait test -s dpor
 * EXPECT clean incomplete ended~of.16.bytes.that.are.not.aligned.at.*at_once.c
 *
 * RUN    -DVECTOR=0 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DLOCKED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DTEN -DLOCKED plait test -s dpor
 * EXPECT clean complete
 */
#include <emmintrin.h>
#include <pthread.h>
#include <stdint.h>

struct {
    char before[60];
    volatile uint64_t number;
} __attribute__((packed, aligned(64))) across;

_Alignas(64) char vector[64];
volatile long double ten;
static volatile long double copy;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void enter(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&lock);
#endif
}

static void leave(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&lock);
#endif
}

static void *change(void *arg)
{
    enter();
#ifdef TEN
    ten = 1.5L;
#elif defined(VECTOR)
    _mm_storeu_si128((__m128i *)(vector + 8 * VECTOR), _mm_set1_epi64x(1));
#else
    across.number = UINT64_MAX;
#endif
    leave();
    return arg;
}

static void *look(void *arg)
{
    enter();
#ifdef TEN
    copy = ten;
#elif defined(VECTOR)
    copy = *(volatile char *)&vector[8];
#else
    copy = (long double)across.number;
#endif
    leave();
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
