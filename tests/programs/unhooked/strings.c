/* SPDX-License-Identifier: MIT */
/*
 * A copy or a fill by one instruction that repeats itself is as little one step as a loop would be:
 * whoever reads in between sees a part of it.  -DHOW: a copy (0), a copy of what nobody else has
 * (1), a copy to where nobody else looks (2), a fill (3).  With -DORDERED the looks are in the
 * order of the copy, so that what is new is never behind what is old.  -DSIZE=4: as little as a
 * word is one step here, which the verdict says.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion
 *
 * RUN    plait test -s dfs
 * EXPECT assertion
 *
 * RUN    -DHOW=1 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DHOW=2 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DHOW=3 plait test -s dpor
 * EXPECT assertion
 *
 * RUN    -DORDERED plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DORDERED -DHOW=3 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DORDERED -DSIZE=4 plait test -s dpor
 * EXPECT clean incomplete ended~rep.with.few.bytes
 */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#ifndef HOW
#define HOW 0
#endif
#ifndef SIZE
#define SIZE 24
#endif

static volatile char from[SIZE], to[SIZE];
static char first, last;

static void copy(volatile char *target, const volatile char *source, size_t n)
{
    __asm__ volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(n) : : "memory");
}

static void fill(volatile char *target, int byte, size_t n)
{
    n /= 8;
    __asm__ volatile("rep stosq"
                     : "+D"(target), "+c"(n)
                     : "a"(0x0101010101010101 * (uint64_t)byte)
                     : "memory");
}

static void *change(void *arg)
{
    char own[SIZE];

    if (HOW == 1) {
        for (int i = 0; i < SIZE; i++)
            own[i] = 1;
        copy(to, own, SIZE);
    } else if (HOW == 2) {
        copy(own, from, SIZE);
        first = own[SIZE - 1];
        last = own[0];
    } else if (HOW == 3) {
        fill(to, 1, SIZE);
    } else {
        copy(to, from, SIZE);
    }
    return arg;
}

/* Of (2) the other thread writes, the one before looks. */
static void *look(void *arg)
{
    if (HOW == 2) {
        from[0] = 1;
        from[SIZE - 1] = 1;
        return arg;
    }
#ifdef ORDERED
    last = to[SIZE - 1];
    first = to[0];
#else
    first = to[0];
    last = to[SIZE - 1];
#endif
    return arg;
}

int main(void)
{
    pthread_t a, b;

    if (HOW == 0) {
        for (int i = 0; i < SIZE; i++)
            from[i] = 1;
    }
    pthread_create(&a, NULL, change, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef ORDERED
    assert(first >= last);
#elif HOW == 2
    assert(first <= last);
#else
    assert(first == last);
#endif
    return 0;
}
