/* SPDX-License-Identifier: MIT */
/*
 * Two threads exchange values in rounds, a barrier between writing and reading and another
 * before the next round. Without the second one, a fast writer meets a slow reader.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * TSAN clean -DRACE=1: whoever leaves its barrier late takes up what others have left at
 *         the next one
 */
#include "two.h"

#ifndef RACE
#define RACE 0
#endif

static pthread_barrier_t gate;
static int cells[2], sums[2];

__attribute__((noinline)) static void round_of(int self)
{
    cells[self] = self; /* @here */
    pthread_barrier_wait(&gate);
    sums[self] += cells[1 - self]; /* @here */
    if (!RACE)
        pthread_barrier_wait(&gate);
}

static void *first(void *arg)
{
    round_of(0);
    round_of(0);
    return arg;
}

static void *second(void *arg)
{
    round_of(1);
    round_of(1);
    return arg;
}

int main(void)
{
    pthread_barrier_init(&gate, NULL, 2);
    return both(first, second);
}
