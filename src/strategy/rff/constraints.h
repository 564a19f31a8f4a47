/* SPDX-License-Identifier: MIT */
/*
 * Schedules as sets of constraints: what is to be read from whom (strategy/rff/rff.c).
 *
 * A constraint is about two abstract events, a write and a read of the same bytes or
 * object, each by its statement.  A positive one asks that once the read gets what the write
 * left there, or what was there at first; a negative one that it never does.
 *
 * Each is a small machine that sees every operation.  All that it needs to know is
 * whether the last write to its bytes was the one that it is about:
 *
 *   positive, it was not   who is about to make the read waits;
 *   positive, it was       who is about to write something else waits, until the read has come;
 *   negative, it was       who is about to make the read waits.
 *
 * A positive one is met by the first read in the second case, and then over.  It is over, too, when
 * the first value was wanted and something has been written.  Nobody waits for ever: if all who
 * could go on wait, the caller lets one of them, and somebody for whom others wait too long gives
 * up.
 */
#ifndef PL_STRATEGY_RFF_CONSTRAINTS_H
#define PL_STRATEGY_RFF_CONSTRAINTS_H

#include "model/depend.h"
#include "model/operation.h"
#include "model/profile.h"

enum { PL_CONSTRAINTS_MOST = 8 };

struct pl_constraint {
    uint64_t addr;        /* what is read */
    uint32_t write, read; /* statements; the first may be PL_READS_FROM_INITIAL */
    uint16_t size;        /* bytes of it */
    uint16_t visits;      /* to the read that are let pass before */
    bool negative;
    bool fresh; /* the schedule that it was made from did not have it */
};

struct pl_schedule {
    unsigned n;
    struct pl_constraint constraints[PL_CONSTRAINTS_MOST];
};

/* A schedule as far as the execution at hand has come. */
struct pl_constraints {
    unsigned n;
    unsigned live;   /* those that are not over */
    uint64_t places; /* what they are about, see pl_constraints_places() */
    uint64_t state; /* another number whenever an operation may have to wait that need not before */
    struct pl_constraints_machine {
        struct pl_constraint constraint;
        uint32_t held;   /* choices at which somebody waited because of it */
        uint16_t visits; /* that are still to pass */
        bool written;    /* the last write was its write */
        bool met, over;
    } machines[PL_CONSTRAINTS_MOST];
};

/* ---- what operations do, as far as reading from each other goes ---- */

/*
 * Whether the operation counts; the order of releases follows from that of acquisitions, and
 * nobody reads what a FILE has been given.
 */
static inline bool pl_constraints_counts(const struct pl_operation *op)
{
    return pl_profile_counts(op) && !pl_operation_is(op->kind, PL_ROLE_PRINTS) && !op->private &&
           !op->nested;
}

/* Whether it takes note of what is there, and whether it changes it, by its effect. */
static inline bool pl_constraints_reads(const struct pl_operation *op)
{
    return !pl_operation_is(op->kind, PL_ROLE_OVERWRITES);
}

static inline bool pl_constraints_writes(unsigned effect)
{
    return effect == PL_EFFECT_WRITE || effect == PL_EFFECT_ADD;
}

/*
 * The words of memory from an address on, as bits: what has no bit in common does not overlap.
 * That is the case for most operations and all constraints, and found at once.
 */
static inline uint64_t pl_constraints_places(uint64_t addr, uint64_t size)
{
    uint64_t first = addr / 8, last = (addr + size - 1) / 8;

    if (last - first > 1)
        return UINT64_MAX;
    return UINT64_C(1) << first % 64 | UINT64_C(1) << last % 64;
}

/* ---- an execution ---- */

void pl_constraints_begin(struct pl_constraints *c, const struct pl_schedule *schedule);

/*
 * The constraints because of which whoever is about to perform the operation, which it could, is to
 * wait: as bits, the same as long as the state is.
 */
unsigned pl_constraints_against(const struct pl_constraints *c, const struct pl_operation *op);

/* It is to wait once more because of these; false: they have given up. */
bool pl_constraints_hold(struct pl_constraints *c, unsigned against);

/* See pl_constraints_see(). */
void pl_constraints_see_all(struct pl_constraints *c, const struct pl_operation *op);

/* The operation has been performed. */
static inline void pl_constraints_see(struct pl_constraints *c, const struct pl_operation *op)
{
    if ((c->places & pl_constraints_places(pl_depend_object(op), pl_depend_size(op))) != 0)
        pl_constraints_see_all(c, op);
}

/* The positive ones that were met, and those negative ones that anybody had to wait for. */
struct pl_schedule pl_constraints_met(const struct pl_constraints *c);

#endif /* PL_STRATEGY_RFF_CONSTRAINTS_H */
