/* SPDX-License-Identifier: MIT */
/*
 * A thread waits in a loop for a word; who changes it is detached, and the program may end before
 * he wakes anybody.  A round of the loop whose beginning was repeated and whose end was new was
 * taken for one that could be left out, but for its beginning: the search gave up, and said that
 * the program did not repeat itself.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=3
 *
 * RUN    plait test -s dpor:source
 * EXPECT clean complete classes=3
 *
 * RUN    -DINNER plait test -s dpor
 * EXPECT clean complete classes=3
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=3
 *
 * RUN    -DINNER plait test -s dfs
 * EXPECT clean complete classes=3
 */
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int word = 1;
static pthread_t waker;

static void *wake(void *arg)
{
    __atomic_store_n(&word, 0, __ATOMIC_RELEASE);
    syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
    return arg;
}

static void make(void)
{
    pthread_create(&waker, NULL, wake, NULL);
}

static void *await(void *arg)
{
#ifdef INNER
    make();
#endif
    pthread_detach(waker);
    while (__atomic_load_n(&word, __ATOMIC_ACQUIRE) == 1)
        syscall(SYS_futex, &word, FUTEX_WAIT, 1, NULL, NULL, 0);
    return arg;
}

int main(void)
{
    pthread_t waiter;

#ifndef INNER
    make();
#endif
    pthread_create(&waiter, NULL, await, NULL);
    pthread_join(waiter, NULL);
    return 0;
}
