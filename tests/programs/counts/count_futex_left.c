/* SPDX-License-Identifier: MIT */
/*
 * One thread leaves a futex before or after another begins to wait there.  Whether the other waits
 * at all depends on the word: what it does before that is stored is more than what it does then.
 * So a third that wakes comes before a wait that comes before the store, too (BEFORE; dpor had 4
 * classes).  Who waits for one of two words is at the first before it looks at the second, and has
 * left it if it does not wait there (TWO; dpor had 3 of 4 outcomes, and called that complete).
 *
 * RUN    plait test -s dpor --time-outs any -k
 * EXPECT deadlock complete classes=5
 *
 * RUN    plait test -s dpor:source --time-outs any -k
 * EXPECT deadlock complete classes=5
 *
 * RUN    plait test -s dfs --time-outs any -k
 * EXPECT deadlock complete classes=5
 *
 * RUN    -DBEFORE plait test -s dpor
 * EXPECT clean complete classes=5 executions=6
 *
 * RUN    -DBEFORE plait test -s dfs
 * EXPECT clean complete classes=5
 *
 * RUN    -DTWO plait test -s dpor
 * EXPECT clean complete classes=3 executions=4 exit=0
 *
 * RUN    -DTWO plait test -s dfs
 * EXPECT clean complete classes=3 exit=0
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static void *waits(void *time)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, time, NULL, 0);
    return NULL;
}

#if defined(BEFORE) || defined(TWO)
static _Alignas(64) atomic_int other;
#endif

#ifdef BEFORE
static void *wakes(void *arg)
{
    syscall(SYS_futex, &word, FUTEX_WAKE_OP_PRIVATE, 1, 0L, &other,
            FUTEX_OP(FUTEX_OP_ADD, 1, FUTEX_OP_CMP_EQ, 1));
    return arg;
}
#endif

#ifdef TWO
static void *waits_for_two(void *arg)
{
    struct futex_waitv two[2] = {
        {.uaddr = (uintptr_t)&word, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG},
        {.val = 1, .uaddr = (uintptr_t)&other, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG}};

    return syscall(449, two, 2, 0, NULL, CLOCK_MONOTONIC) == 0 ? &other : arg;
}
#endif

int main(void)
{
    struct timespec time = {.tv_nsec = 300000};
    pthread_t one, two;

#ifdef TWO
    void *woken;

    (void)two;
    (void)time;
    pthread_create(&one, NULL, waits_for_two, NULL);
    (void)waits;
    word = 1;
    long n = syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);

    pthread_join(one, &woken);
    return (n == 1) != (woken != NULL);
#endif
    pthread_create(&one, NULL, waits, NULL);
#ifdef BEFORE
    (void)time;
    pthread_create(&two, NULL, wakes, NULL);
    word = 1;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
#endif
    pthread_create(&two, NULL, waits, &time);
    word = 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
