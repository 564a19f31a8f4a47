/* SPDX-License-Identifier: MIT */
/*
 * Main polls what another thread counts on main's stack.  That thread goes on until it is told to
 * stop, so that time alone lets nobody go.  When main looks for the first time nobody else has
 * touched it.
 *
 * RUN    plait test -s random -n 30 --hang-time 5s
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pct -n 30 --hang-time 5s
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static volatile int wanted = 2;
static atomic_int stop;

static void *tick(void *ticks)
{
    while (!atomic_load(&stop)) {
        usleep(10000);
        atomic_fetch_add((atomic_int *)ticks, 1);
    }
    return NULL;
}

int main(void)
{
    atomic_int ticks = 0;
    pthread_t t;

    pthread_create(&t, NULL, tick, &ticks);
    while (ticks < wanted)
        usleep(5000);
    atomic_store(&stop, 1);
    pthread_join(t, NULL);
    assert(ticks >= 2);
    return 0;
}
