/* SPDX-License-Identifier: MIT */
/*
 * Atomic operations on sixteen bytes: never torn, and compared as a whole.
 *
 * RUN    -mcx16 -latomic plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    -mcx16 -latomic plait test -s dfs -n 500
 * EXPECT clean exit=0
 *
 * RUN    -mcx16 -latomic -DTORN=1 plait test -s random -n 1000
 * EXPECT assertion exit=1
 *
 * RUN    -mcx16 -latomic native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

typedef unsigned __int128 pair;

static _Alignas(16) pair shared;

static pair twice(uint64_t n)
{
    return (pair)n << 64 | n;
}

static pair load(void)
{
#ifdef TORN
    volatile uint64_t *half = (volatile uint64_t *)&shared;
    uint64_t low = half[0];

    return (pair)half[1] << 64 | low;
#else
    return __atomic_load_n(&shared, __ATOMIC_SEQ_CST);
#endif
}

static void *thread(void *arg)
{
    pair seen = load();

    assert((uint64_t)seen == (uint64_t)(seen >> 64));
    __atomic_store_n(&shared, twice(1), __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&shared, twice(1), __ATOMIC_SEQ_CST);
    seen = load();
    assert((uint64_t)seen == (uint64_t)(seen >> 64));
    while (!__atomic_compare_exchange_n(&shared, &seen, seen + twice(2), 0, __ATOMIC_SEQ_CST,
                                        __ATOMIC_SEQ_CST))
        assert((uint64_t)seen == (uint64_t)(seen >> 64));
    seen = __atomic_exchange_n(&shared, twice(9), __ATOMIC_SEQ_CST);
    assert((uint64_t)seen == (uint64_t)(seen >> 64));
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(shared == twice(9));
    return 0;
}
