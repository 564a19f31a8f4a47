/* SPDX-License-Identifier: MIT */
/*
 * The classes seen by all workers, as a hash set that doubles when it is half
 * full: with capacity c it lies in slots c to 2c-1, so that memory grows with
 * the number of classes and not at random.
 *
 * Looking needs no lock, because nothing is taken out within an epoch and a set
 * that has been outgrown stays as it is.  Most executions of a random search
 * show a class that is there already, and cost no more than that look.
 */
#include "runtime/rt.h"

#include <stdatomic.h>

enum { FIRST_CLASSES = 1024 };

/* Where h is in the set with this capacity, or would be. */
static _Atomic uint64_t *slot_of(uint64_t h, uint64_t capacity)
{
    for (uint64_t i = pl_hash_mix(h);; i++) {
        _Atomic uint64_t *slot = &pl_common->class_slots[capacity + (i & (capacity - 1))];
        uint64_t there = atomic_load_explicit(slot, memory_order_relaxed);

        if (there == h || there == 0)
            return slot;
    }
}

static bool has(uint64_t h)
{
    uint64_t capacity = atomic_load_explicit(&pl_common->class_capacity, memory_order_acquire);

    return capacity != 0 && *slot_of(h, capacity) == h;
}

/* The new set is complete before it counts. */
static void resize(uint64_t to)
{
    uint64_t from = pl_common->class_capacity;

    pl_common->class_top = 2 * to;
    for (uint64_t i = from; i < 2 * from; i++) {
        uint64_t h = pl_common->class_slots[i];

        if (h != 0)
            *slot_of(h, to) = h;
    }
    pl_common->class_capacity = to;
}

static void make_room(void)
{
    uint64_t capacity = pl_common->class_capacity;

    if (capacity == 0)
        resize(FIRST_CLASSES);
    else if (pl_common->classes >= capacity / 2 && capacity * 4 > PL_COMMON_CLASSES)
        pl_common->classes_overflow = true;
    else if (pl_common->classes >= capacity / 2)
        resize(capacity * 2);
}

void pl_seen_add(uint64_t class)
{
    uint64_t h = class | 1;

    if (pl_board->epoch != pl_common->epoch || pl_common->classes_overflow || has(h))
        return;
    pl_work_lock();
    if (pl_board->epoch == pl_common->epoch) {
        make_room();
        if (!pl_common->classes_overflow && !has(h)) {
            *slot_of(h, pl_common->class_capacity) = h;
            pl_common->classes++;
        }
    }
    pl_common_unlock(pl_common);
}
