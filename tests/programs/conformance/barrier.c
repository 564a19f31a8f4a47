/* SPDX-License-Identifier: MIT */
/*
 * A barrier holds everybody back until all have come, tells exactly one of them,
 * and can be used again at once.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 2, ROUNDS = 2 };

static pthread_barrier_t barrier;
static atomic_int arrived, serial[ROUNDS];

static void *thread(void *arg)
{
    for (int i = 0; i < ROUNDS; i++) {
        int rc;

        arrived++;
        rc = pthread_barrier_wait(&barrier);
        assert(arrived >= THREADS * (i + 1));
        assert(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD);
        if (rc == PTHREAD_BARRIER_SERIAL_THREAD)
            serial[i]++;
    }
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_barrier_init(&barrier, NULL, 0) == EINVAL);
    assert(pthread_barrier_init(&barrier, NULL, THREADS) == 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    for (int i = 0; i < ROUNDS; i++)
        assert(serial[i] == 1);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
