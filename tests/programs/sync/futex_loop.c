/* SPDX-License-Identifier: MIT */
/*
 * A thread waits at a futex in a loop: whoever stores and wakes it has ended an iteration that did
 * not go round for nothing.
 *
 * FACE 0: FUTEX_WAIT.  FACE 1: FUTEX_WAIT_BITSET.  FACE 2: woken after it was moved to another
 * word. FACE 3: woken for others only, it waits for ever.
 *
 * RUN    -DFACE=0 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=0 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFACE=1 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    -DFACE=2 plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    -DFACE=3 plait test -s dpor
 * EXPECT deadlock
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word, other;

static long futex(atomic_int *at, int operation, int value, long second, atomic_int *moved,
                  unsigned bits)
{
    return syscall(SYS_futex, at, operation, value, second, moved, bits);
}

static void *wait_for_it(void *arg)
{
    while (word == 0)
        futex(&word, FACE == 0 || FACE == 2 ? FUTEX_WAIT : FUTEX_WAIT_BITSET, 0, 0, NULL, 1);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, wait_for_it, NULL);
    if (FACE == 2)
        futex(&word, FUTEX_REQUEUE, 1, 9, &other, 0);
    word = 1;
    futex(&word, FACE == 0 || FACE == 2 ? FUTEX_WAKE : FUTEX_WAKE_BITSET, 1, 0, NULL,
          FACE == 3 ? 2 : 3);
    if (FACE == 2)
        futex(&other, FUTEX_WAKE, 9, 0, NULL, 0);
    pthread_join(t, NULL);
    return 0;
}
