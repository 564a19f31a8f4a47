/* SPDX-License-Identifier: MIT */
/*
 * A thread waits for one of two futexes.  Whoever changes a word wakes it; with -DLOST the second
 * one forgets to, and the thread may wait for ever.
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    plait test -s noise -n 30
 * EXPECT clean
 *
 * RUN    -DLOST plait test -s dfs
 * EXPECT deadlock
 *
 * RUN    -DLOST plait test -s dpor
 * EXPECT deadlock
 *
 * RUN    native
 * EXPECT exit=0
 */
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint32_t words[2];

static void *change(void *which)
{
    _Atomic uint32_t *word = which;

    *word = 1;
#ifdef LOST
    if (word == &words[1])
        return NULL;
#endif
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return NULL;
}

int main(void)
{
    struct futex_waitv list[2] = {
        {.uaddr = (uintptr_t)&words[0], .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG},
        {.uaddr = (uintptr_t)&words[1], .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG}};
    pthread_t other;

    pthread_create(&other, NULL, change, &words[1]);
    while (words[1] == 0) {
        long rc = syscall(SYS_futex_waitv, list, 2, 0, NULL, CLOCK_MONOTONIC);

        assert(rc == 1 || rc == -1);
    }
    pthread_join(other, NULL);
    return 0;
}
