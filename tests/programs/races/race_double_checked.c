/* SPDX-License-Identifier: MIT */
/*
 * Double-checked locking. Right with an atomic pointer, broken with a plain one: the first
 * look is unordered with the store.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>

#ifndef RACE
#define RACE 0
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int storage;
#if RACE
static int *object;
#define STORE(value) (object = (value))
#define LOAD() object
#else
static int *_Atomic object;
#define STORE(value) atomic_store_explicit(&object, value, memory_order_release)
#define LOAD() atomic_load_explicit(&object, memory_order_acquire)
#endif

__attribute__((noinline)) static int *get(void)
{
    int *found = LOAD(); /* @here */

    if (found != NULL)
        return found;
    pthread_mutex_lock(&lock);
    found = object;
    if (found == NULL) {
        found = &storage;
        STORE(found); /* @here */
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static void *work(void *arg)
{
    return get() != NULL ? arg : NULL;
}

int main(void)
{
    return both(work, work);
}
