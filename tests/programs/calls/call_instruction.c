/* SPDX-License-Identifier: MIT */
/*
 * A lock whose threads wait by the instruction itself, not by a function of libc: who waits is
 * parked, who unlocks wakes it.  With -DSTALE the waiter is not woken.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DSTALE=1 plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>

#ifndef STALE
#define STALE 0
#endif

static atomic_int word;
static int count;

static long call(int operation, int value)
{
    register long timeout __asm__("r10") = 0;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(SYS_futex), "D"(&word), "S"(operation), "d"(value), "r"(timeout)
                     : "rcx", "r11", "memory");
    return result;
}

static void lock(void)
{
    int expected = 0;

    if (atomic_compare_exchange_strong(&word, &expected, 1))
        return;
    while (atomic_exchange(&word, 2) != 0)
        call(FUTEX_WAIT, 2);
}

static void unlock(void)
{
    if (atomic_exchange(&word, 0) == 2 && !STALE)
        call(FUTEX_WAKE, 1);
}

static void *work(void *arg)
{
    lock();
    count++;
    unlock();
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, work, NULL);
    work(NULL);
    pthread_join(t, NULL);
    assert(count == 2);
    return 0;
}
