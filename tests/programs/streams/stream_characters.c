/* SPDX-License-Identifier: MIT */
/*
 * Two threads read from one stream without a lock: the number that one of them puts together of two
 * digits may have one of the other's in it.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s random -n 200
 * EXPECT assertion exit=1
 */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static FILE *in;

static void *reader(void *arg)
{
    int tens = getc(in) - '0', ones = getc(in) - '0';

    assert(10 * tens + ones == 12 || 10 * tens + ones == 34);
    return arg;
}

int main(void)
{
    static char text[] = "1234";
    pthread_t t;

    in = fmemopen(text, 4, "r");
    pthread_create(&t, NULL, reader, NULL);
    reader(NULL);
    pthread_join(t, NULL);
    return fclose(in);
}
