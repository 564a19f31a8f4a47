/* SPDX-License-Identifier: MIT */
/*
 * Two threads wait at a futex, one of them for a while only; each of two calls wakes one of them.
 * Whom the first wakes, and whom the second, is part of the class, also where both are woken in the
 * end: each goes on behind another call.
 *
 * RUN    plait test -s dpor --time-outs any -k
 * EXPECT deadlock complete classes=21 executions=21
 *
 * RUN    plait test -s hapset:then=dpor --time-outs any -k
 * EXPECT deadlock complete classes=21 executions=21
 *
 * RUN    plait test -s dfs --time-outs any -k
 * EXPECT deadlock complete classes=21
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint32_t word;

static void *wait_for(void *arg)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, arg, NULL, 0);
    return arg;
}

int main(void)
{
    struct timespec time = {.tv_nsec = 300000};
    pthread_t t[2];

    pthread_create(&t[0], NULL, wait_for, &time);
    pthread_create(&t[1], NULL, wait_for, NULL);
    for (int i = 0; i < 2; i++)
        syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], NULL);
    return 0;
}
