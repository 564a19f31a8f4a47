/* SPDX-License-Identifier: MIT */
/*
 * Recursion through nine tenths of the stack that the attribute asked for.
 *
 * RUN    plait test -s random -n 100
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 100
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 25 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>

enum { FRAME = 4096 };

static size_t recurse(size_t left)
{
    volatile char frame[FRAME];

    memset((char *)frame, 1, sizeof(frame));
    return left <= 2 * FRAME ? 1 : frame[7] + recurse(left - FRAME - 256);
}

static void *deep(void *arg)
{
    size_t size = (size_t)(uintptr_t)arg;

    assert(recurse(size / 10 * 9) > 10);
    return NULL;
}

int main(void)
{
    size_t sizes[] = {128 * 1024, 2 * 1024 * 1024};
    pthread_attr_t attr;
    pthread_t t[2];

    pthread_attr_init(&attr);
    for (int i = 0; i < 2; i++) {
        assert(pthread_attr_setstacksize(&attr, sizes[i]) == 0);
        assert(pthread_create(&t[i], &attr, deep, (void *)(uintptr_t)sizes[i]) == 0);
    }
    recurse(4 * 1024 * 1024); /* main's own stack has its usual size */
    for (int i = 0; i < 2; i++)
        assert(pthread_join(t[i], NULL) == 0);
    pthread_attr_destroy(&attr);
    return 0;
}
