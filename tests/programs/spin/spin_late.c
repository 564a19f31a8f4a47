/* SPDX-License-Identifier: MIT */
/*
 * What fails in the eighth round of a loop that goes round until it is told to stop.  A search lets
 * threads make three rounds while others can go on, and says so; the samples of `auto` go on behind
 * that.
 *
 * RUN    plait test
 * EXPECT assertion exit=1 location~@late
 *
 * RUN    -DRIGHT plait test -t 10s
 * EXPECT clean exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int stop, changes;

static void *look(void *arg)
{
    for (int round = 1; !atomic_load(&stop); round++) {
        int seen = atomic_load(&changes);
#ifdef RIGHT
        assert(atomic_load(&changes) >= seen);
#else
        assert(round != 8 || atomic_load(&changes) == seen); /* @late */
#endif
        usleep(1000);
    }
    return arg;
}

static void *change(void *arg)
{
    for (int i = 0; i < 6; i++) {
        usleep(2000);
        atomic_fetch_add(&changes, 1);
    }
    return arg;
}

int main(void)
{
    pthread_t looks, changer;

    pthread_create(&looks, NULL, look, NULL);
    pthread_create(&changer, NULL, change, NULL);
    usleep(20000);
    atomic_store(&stop, 1);
    pthread_join(looks, NULL);
    pthread_join(changer, NULL);
    return 0;
}
