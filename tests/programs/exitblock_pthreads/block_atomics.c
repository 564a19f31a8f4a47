/* SPDX-License-Identifier: MIT */
/*
 * Each atomic operation is a block of its own: message passing and a counter.
 *
 * RUN    plait test -s dfs --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:plain --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:rw --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock:dd --keep-going
 * EXPECT clean complete
 *
 * RUN    plait test -s exitblock --keep-going
 * EXPECT clean complete
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int a, b, count;
static int seen;

static void *first(void *unused)
{
    (void)unused;
    atomic_store(&a, 1);
    atomic_fetch_add(&count, 1);
    atomic_store(&b, 1);
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    seen = atomic_load(&b);
    seen = seen * 10 + atomic_load(&a);
    int expected = 1;

    seen = seen * 10 + atomic_compare_exchange_strong(&count, &expected, 5);
    return NULL;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    printf("%d %d\n", seen, atomic_load(&count));
    return 0;
}
