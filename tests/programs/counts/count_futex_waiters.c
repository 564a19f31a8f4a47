/* SPDX-License-Identifier: MIT */
/*
 * Two threads wait at a futex, each for another value, for a while only; one call wakes both.  To
 * wait before that call is another order than to wait behind it, although the call does not change
 * the word that is looked at.
 *
 * RUN    plait test -s dpor --time-outs any -k
 * EXPECT assertion complete classes=23
 *
 * RUN    plait test -s dpor:source --time-outs any -k
 * EXPECT assertion complete classes=23
 *
 * RUN    plait test -s dfs --time-outs any -k
 * EXPECT assertion complete classes=23
 */
#define _GNU_SOURCE
#include <assert.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static long call(int operation, int value)
{
    struct timespec time = {.tv_nsec = 300000};

    return syscall(SYS_futex, &word, operation, value,
                   operation == FUTEX_WAIT_PRIVATE ? &time : NULL, NULL, 0);
}

static void *wait_for(void *arg)
{
    call(FUTEX_WAIT_PRIVATE, arg != NULL);
    return arg;
}

int main(void)
{
    pthread_t t[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], NULL, wait_for, i ? t : NULL);
    atomic_store(&word, 1);
    long woken = call(FUTEX_WAKE_PRIVATE, 3);

    atomic_store(&word, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    assert(woken < 2);
    return 0;
}
