/* SPDX-License-Identifier: MIT */
/*
 * Every atomic operation on 1, 2, 4 and 8 bytes, with its result; and sums that
 * come out right between two threads.
 *
 * RUN    plait test -s random -n 60
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 60
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 15 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define ALL(type)                                                                             \
    static _Atomic type shared_##type;                                                        \
                                                                                              \
    static void private_##type(void)                                                          \
    {                                                                                         \
        static _Atomic type a;                                                                \
        _Atomic type *p = &a;                                                                 \
        type expected, max = (type)-1;                                                        \
                                                                                              \
        atomic_store(p, 5);                                                                   \
        assert(atomic_load(p) == 5);                                                          \
        assert(atomic_exchange(p, 6) == 5 && *p == 6);                                        \
        assert(atomic_fetch_add(p, 3) == 6 && *p == 9);                                       \
        assert(atomic_fetch_sub(p, 10) == 9 && *p == max);                                    \
        assert(atomic_fetch_and(p, 0x0f) == max && *p == 0x0f);                               \
        assert(atomic_fetch_or(p, 0x30) == 0x0f && *p == 0x3f);                               \
        assert(atomic_fetch_xor(p, 0x11) == 0x3f && *p == 0x2e);                              \
        assert(__atomic_fetch_nand((type *)p, 0x0f, __ATOMIC_SEQ_CST) == 0x2e);               \
        assert(*p == (type) ~(0x2e & 0x0f));                                                  \
        *p = 1;                                                                               \
        assert(__atomic_nand_fetch((type *)p, 1, __ATOMIC_SEQ_CST) == (type)~1);              \
        *p = 7;                                                                               \
        expected = 8;                                                                         \
        assert(!atomic_compare_exchange_strong(p, &expected, 1) && expected == 7 && *p == 7); \
        assert(atomic_compare_exchange_strong(p, &expected, 1) && expected == 7 && *p == 1);  \
        expected = 1;                                                                         \
        while (!atomic_compare_exchange_weak(p, &expected, 2))                                \
            assert(expected == 1);                                                            \
        ++*p;                                                                                 \
        (*p)++;                                                                               \
        *p += 2;                                                                              \
        --*p;                                                                                 \
        assert(*p == 5);                                                                      \
        assert(__sync_fetch_and_add((type *)p, 1) == 5 &&                                     \
               __sync_add_and_fetch((type *)p, 1) == 7);                                      \
        assert(__sync_bool_compare_and_swap((type *)p, 7, 9));                                \
        assert(__sync_val_compare_and_swap((type *)p, 7, 1) == 9);                            \
        assert(__sync_lock_test_and_set((type *)p, 1) == 9);                                  \
        __sync_lock_release((type *)p);                                                       \
        assert(*p == 0);                                                                      \
    }                                                                                         \
                                                                                              \
    static void together_##type(void)                                                         \
    {                                                                                         \
        type old = atomic_load_explicit(&shared_##type, memory_order_relaxed);                \
                                                                                              \
        atomic_fetch_add_explicit(&shared_##type, 1, memory_order_acq_rel);                   \
        while (!atomic_compare_exchange_weak(&shared_##type, &old, (type)(old + 1)))          \
            ;                                                                                 \
    }

ALL(uint8_t)
ALL(uint16_t)
ALL(uint32_t)
ALL(uint64_t)

static void *thread(void *arg)
{
    together_uint8_t();
    together_uint16_t();
    together_uint32_t();
    together_uint64_t();
    return arg;
}

int main(void)
{
    pthread_t t;

    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    private_uint8_t();
    private_uint16_t();
    private_uint32_t();
    private_uint64_t();
    thread(NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(shared_uint8_t == 4 && shared_uint16_t == 4);
    assert(shared_uint32_t == 4 && shared_uint64_t == 4);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_seq_cst);
    return 0;
}
