/* SPDX-License-Identifier: MIT */
/*
 * Two blocks with nothing in common but an object that remembers who came first: an initialisation
 * that only its own thread can see, and a robust mutex that a thread leaves behind (-DROBUST).
 *
 * RUN    plait test -s dfs
 * EXPECT assertion
 *
 * RUN    plait test -s exitblock
 * EXPECT assertion
 *
 * RUN    plait test -s exitblock:plain
 * EXPECT assertion
 *
 * RUN    -DROBUST plait test -s exitblock
 * EXPECT assertion
 *
 * RUN    -DROBUST plait test -s exitblock:rw
 * EXPECT assertion
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#ifndef ROBUST
#define ROBUST 0
#endif

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t m;
static __thread int mine;

static void initialise(void)
{
    mine = 1;
}

/* Whether nobody has been there before. */
static int come(void)
{
    if (ROBUST)
        return pthread_mutex_lock(&m) != EOWNERDEAD;
    pthread_once(&once, initialise);
    return mine;
}

static void *other(void *arg)
{
    come();
    return arg;
}

int main(void)
{
    pthread_mutexattr_t robust;
    pthread_t thread;

    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&m, &robust);
    pthread_create(&thread, NULL, other, NULL);
    int first = come();

    if (!first && ROBUST)
        pthread_mutex_consistent(&m);
    if (ROBUST)
        pthread_mutex_unlock(&m);
    pthread_join(thread, NULL);
    assert(first);
    return 0;
}
