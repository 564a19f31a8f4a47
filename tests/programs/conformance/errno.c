/* SPDX-License-Identifier: MIT */
/*
 * errno is each thread's own, and stays over a switch.
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
#include <stdint.h>
#include <unistd.h>

static void *thread(void *arg)
{
    int mine = (int)(intptr_t)arg;

    errno = mine;
    sched_yield();
    assert(errno == mine);
    assert(close(-1) == -1 && errno == EBADF);
    sched_yield();
    assert(errno == EBADF);
    return &errno;
}

int main(void)
{
    pthread_t t[2];
    void *address[2];

    for (int i = 0; i < 2; i++)
        assert(pthread_create(&t[i], NULL, thread, (void *)(intptr_t)(1000 + i)) == 0);
    errno = 5;
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], &address[i]) == 0);
    assert(errno == 5);
    assert(address[0] != &errno && address[1] != &errno);
    return 0;
}
