/* SPDX-License-Identifier: MIT */
/*
 * Two threads write neighbouring bytes of one word, which C allows: nothing is
 * lost, and nothing is reported.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>

static struct {
    char a, b;
    short c;
} word;

static void *second(void *arg)
{
    word.b = 2;
    word.b = (char)(word.b + 1);
    word.c = 7;
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, second, NULL);
    word.a = 1;
    word.a = (char)(word.a + 1);
    pthread_join(t, NULL);
    assert(word.a == 2 && word.b == 3 && word.c == 7);
    return 0;
}
