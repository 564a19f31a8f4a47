/* SPDX-License-Identifier: MIT */
/*
 * A failure after some hundred thousand choices: its schedule is packed, replays,
 * and is not minimised.
 *
 * RUN    plait test -s random -n 1
 * EXPECT assertion exit=1 replay=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ROUNDS
#define ROUNDS 200000
#endif

static atomic_long sum;

static void *work(void *arg)
{
    for (int i = 0; i < ROUNDS; i++)
        atomic_fetch_add(&sum, 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(sum != 2L * ROUNDS);
    return 0;
}
