/* SPDX-License-Identifier: MIT */
/*
 * The classes seen by all workers, as a hash set that doubles when it is half
 * full: with capacity c it lies in slots c to 2c-1, so that memory grows with
 * the number of classes and not at random.
 *
 * A slot is the class with its two lowest bits replaced: they say in how many
 * executions it was seen, up to three.  So it is known how many classes were seen
 * once and twice, from which follows how likely new ones are (model/estimate.h).
 * Where a strategy searches and samples, only samples are counted: a search never
 * comes to the same class again, which says nothing about how many there are.
 *
 * Looking needs no lock, because nothing is taken out within an epoch and a set
 * that has been outgrown stays as it is.  Most executions of a random search
 * show a class that was seen often, and cost no more than that look.
 */
#include "runtime/campaign/seen.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/common.h"
#include "runtime/campaign/work.h"
#include "runtime/core/strategy.h"
#include "runtime/ground/stage.h"

#include <stdatomic.h>

enum { FIRST_CLASSES = 1024 };

/* Where h is in the set with this capacity, or would be. */
static _Atomic uint64_t *slot_of(uint64_t h, uint64_t capacity)
{
    PL_ASSERT((h & PL_SEEN_OFTEN) == 0 && h != 0);
    for (uint64_t i = pl_hash_mix(h);; i++) {
        _Atomic uint64_t *slot = &pl_common->class_slots[capacity + (i & (capacity - 1))];
        uint64_t there = atomic_load_explicit(slot, memory_order_relaxed);

        if ((there & ~(uint64_t)PL_SEEN_OFTEN) == h || there == 0)
            return slot;
    }
}

bool pl_seen_counts(void)
{
    return pl_stage->strategy->sample == NULL || pl_strategy_samples();
}

static bool is_seen_often(uint64_t h)
{
    uint64_t capacity = atomic_load_explicit(&pl_common->class_capacity, memory_order_acquire);

    return capacity != 0 && *slot_of(h, capacity) == (h | PL_SEEN_OFTEN);
}

/* The new set is complete before it counts. */
static void resize(uint64_t to)
{
    uint64_t from = pl_common->class_capacity;

    PL_ASSERT(to > from && (to & (to - 1)) == 0 && 2 * to <= PL_COMMON_CLASSES);
    pl_common->class_top = 2 * to;
    for (uint64_t i = from; i < 2 * from; i++) {
        uint64_t h = pl_common->class_slots[i];

        if (h != 0)
            *slot_of(h & ~(uint64_t)PL_SEEN_OFTEN, to) = h;
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

/*
 * Under the lock.  The slot decides: if we die, it is counted from the slots.  The
 * next process then sees the same execution once more, which an estimate can bear.
 */
static bool see(uint64_t h)
{
    _Atomic uint64_t *slot = slot_of(h, pl_common->class_capacity);
    bool fresh = *slot == 0;
    unsigned before = *slot & PL_SEEN_OFTEN;

    pl_common->classes += fresh;
    *slot = h | before;
    if (before == PL_SEEN_OFTEN || !pl_seen_counts())
        return fresh;
    *slot = h | (before + 1);
    pl_common->classes_once += (uint64_t)(before == PL_SEEN_NEVER) - (before == PL_SEEN_ONCE);
    pl_common->classes_twice += (uint64_t)(before == PL_SEEN_ONCE) - (before == PL_SEEN_TWICE);
    PL_ASSERT(pl_common->classes_once + pl_common->classes_twice <= pl_common->classes);
    return fresh;
}

struct pl_seen pl_seen_add(uint64_t class)
{
    uint64_t h = class & ~(uint64_t)PL_SEEN_OFTEN;
    bool fresh = false;

    h += (uint64_t)(h == 0) * (PL_SEEN_OFTEN + 1); /* 0 is a free slot */
    if (pl_board->epoch == pl_common->epoch && !pl_common->classes_overflow && !is_seen_often(h)) {
        pl_work_lock();
        if (pl_board->epoch == pl_common->epoch) {
            make_room();
            fresh = !pl_common->classes_overflow && see(h);
        }
        pl_common_unlock(pl_common);
    }
    return (struct pl_seen){.classes = pl_common->classes,
                            .once = pl_common->classes_once,
                            .twice = pl_common->classes_twice,
                            .fresh = fresh};
}
