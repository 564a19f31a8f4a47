/* SPDX-License-Identifier: MIT */
/*
 * Who compares a pointer with one that it has read before takes a new block for the old one, if
 * malloc() has given the same address again: by a compare-exchange, by plain accesses under a lock
 * (PLAIN), with the old address kept in memory (KEPT_IN_MEMORY) or leading to the middle of a block
 * (INSIDE).  VERSION: each block has a number, so that nobody is fooled.  NOT_FREED: nobody frees
 * what is expected.
 *
 * RUN    plait test -s dpor --detect -use-after-free
 * EXPECT assertion location~@fooled
 *
 * RUN    -DPLAIN plait test -s dfs
 * EXPECT assertion location~@fooled decides~allocates.a.block
 *
 * RUN    -DPLAIN -DINSIDE plait test -s random -n 200
 * EXPECT assertion location~@fooled
 *
 * RUN    -DPLAIN -DKEPT_IN_MEMORY plait test -s dpor
 * EXPECT assertion location~@fooled
 *
 * RUN    -DPLAIN -DVERSION plait test -s dpor
 * EXPECT clean complete
 *
 * RUN    [O0] -DPLAIN -DVERSION plait test -s dpor
 * EXPECT clean complete classes=6
 *
 * RUN    [O0] -DPLAIN -DVERSION plait test -s dfs
 * EXPECT clean complete classes=6
 *
 * RUN    -DNOT_FREED plait test -s dpor
 * EXPECT clean complete
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

struct block {
    long before;
    long number;
};

#ifdef INSIDE
#define PART number
#else
#define PART before
#endif

__attribute__((unused)) static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long *top;
static _Atomic(long *) atomic_top;
#ifdef KEPT_IN_MEMORY
static long *seen;
#endif

static struct block *number_of(long *part)
{
    return (struct block *)((char *)part - offsetof(struct block, PART));
}

static long *make(long number)
{
    struct block *b = malloc(sizeof(*b));

    b->number = number;
    return &b->PART;
}

#ifdef PLAIN
static void *replace(void *arg)
{
    pthread_mutex_lock(&lock);
    free(number_of(top));
    top = make(2);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void look(void)
{
#ifndef KEPT_IN_MEMORY
    long *seen;
#endif
    pthread_mutex_lock(&lock);
    seen = top;
    long number = number_of(seen)->number;
    pthread_mutex_unlock(&lock);

    pthread_mutex_lock(&lock);
#ifdef VERSION
    if (top == seen && number_of(top)->number == number)
#else
    if (top == seen)
#endif
        assert(number_of(top)->number == number); /* @fooled */
    pthread_mutex_unlock(&lock);
}
#else
static void *replace(void *arg)
{
    long *old = atomic_exchange(&atomic_top, NULL);

#ifndef NOT_FREED
    free(number_of(old));
#else
    (void)old;
#endif
    atomic_store(&atomic_top, make(2));
    return arg;
}

static void look(void)
{
    static struct block other;
    long *seen = atomic_load(&atomic_top);
    long number = seen != NULL ? number_of(seen)->number : 0;

    if (seen != NULL && atomic_compare_exchange_strong(&atomic_top, &seen, &other.PART))
        assert(number_of(seen)->number == number); /* @fooled */
}
#endif

int main(void)
{
    pthread_t thread;

    top = make(1);
    atomic_top = top;
    pthread_create(&thread, NULL, replace, NULL);
    look();
    pthread_join(thread, NULL);
    return 0;
}
