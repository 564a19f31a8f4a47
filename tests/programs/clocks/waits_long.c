/* SPDX-License-Identifier: MIT */
/*
 * Whoever waits for ten seconds beside threads that work, and end by themselves, is not told that
 * they are over: neither while a mutex is handed from one to the next, where those who were kept
 * out went round in vain again and again and could have it now, nor during a job of some 300,000
 * operations. The mutex is KJ's (Cap'n Proto): who gives it back hands it to a waiter whose number
 * has come.
 *
 * RUN    plait test -s random -n 4 --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    plait test -s pct -n 4 --time-outs last
 * EXPECT clean exit=0
 *
 * RUN    -DJOB=1 plait test -s random -n 3 --time-outs last
 * EXPECT clean exit=0
 */
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef JOB
#define JOB 0
#endif

enum { THREADS = 100, SECONDS = 10, ITEMS = 80000 };

/* ---- a mutex that is handed over ---- */

enum { HELD = 1, WANTED = 2 };

struct waiter {
    struct waiter *next, **before;
    int number;
    atomic_int called;
};

static struct waiter *first, **last = &first;
static atomic_int state;
static int number;

static long futex(atomic_int *at, int what, int value, const struct timespec *until)
{
    return syscall(SYS_futex, at, what, value, until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void lock(void)
{
    for (;;) {
        int s = 0;

        if (atomic_compare_exchange_strong(&state, &s, HELD))
            return;
        if ((s & WANTED) == 0 && !atomic_compare_exchange_strong(&state, &s, s | WANTED))
            continue;
        futex(&state, FUTEX_WAIT_PRIVATE, s | WANTED, NULL);
    }
}

static void unlock(const struct waiter *self)
{
    for (struct waiter *w = first; w != NULL; w = w->next) {
        int waits = 0;

        if (w != self && w->number == number &&
            atomic_compare_exchange_strong(&w->called, &waits, 1)) {
            futex(&w->called, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
            return;
        }
    }
    if (atomic_exchange(&state, 0) & WANTED)
        futex(&state, FUTEX_WAKE_PRIVATE, INT_MAX, NULL);
}

static void wait_until_called(struct waiter *w)
{
    struct timespec until;

    unlock(w);
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += SECONDS;
    while (!w->called) {
        int waits = 0;

        if (futex(&w->called, FUTEX_WAIT_BITSET_PRIVATE, 0, &until) != 0 && errno == ETIMEDOUT &&
            atomic_compare_exchange_strong(&w->called, &waits, 1))
            lock();
    }
}

static void *count_in_turn(void *arg)
{
    struct waiter w = {.number = (int)(intptr_t)arg};

    if (w.number % 2 == 0)
        usleep(10000);
    lock();
    w.before = last;
    *last = &w;
    last = &w.next;
    if (number != w.number)
        wait_until_called(&w);
    *w.before = w.next;
    if (w.next != NULL)
        w.next->before = w.before;
    else
        last = w.before;
    assert(number == w.number);
    number++;
    unlock(NULL);
    return arg;
}

/* ---- a long job ---- */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int left = ITEMS, at_work = 3;

static void *work(void *arg)
{
    bool more = true;

    while (more) {
        pthread_mutex_lock(&mutex);
        more = left > 0;
        left -= more;
        pthread_mutex_unlock(&mutex);
    }
    pthread_mutex_lock(&mutex);
    at_work--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return arg;
}

static void wait_for_work(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS;
    pthread_mutex_lock(&mutex);
    while (at_work > 0)
        assert(pthread_cond_timedwait(&changed, &mutex, &until) == 0);
    pthread_mutex_unlock(&mutex);
}

int main(void)
{
    int n = JOB ? at_work : THREADS;
    pthread_t t[THREADS];

    for (int i = 0; i < n; i++)
        pthread_create(&t[i], NULL, JOB ? work : count_in_turn, (void *)(intptr_t)i);
    if (JOB)
        wait_for_work();
    for (int i = 0; i < n; i++)
        pthread_join(t[i], NULL);
    return 0;
}
