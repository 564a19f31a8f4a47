/* SPDX-License-Identifier: MIT */
/*
 * A new thread begins with the floating-point environment of its creator, as that was when it was
 * created, and what each does to its own stays there.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s random -n 20 --carrier=thread
 * EXPECT clean
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>

enum { ROUND = 0x6000, DOWN = 0x2000, UP = 0x4000, X87_ROUND = 0x0c00, X87_DOWN = 0x0400 };

static unsigned mode(void)
{
    unsigned mxcsr;

    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    return mxcsr & ROUND;
}

static void set_mode(unsigned to)
{
    unsigned mxcsr;

    __asm__ volatile("stmxcsr %0" : "=m"(mxcsr));
    mxcsr = (mxcsr & ~(unsigned)ROUND) | to;
    __asm__ volatile("ldmxcsr %0" : : "m"(mxcsr));
}

static unsigned short control(void)
{
    unsigned short word;

    __asm__ volatile("fnstcw %0" : "=m"(word));
    return word;
}

static void *run(void *arg)
{
    assert(mode() == DOWN && (control() & X87_ROUND) == X87_DOWN);
    set_mode(UP);
    sched_yield();
    assert(mode() == UP);
    return arg;
}

int main(void)
{
    unsigned short word = (unsigned short)((control() & ~X87_ROUND) | X87_DOWN);
    pthread_t t;

    set_mode(DOWN);
    __asm__ volatile("fldcw %0" : : "m"(word));
    pthread_create(&t, NULL, run, NULL);
    set_mode(0);
    sched_yield();
    assert(mode() == 0);
    pthread_join(t, NULL);
    return 0;
}
