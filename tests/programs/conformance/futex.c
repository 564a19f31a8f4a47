/* SPDX-License-Identifier: MIT */
/*
 * The futex system call: EAGAIN when the value differs, wait and wake, a timeout,
 * a lock made of it.
 *
 * RUN    plait test -s random -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s dfs -n 200
 * EXPECT clean exit=0
 *
 * RUN    plait test -s random -n 50 --carrier=thread
 * EXPECT clean exit=0
 *
 * RUN    native
 * EXPECT exit=0
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static atomic_int word, lock;
static int counter;

static long futex(atomic_int *address, int op, int value, const struct timespec *timeout)
{
    return syscall(SYS_futex, address, op, value, timeout, NULL, 0);
}

/* Drepper, "Futexes Are Tricky", mutex 2: 0 free, 1 locked, 2 with waiters. */
static void acquire(void)
{
    int old = 0;

    if (atomic_compare_exchange_strong(&lock, &old, 1))
        return;
    while (atomic_exchange(&lock, 2) != 0)
        futex(&lock, FUTEX_WAIT_PRIVATE, 2, NULL);
}

static void release(void)
{
    if (atomic_exchange(&lock, 0) == 2)
        futex(&lock, FUTEX_WAKE_PRIVATE, 1, NULL);
}

static void *thread(void *arg)
{
    acquire();
    counter++;
    release();
    word = 1;
    futex(&word, FUTEX_WAKE, 1, NULL);
    return arg;
}

int main(void)
{
    struct timespec shortly = {.tv_nsec = 1000000};
    pthread_t t;

    assert(futex(&word, FUTEX_WAIT, 1, NULL) == -1 && errno == EAGAIN);
    assert(futex(&word, FUTEX_WAIT, 0, &shortly) == -1 && errno == ETIMEDOUT);
    assert(futex(&word, FUTEX_WAKE, 1, NULL) == 0);
    assert(pthread_create(&t, NULL, thread, NULL) == 0);
    acquire();
    counter++;
    release();
    while (word == 0)
        futex(&word, FUTEX_WAIT, 0, NULL);
    assert(pthread_join(t, NULL) == 0);
    assert(counter == 2);
    return 0;
}
