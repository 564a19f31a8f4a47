/* SPDX-License-Identifier: MIT */
/*
 * One thread leaves a futex before or after another begins to wait there.  Whether the other waits
 * at all depends on the word: what it does before that is stored is more than what it does then.
 *
 * RUN    plait test -s dpor --time-outs any -k
 * EXPECT deadlock complete classes=5
 *
 * RUN    plait test -s dpor:source --time-outs any -k
 * EXPECT deadlock complete classes=5
 *
 * RUN    plait test -s dfs --time-outs any -k
 * EXPECT deadlock complete classes=5
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word;

static void *waits(void *time)
{
    syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, time, NULL, 0);
    return NULL;
}

int main(void)
{
    struct timespec time = {.tv_nsec = 300000};
    pthread_t one, two;

    pthread_create(&one, NULL, waits, NULL);
    pthread_create(&two, NULL, waits, &time);
    word = 1;
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
