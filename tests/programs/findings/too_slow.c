/* SPDX-License-Identifier: MIT */
/*
 * Threads that go on from point to point for longer than --hang-time: nobody knows how
 * that would end, so it is no finding; and the next execution has its turn.
 *
 * RUN    plait test -s random -n 2 --hang-time=200ms
 * EXPECT clean exit=4 incomplete executions=2
 *
 * RUN    plait test -s random -n 2 --hang-time=200ms --restart fork
 * EXPECT clean exit=4 incomplete executions=2
 *
 * RUN    plait test -s random -n 2 --hang-time=200ms --restart exec
 * EXPECT clean exit=4 incomplete executions=2
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_long sum;

static void *work(void *arg)
{
    for (long i = 0; i < 100000000; i++)
        atomic_fetch_add(&sum, i);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    return 0;
}
