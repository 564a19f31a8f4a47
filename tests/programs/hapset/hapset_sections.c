/* SPDX-License-Identifier: MIT */
/*
 * Two tests with the same code: what the first has taught does not keep the second from finding its
 * bug, which the first does not have.
 *
 * RUN    plait test -s hapset -k
 * EXPECT assertion incomplete message~total
 */
#include <assert.h>
#include <plait.h>
#include <pthread.h>
#include <stdint.h>

static volatile int total;

static void *add(void *arg)
{
    int seen = total;

    total = seen + 1;
    return arg;
}

static void test(void *least)
{
    pthread_t t;

    total = 0;
    pthread_create(&t, NULL, add, NULL);
    add(NULL);
    pthread_join(t, NULL);
    assert(total >= (intptr_t)least);
}

int main(void)
{
    plait_test(test, (void *)1);
    plait_test(test, (void *)2);
    return 0;
}
