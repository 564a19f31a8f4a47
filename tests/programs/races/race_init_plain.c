/* SPDX-License-Identifier: MIT */
/*
 * An atomic variable that is initialised by plain code before it is published.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * HELGRIND race: it takes atomic loads and stores for plain ones
 */
#include "two.h"

#include <stdatomic.h>

struct item {
    atomic_int count;
    int data;
};

static struct item *_Atomic published;

static void *writer(void *arg)
{
    static struct item item;

    atomic_init(&item.count, 5);
    item.data = 1;
    atomic_store_explicit(&published, &item, memory_order_release);
    atomic_fetch_add(&item.count, 1);
    return arg;
}

static void *reader(void *arg)
{
    struct item *item = atomic_load_explicit(&published, memory_order_acquire);

    if (item == NULL)
        return arg;
    atomic_fetch_sub(&item->count, 1);
    return seen(arg, item->data);
}

int main(void)
{
    return both(writer, reader);
}
