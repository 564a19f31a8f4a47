/* SPDX-License-Identifier: MIT */
/*
 * Three threads draw tickets by an atomic addition: every order of them is one to be seen, however
 * the result is used.  Nobody looks at the result with -DDROPPED: then there is one class.
 *
 * RUN    plait test -s dpor -k
 * EXPECT assertion complete
 *
 * RUN    -DHIGH_BYTE plait test -s dpor -k
 * EXPECT assertion complete
 *
 * RUN    -DOVER_CALL plait test -s dpor -k
 * EXPECT assertion complete
 *
 * RUN    -DOVER_ASSEMBLY plait test -s dpor -k
 * EXPECT assertion complete
 *
 * RUN    -DJUMPED plait test -s dpor -k
 * EXPECT assertion complete
 *
 * RUN    [clang] -mcx16 -DWIDE plait test -s dpor -k
 * EXPECT assertion complete
 *
 * RUN    [gcc] -DDROPPED plait test -s dpor
 * EXPECT clean complete classes=1
 *
 * RUN    [clang] [O2] -DDROPPED plait test -s dpor
 * EXPECT clean complete classes=1
 *
 * RUN    [gcc] -DDROPPED plait test -s dfs
 * EXPECT clean complete classes=1
 */
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static unsigned counter;
static const unsigned name_of[256] = {0, 1, 2};

#if defined(HIGH_BYTE)
static unsigned ticket(void)
{
    unsigned old = __atomic_fetch_add(&counter, 256, __ATOMIC_SEQ_CST);

    return name_of[old >> 8 & 255]; /* compilers take the second byte from %ah */
}
#elif defined(OVER_CALL)
static __attribute__((noinline)) void relax(void)
{
    __asm__ volatile("pause");
}

static __attribute__((noinline)) unsigned ticket(void)
{
    unsigned old = __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);

    relax(); /* which leaves %rax as it is, as compilers know */
    return name_of[old];
}
#elif defined(OVER_ASSEMBLY)
/* Saved and restored by hand. */
static __attribute__((noinline)) unsigned ticket(void)
{
    unsigned old = __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);

    __asm__ volatile("lea -128(%%rsp), %%rsp; push %%rax; xor %%eax, %%eax; pop %%rax;"
                     "lea 128(%%rsp), %%rsp"
                     : "+a"(old)
                     :
                     : "cc", "memory");
    return name_of[old];
}
#elif defined(JUMPED)
static unsigned ticket(void)
{
    unsigned old = __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);

    switch (old) {
    case 0:
        return 0;
    case 1:
        return 1;
    default:
        return 2;
    }
}
#elif defined(WIDE)
static unsigned __int128 wide;

static unsigned ticket(void)
{
    unsigned __int128 one = (unsigned __int128)1 << 64;

    return (unsigned)(__atomic_fetch_add(&wide, one, __ATOMIC_SEQ_CST) >> 64);
}
#elif defined(DROPPED)
static unsigned ticket(void)
{
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return 0;
}
#else
static unsigned ticket(void)
{
    return name_of[__atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST)];
}
#endif

static unsigned place[3];

static void *worker(void *arg)
{
    place[(intptr_t)arg] = ticket();
    return arg;
}

int main(void)
{
    pthread_t t[2];

    pthread_create(&t[0], 0, worker, (void *)1);
    pthread_create(&t[1], 0, worker, (void *)2);
    worker(0);
    pthread_join(t[0], 0);
    pthread_join(t[1], 0);
    assert(place[0] * 100 + place[1] * 10 + place[2] != 201);
    return counter + name_of[0] > 1000;
}
