/* SPDX-License-Identifier: MIT */
/*
 * A spin lock in assembly, which plait does not see if it is told not to look: whoever spins is
 * preempted after a while, so that the owner goes on, and the search says that it is not complete.
 * Otherwise it is a lock like any other.
 *
 * RUN    plait test -s dpor -n 6 --hooks-only
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s random -n 4 --hooks-only
 * EXPECT clean incomplete exit=0
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <pthread.h>

static int taken, count;

static void lock(void)
{
    int old;

    do {
        old = 1;
        __asm__ volatile("xchgl %0, %1\n\tpause" : "+r"(old), "+m"(taken) : : "memory");
    } while (old != 0);
}

static void unlock(void)
{
    __asm__ volatile("movl $0, %0" : "=m"(taken) : : "memory");
}

static void *add(void *arg)
{
    lock();
    count++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t a, b;

    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
