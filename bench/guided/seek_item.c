/* SPDX-License-Identifier: MIT */
/*
 * seek_item: a reader asks whether the list is long enough and then goes to an item, each under the
 * lock.  Another thread shortens the list.
 *
 * Described as: `seektoitem` in Wang, Said, Gupta, ICSE 2011 (Mozilla).
 *
 * BUG: the list gets shorter between the question and the use
 * TYPE: atomicity
 * FINDS: assertion
 * INPUTS: 1 2
 */
#include "guided.h"

#include <assert.h>
#include <stdbool.h>

enum { ITEMS = 3 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int length = ITEMS;
static int items[ITEMS] = {1, 2, 3};

static void enter(void)
{
    pthread_mutex_lock(&lock);
}

static void leave(void)
{
    pthread_mutex_unlock(&lock);
}

static bool has(int index)
{
    return index < length;
}

static int item(int index)
{
    assert(index < length);
    return items[index];
}

static void *seek(void *arg)
{
    int sum = 0;

    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        enter();
        bool there = has(i);
#ifndef FIXED
        leave();
        tally();
        enter();
#endif
        if (there)
            sum += item(i);
        leave();
    }
    return sum < 0 ? &lock : NULL;
}

static void *shorten(void *arg)
{
    (void)arg;
    for (int i = 0; i < ITEMS; i++) {
        tally();
        enter();
        length--;
        leave();
    }
    return NULL;
}

int main(int argc, char **argv)
{
    thread_start(shorten, 0);
    threads_start(size_given(argc, argv, 1, 16), seek);
    threads_join();
    return 0;
}
