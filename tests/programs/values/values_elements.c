/* SPDX-License-Identifier: MIT */
/*
 * Each thread has an element of an array, after figure 6.15 of Chen's thesis: which one is in a
 * field that nobody changes any more.  No pair can be shown.
 *
 * RUN    [clang] [whole] --whole plait test -s values -k
 * EXPECT clean complete classes=1 judged~RW @add<@add: impossible: no execution came to both
 *
 * RUN    [clang] plait test -s dpor -k
 * EXPECT clean complete classes=1
 */
#include <pthread.h>

static long cells[2];
static struct worker {
    long *own;
} workers[2];

static void *work(void *arg)
{
    struct worker *me = arg;

    *me->own += 1; /* @add */
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        workers[i].own = &cells[i];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, work, &workers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return cells[0] + cells[1] != 2;
}
