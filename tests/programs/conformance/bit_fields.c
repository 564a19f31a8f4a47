/* SPDX-License-Identifier: MIT */
/*
 * Two threads write neighbouring bit-fields, which share a memory location: an
 * update can be lost.  With -DFIXED=1 a zero-width field separates them.  (gcc
 * has the read of such an update behind the announcement of the write.)
 *
 * RUN    [clang] plait test -s random -n 2000
 * EXPECT assertion exit=1
 *
 * RUN    [clang] plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DFIXED=1 plait test -s dfs
 * EXPECT clean complete exit=0
 */
#include <assert.h>
#include <pthread.h>

static volatile struct {
    unsigned a : 4;
#ifdef FIXED
    unsigned : 0;
#endif
    unsigned b : 4;
} word;

static void *second(void *arg)
{
    word.b = 2;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, second, NULL);
    word.a = 1;
    pthread_join(t, NULL);
    assert(word.a == 1 && word.b == 2);
    return 0;
}
