/* SPDX-License-Identifier: MIT */
/*
 * Two threads change the same memory by code that has no hooks: -DHOW says which.  Assembly (0), a
 * function that was left out of the instrumentation (1), two bit-fields in one byte (2), a
 * structure that is given by value (3) or returned (4), what the compiler makes of
 * __builtin_memset() (5), a store that goes past the cache (6).
 *
 * Each of these accesses is a point, and what reads and writes is two: an update gets lost.  With
 * -DLOCKED a mutex keeps them apart: nothing is lost, and nothing but the order of the two matters.
 *
 * -DSPINNING waits in a loop of assembly.
 *
 * RUN    plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    plait test -s dfs
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=1 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=2 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=3 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=4 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=5 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DHOW=6 plait test -s dpor
 * EXPECT assertion exit=1
 *
 * RUN    -DLOCKED plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DLOCKED -DHOW=1 plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DLOCKED -DHOW=3 plait test -s dpor
 * EXPECT clean complete classes=2
 *
 * RUN    -DSPINNING plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DSPINNING plait test -s random -n 50
 * EXPECT clean
 */
#include <assert.h>
#include <emmintrin.h>
#include <pthread.h>

#ifndef HOW
#define HOW 0
#endif

struct box {
    long left, top, right, bottom;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count, taken;
static long width, table[8] = {5, 5, 5, 5, 5, 5, 5, 5};
static struct box box;
static struct {
    unsigned ready : 1, closed : 1;
} flags;

static void lock(void)
{
#ifdef LOCKED
    pthread_mutex_lock(&mutex);
#endif
}

static void unlock(void)
{
#ifdef LOCKED
    pthread_mutex_unlock(&mutex);
#endif
}

#ifdef SPINNING

static void *first(void *arg)
{
    int old = 1;

    for (;;) {
        __asm__ volatile("xchgl %0, %1" : "+r"(old), "+m"(taken) : : "memory");
        if (old == 0)
            break;
        __asm__ volatile("pause");
    }
    count++;
    __asm__ volatile("movl $0, %0" : "=m"(taken) : : "memory");
    return arg;
}

#define second first
static void check(void)
{
    assert(count == 2);
}

#elif HOW == 0

static void *first(void *arg)
{
    int value;

    lock();
    __asm__ volatile("movl %1, %0" : "=r"(value) : "m"(count));
    __asm__ volatile("addl $1, %0" : "+r"(value));
    __asm__ volatile("movl %1, %0" : "=m"(count) : "r"(value));
    unlock();
    return arg;
}

#define second first
static void check(void)
{
    assert(count == 2);
}

#elif HOW == 1

__attribute__((noinline, no_sanitize("thread"))) static void add(void)
{
    ++*(volatile int *)&count;
}

static void *first(void *arg)
{
    lock();
    add();
    unlock();
    return arg;
}

#define second first
static void check(void)
{
    assert(count == 2);
}

#elif HOW == 2

static void *first(void *arg)
{
    flags.ready = 1;
    return arg;
}

static void *second(void *arg)
{
    flags.closed = 1;
    return arg;
}

static void check(void)
{
    assert(flags.ready && flags.closed);
}

#elif HOW == 3

static void *first(void *arg)
{
    lock();
    *(volatile long *)&box.left = 100;
    *(volatile long *)&box.right = 100;
    unlock();
    return arg;
}

__attribute__((noinline)) static void measure(struct box b)
{
    width = b.right - b.left;
}

static void *second(void *arg)
{
    lock();
    measure(box);
    unlock();
    return arg;
}

static void check(void)
{
    assert(width == 0);
}

#elif HOW == 4

__attribute__((noinline)) static struct box made(long n)
{
    struct box b = {n, n, n, n};

    return b;
}

static void *first(void *arg)
{
    box = made(100);
    return arg;
}

static void *second(void *arg)
{
    box.right++;
    return arg;
}

static void check(void)
{
    assert(box.right >= 100);
}

#elif HOW == 5

static void *first(void *arg)
{
    __builtin_memset(table, 0, sizeof(table));
    return arg;
}

static void *second(void *arg)
{
    table[3]++;
    return arg;
}

static void check(void)
{
    assert(table[3] <= 1);
}

#else

static void *first(void *arg)
{
    _mm_stream_si32(&count, 100);
    _mm_sfence();
    return arg;
}

static void *second(void *arg)
{
    count++;
    return arg;
}

static void check(void)
{
    assert(count >= 100);
}

#endif

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, 0, first, 0);
    pthread_create(&b, 0, second, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    check();
    (void)width, (void)table, (void)box, (void)flags, (void)taken, (void)count;
    (void)lock, (void)unlock, (void)mutex;
    return 0;
}
