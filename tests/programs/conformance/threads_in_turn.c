/* SPDX-License-Identifier: MIT */
/*
 * Five hundred threads one after the other: what a thread leaves is used again.
 *
 * RUN    plait test -s random -n 20
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 20
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 5 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int sum;

static void *thread(void *arg)
{
    sum += (int)(intptr_t)arg;
    return NULL;
}

int main(void)
{
    pthread_t t;

    for (int i = 1; i <= 500; i++) {
        assert(pthread_create(&t, NULL, thread, (void *)(intptr_t)i) == 0);
        assert(pthread_join(t, NULL) == 0);
    }
    assert(sum == 500 * 501 / 2);
    return 0;
}
