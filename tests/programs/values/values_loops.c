/* SPDX-License-Identifier: MIT */
/*
 * Statements that come several times, after figures 6.9 and 6.10 of Chen's thesis, and a function
 * that is chosen by a value, after 6.13: called through a pointer, it may access nothing.
 *
 * RUN    [clang] [whole] --whole plait test -s values -k
 * EXPECT clean complete classes=9
 *
 * RUN    [clang] [whole] -DTWICE --whole plait test -s values -k
 * EXPECT clean complete classes=34
 *
 * RUN    [clang] [whole] -DCHOSEN --whole plait test -s values -k
 * EXPECT clean complete classes=14
 *
 * RUN    [clang] -DCHOSEN plait test -s dpor -k
 * EXPECT clean complete classes=14
 */
#include <pthread.h>

#ifdef CHOSEN
static int x = 10;
#else
static int x;
#endif

static void *take(void *arg)
{
    for (int i = 0; i < 2; i++)
        x -= 10;
    return arg;
}

#ifdef CHOSEN
static void withdraw(void)
{
    x -= 10;
}

static void refuse(void)
{
}

static void (*const managers[])(void) = {withdraw, refuse};

static void *other(void *arg)
{
    managers[x < 0]();
    return arg;
}
#else
static void *other(void *arg)
{
#ifdef TWICE
    for (int i = 0; i < 2; i++)
#endif
        x += 10;
    return arg;
}
#endif

int main(void)
{
    pthread_t t, u;

    pthread_create(&t, NULL, take, NULL);
    pthread_create(&u, NULL, other, NULL);
    pthread_join(t, NULL);
    pthread_join(u, NULL);
    return 0;
}
