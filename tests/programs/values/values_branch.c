/* SPDX-License-Identifier: MIT */
/*
 * A useless switch that dynamic partial-order reduction may make, after figure 2.7 of Chen's
 * thesis: b is never negative when it is looked at while a could still be read later.
 *
 * RUN    [clang] [whole] --whole plait test -s values -k
 * EXPECT clean complete classes=3 judged~RW @write<@read: impossible: a branch led past it: from
 * @test
 *
 * RUN    [clang] plait test -s dpor -k
 * EXPECT clean complete classes=3
 */
#include <pthread.h>

static int a, b, seen;

static void *look(void *arg)
{
    b = 1;
    seen = a; /* @read */
    b = -1;
    return arg;
}

static void *clear(void *arg)
{
    if (b < 0) /* @test */
        a = 0; /* @write */
    return arg;
}

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, look, NULL);
    pthread_create(&u, NULL, clear, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
