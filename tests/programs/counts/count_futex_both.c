/* SPDX-License-Identifier: MIT */
/*
 * One call wakes two threads at a futex: which of them first is no choice.
 *
 * RUN    plait test -s dpor
 * EXPECT clean complete classes=4 executions=5
 *
 * RUN    plait test -s dfs
 * EXPECT clean complete classes=4
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_int word;

static void *waiter(void *arg)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return arg;
}

int main(void)
{
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, waiter, NULL);
    word = 2;
    syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 2, NULL, NULL, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
