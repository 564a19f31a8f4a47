/* SPDX-License-Identifier: MIT */
/*
 * _Thread_local variables, initialised and not, are each thread's own.
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
#include <pthread.h>
#include <stdint.h>

static _Thread_local int initialised = 42, zero;
static _Thread_local char large[3000];
static int *addresses[3];

static void *thread(void *arg)
{
    intptr_t mine = (intptr_t)arg;

    assert(initialised == 42 && zero == 0 && large[2999] == 0);
    addresses[mine] = &zero;
    zero = (int)mine;
    large[2999] = (char)mine;
    sched_yield();
    assert(zero == mine && large[2999] == mine);
    initialised = 0;
    return NULL;
}

int main(void)
{
    pthread_t t[2];

    for (intptr_t i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, thread, (void *)(i + 1)) == 0);
    thread((void *)0);
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    assert(addresses[0] != addresses[1] && addresses[0] != addresses[2]);
    /* A thread that starts on what another has left behind finds it fresh. */
    assert(pthread_create(&t[0], NULL, thread, (void *)1) == 0);
    assert(pthread_join(t[0], NULL) == 0);
    return 0;
}
