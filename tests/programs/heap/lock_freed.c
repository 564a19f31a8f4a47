/* SPDX-License-Identifier: MIT */
/*
 * Who locks what lies in a freed block uses freed memory, and waits there for nobody: it was called
 * a deadlock, and not seen where the program ended all the same.
 *
 * RUN    plait test -s dfs
 * EXPECT use-after-free location~@here exit=1 replay=identical
 *
 * RUN    -DLOCK=rwlock -DTAKE=rwlock_wrlock plait test -s dfs
 * EXPECT use-after-free location~@here exit=1
 *
 * RUN    -DLOCK=rwlock -DTAKE=rwlock_rdlock plait test -s dpor
 * EXPECT use-after-free location~@here exit=1
 *
 * RUN    -DSPIN plait test -s dpor
 * EXPECT use-after-free location~@here exit=1
 */
#include <pthread.h>
#include <stdlib.h>

#ifndef LOCK
#define LOCK mutex
#define TAKE mutex_lock
#endif
#define JOIN_(a, b, c) a##b##c
#define JOIN(a, b, c) JOIN_(a, b, c)

#ifdef SPIN
static pthread_spinlock_t *lock;

static void make(void)
{
    lock = malloc(sizeof(int));
    if (lock == NULL)
        abort();
    pthread_spin_init(lock, 0);
}

static void take(void)
{
    pthread_spin_lock(lock); /* @here */
}
#else
static JOIN(pthread_, LOCK, _t) * lock;

static void make(void)
{
    lock = malloc(sizeof(*lock));
    if (lock == NULL)
        abort();
    JOIN(pthread_, LOCK, _init)(lock, NULL);
}

static void take(void)
{
    JOIN(pthread_, TAKE, )(lock); /* @here */
}
#endif

static void *use(void *arg)
{
    take();
    return arg;
}

int main(void)
{
    pthread_t thread;

    make();
    free((void *)lock);
    pthread_create(&thread, NULL, use, NULL);
    pthread_detach(thread);
    return 0;
}
