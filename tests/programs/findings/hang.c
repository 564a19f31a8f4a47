/* SPDX-License-Identifier: MIT */
/*
 * A loop without any operation that does not end when the threads come in one
 * order: only the clock can tell.
 *
 * RUN    plait test -s random -n 1000 --hang-time=300ms
 * EXPECT hang exit=1 replay=1
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int start;

static void *other(void *arg)
{
    int n = start;

    while (n != 0)
        __asm__ volatile("" : "+r"(n));
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, other, NULL);
    start = 1;
    pthread_join(t, NULL);
    return 0;
}
