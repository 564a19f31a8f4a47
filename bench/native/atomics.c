/* SPDX-License-Identifier: MIT */
/* Atomic operations of every sort, in two threads that meet now and then only. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 2, STEPS = 200000, SHARED_EVERY = 256 };

struct counter {
    atomic_long value;
    atomic_int spin;
    char apart[128]; /* no two counters in one cache line */
};

static struct counter own[THREADS], common;
static long rounds = 1;

static void bump(struct counter *c)
{
    long seen = atomic_load_explicit(&c->value, memory_order_acquire);

    while (!atomic_compare_exchange_weak(&c->value, &seen, seen + 1))
        ;
    atomic_fetch_add_explicit(&c->spin, 1, memory_order_relaxed);
    atomic_store_explicit(&c->spin, 0, memory_order_release);
}

static void *work(void *arg)
{
    for (long i = 0; i < rounds * STEPS; i++)
        bump(i % SHARED_EVERY == 0 ? &common : arg);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[THREADS];

    if (argc > 1)
        rounds = atol(argv[1]);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, &own[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", own[0].value + own[1].value + common.value);
    return 0;
}
