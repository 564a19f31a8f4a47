/* SPDX-License-Identifier: MIT */
/*
 * Each passage of a barrier has one serial thread, also where a thread comes to the next passage
 * before others have left the last.
 *
 * FACE 0: a barrier for one; whoever comes is the serial thread.
 * FACE 1: two threads pass twice: two serial threads.
 * FACE 2: the serial thread destroys and frees the barrier, and the other needs it no more.
 * FACE 3: the same, and uses the memory for another barrier.
 *
 * RUN    -DFACE=0 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=1 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s random -n 200
 * EXPECT clean
 *
 * RUN    -DFACE=3 plait test -s dfs
 * EXPECT clean complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_barrier_t *barrier;
static atomic_int serial;

static void pass(void)
{
    if (pthread_barrier_wait(barrier) == 0)
        return;
    atomic_fetch_add(&serial, 1);
    if (FACE < 2)
        return;
    assert(pthread_barrier_destroy(barrier) == 0);
    if (FACE == 2) {
        free(barrier);
    } else {
        pthread_barrier_init(barrier, NULL, 1);
        pthread_barrier_wait(barrier);
    }
}

static void *run(void *arg)
{
    pass();
    if (FACE == 1)
        pass();
    return arg;
}

int main(void)
{
    pthread_t t;

    barrier = malloc(sizeof(*barrier));
    pthread_barrier_init(barrier, NULL, FACE == 0 ? 1 : 2);
    pthread_create(&t, NULL, run, NULL);
    run(NULL);
    pthread_join(t, NULL);
    assert(serial == (FACE < 2 ? 2 : 1));
    return 0;
}
