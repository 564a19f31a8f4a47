/* SPDX-License-Identifier: MIT */
/*
 * Two owners drop their references relaxed: the other's last use is unordered with the free. A
 * fence before the free would have been enough with releasing drops.
 *
 * RUN    plait test -s dpor --detect race -k
 * EXPECT clean complete exit=0
 *
 * RUN    -DRACE=1 plait test -s dpor --detect race -k
 * EXPECT race complete exit=1 location~@here
 *
 * TSAN race: it does not know fences
 * HELGRIND race: it knows nothing that atomic operations order
 */
#include "two.h"

#include <stdatomic.h>
#include <stdlib.h>

#ifndef RACE
#define RACE 0
#endif

static atomic_int count = 2;
static int *item;

static void *work(void *arg)
{
    int value = *item; /* @here */

    if (RACE) {
        if (atomic_fetch_sub_explicit(&count, 1, memory_order_relaxed) == 1)
            free(item); /* @here */
    } else if (atomic_fetch_sub_explicit(&count, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        free(item);
    }
    return seen(arg, value);
}

int main(void)
{
    item = calloc(1, sizeof(*item));
    return both(work, work);
}
