/* SPDX-License-Identifier: MIT */
/*
 * A profile: how large the program is, as one execution showed it.  Some
 * strategies need to know beforehand how long an execution will be, or how
 * often each thread will come to a location (strategy.h says how they get it).
 *
 * While the execution runs its operations are counted in a draft, on the board.
 * Afterwards what is shared among threads becomes the profile, in the common,
 * where all workers have the same.  Threads are known by name, so that it serves
 * executions that create them in another order.
 */
#ifndef PL_MODEL_PROFILE_H
#define PL_MODEL_PROFILE_H

#include "base/table.h"
#include "model/operation.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PL_PROFILE_COUNTS = 1 << 14, /* pairs of thread and location; more are left out */
    PL_PROFILE_SLOTS = 2 * PL_PROFILE_COUNTS,
    PL_PROFILE_NAMES = 2 * PL_THREADS_MAX,
};

/* How many operations a thread made on a location. */
struct pl_profile_count {
    uint64_t location; /* see pl_profile_location() */
    uint32_t n;
    pl_tid thread; /* index in threads[]; in a draft its number */
    bool writes;
};

struct pl_profile_draft {
    uint64_t steps;
    uint32_t n_counts;
    bool used;             /* the slots may be others than 0 */
    struct pl_table table; /* of counts, by location and thread */
    uint64_t slots[PL_TABLE_ROOM(PL_PROFILE_SLOTS, PL_PROFILE_SLOTS)];
    struct pl_profile_count counts[PL_PROFILE_COUNTS];
};

struct pl_profile_thread {
    uint64_t name;
    pl_tid parent; /* index; PL_TID_NONE for the first one */
};

/* A location that several threads use, one of them writing. */
struct pl_profile_location {
    uint64_t location;
    uint32_t first, n; /* its entries in counts[], one per thread */
};

struct pl_profile {
    uint64_t steps; /* operations at points, whatever they were about */
    uint32_t n_threads, n_locations, n_counts;
    struct pl_profile_thread threads[PL_THREADS_MAX]; /* by order of creation */
    struct pl_table by_name;                          /* of threads */
    uint64_t name_slots[PL_TABLE_ROOM(PL_PROFILE_NAMES, PL_PROFILE_NAMES)];
    struct pl_profile_location locations[PL_PROFILE_COUNTS];
    struct pl_profile_count counts[PL_PROFILE_COUNTS];
};

/* Memory counts by granules of this size, as everywhere, and long accesses with the first few. */
enum { PL_PROFILE_GRANULE = 8, PL_PROFILE_LONGEST = 64 };

/* What marks a synchronisation object, as opposed to memory at the same address. */
#define PL_PROFILE_OBJECT (UINT64_C(1) << 63)

/*
 * Whether the order of this operation among others is worth counting.  That of a
 * release follows from the acquisitions before and after it.
 */
static inline bool pl_profile_counts(const struct pl_operation *op)
{
    return op->addr != 0 && pl_operation_effect(op->kind) != PL_EFFECT_NONE &&
           !pl_operation_is(op->kind, PL_ROLE_RELEASES);
}

/* The location of an operation, of memory the first one. */
static inline uint64_t pl_profile_location(const struct pl_operation *op)
{
    return pl_operation_object(op->kind) == PL_OBJECT_MEMORY
               ? op->addr & ~(uint64_t)(PL_PROFILE_GRANULE - 1)
               : op->addr | PL_PROFILE_OBJECT;
}

/* How many bytes from there on it concerns. */
static inline uint64_t pl_profile_extent(const struct pl_operation *op)
{
    uint64_t n = (op->addr & (PL_PROFILE_GRANULE - 1)) + op->size;

    if (pl_operation_object(op->kind) != PL_OBJECT_MEMORY || op->size == 0)
        return 1;
    return n < PL_PROFILE_LONGEST ? n : PL_PROFILE_LONGEST;
}

static inline bool pl_profile_touches(const struct pl_operation *op, uint64_t location)
{
    return location - pl_profile_location(op) < pl_profile_extent(op) && pl_profile_counts(op);
}

/* The draft is all 0 before it is cleared for the first time. */
void pl_profile_clear(struct pl_profile_draft *draft);
void pl_profile_add(struct pl_profile_draft *draft, const struct pl_operation *op);

/*
 * The profile from a draft; the draft is sorted by that and can be settled
 * again, but not added to.  threads[] is for the caller to fill in before.
 */
void pl_profile_settle(struct pl_profile *profile, struct pl_profile_draft *draft);

/* The index of a thread, PL_TID_NONE when the execution had none of that name. */
pl_tid pl_profile_thread(const struct pl_profile *profile, uint64_t name);

#endif /* PL_MODEL_PROFILE_H */
