/* SPDX-License-Identifier: MIT */
/*
 * A wait at a futex with a time-out is counted from when it begins, not from when the threads
 * began.
 *
 * RUN    plait test -s noise -n 5
 * EXPECT clean
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static int word;

static long milliseconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void *wait_for_nobody(void *arg)
{
    struct timespec limit = {0, 20000000};

    usleep(30000);
    long before = milliseconds();

    assert(syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &limit, 0, 0) == -1 &&
           errno == ETIMEDOUT);
    assert(milliseconds() - before >= 19);
    return arg;
}

int main(void)
{
    pthread_t t;

    pthread_create(&t, NULL, wait_for_nobody, NULL);
    pthread_join(t, NULL);
    return 0;
}
