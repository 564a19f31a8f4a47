/* SPDX-License-Identifier: MIT */
/*
 * A semaphore is polled with sem_trywait.  With -DNEVER=1 nobody posts.
 *
 * RUN    plait test -s random -n 1000
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete exit=0
 *
 * RUN    -DNEVER=1 plait test -s random -n 100
 * EXPECT livelock exit=1
 *
 * RUN    -DNEVER=1 plait test -s dfs
 * EXPECT livelock exit=1
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>

static sem_t ready;
static volatile int data;

static void *setter(void *arg)
{
    data = 42;
#ifndef NEVER
    sem_post(&ready);
#endif
    return arg;
}

int main(void)
{
    pthread_t t;

    sem_init(&ready, 0, 0);
    pthread_create(&t, NULL, setter, NULL);
    while (sem_trywait(&ready) != 0)
        sched_yield();
    assert(data == 42);
    pthread_join(t, NULL);
    return 0;
}
