/* SPDX-License-Identifier: MIT */
/*
 * A loop that changes memory on every round and so is no livelock, but never
 * ends: found by the number of points.
 *
 * RUN    plait test -s random -n 100 --max-steps=5000
 * EXPECT hang|livelock exit=1 replay=1
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint rounds;
static atomic_int stop;

static void *other(void *arg)
{
    while (!stop)
        atomic_fetch_add(&rounds, 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    pthread_join(t, NULL); /* nobody sets stop */
    return (int)rounds & 1;
}
