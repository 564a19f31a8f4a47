/* SPDX-License-Identifier: MIT */
/*
 * A vector that is aligned is loaded whole, though the block ends in it; the next one is outside,
 * and so is the rest of one that is stored or not aligned.
 *
 * RUN    plait test -s dpor
 * EXPECT clean
 *
 * RUN    -DNEXT plait test -s dpor
 * EXPECT heap-bounds message~behind.a.block.of.1000
 *
 * RUN    -DSTORED plait test -s dpor
 * EXPECT heap-bounds message~beyond.the.end.of.a.block.of.1000
 *
 * RUN    -DASKEW plait test -s dpor
 * EXPECT heap-bounds message~beyond.the.end.of.a.block.of.1000
 *
 * RUN    -DFREED plait test -s dpor
 * EXPECT use-after-free
 */
#include <emmintrin.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 1000, LAST = 992 };

static char *volatile block;
__m128i got;

static void *load(void *arg)
{
#if defined NEXT
    got = _mm_load_si128((const __m128i *)(block + LAST + 16));
#elif defined STORED
    _mm_store_si128((__m128i *)(block + LAST), _mm_setzero_si128());
#elif defined ASKEW
    got = _mm_loadu_si128((const __m128i *)(block + LAST - 4));
#else
#ifdef FREED
    free(block);
#endif
    got = _mm_load_si128((const __m128i *)(block + LAST));
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    block = malloc(SIZE);
    memset(block, 1, SIZE);
    pthread_create(&t, NULL, load, NULL);
    pthread_join(t, NULL);
#ifndef FREED
    free(block);
#endif
    return 0;
}
