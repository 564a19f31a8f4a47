/* SPDX-License-Identifier: MIT */
/*
 * Waits at a futex end by their time-outs while others wake: who is woken has not gone already.
 *
 * RUN    plait test -s noise -n 400 -t 20s
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { WAITERS = 3, ROUNDS = 40 };

static atomic_int word, left = WAITERS;

static void *wait_often(void *a)
{
    for (int i = 0; i < ROUNDS; i++) {
        struct timespec short_time = {0, 1000 * (i % 7 + 1)};

        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &short_time, 0, 0);
    }
    left--;
    return a;
}

int main(void)
{
    pthread_t t[WAITERS];

    for (int i = 0; i < WAITERS; i++)
        pthread_create(&t[i], NULL, wait_often, NULL);
    while (left > 0)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    for (int i = 0; i < WAITERS; i++)
        pthread_join(t[i], NULL);
    return 0;
}
