/* SPDX-License-Identifier: MIT */
/*
 * A thread runs on the stack that its creator supplies.
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
#include <stdlib.h>

enum { SIZE = 256 * 1024 };

static char *stack;

static void *look(void *arg)
{
    char here;

    assert(&here >= stack && &here < stack + SIZE);
    return arg;
}

int main(void)
{
    pthread_attr_t attr;
    pthread_t t;

    stack = aligned_alloc(4096, SIZE);
    pthread_attr_init(&attr);
    assert(pthread_attr_setstack(&attr, stack, SIZE) == 0);
    assert(pthread_create(&t, &attr, look, NULL) == 0);
    assert(pthread_join(t, NULL) == 0);
    pthread_attr_destroy(&attr);
    free(stack);
    return 0;
}
