/* SPDX-License-Identifier: MIT */
/*
 * Schedules as sets of constraints: what is to be read from whom (strategy/rff.c).
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
#ifndef PL_STRATEGY_CONSTRAINTS_H
#define PL_STRATEGY_CONSTRAINTS_H

#include "model/operation.h"

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
    unsigned live; /* those that are not over */
    struct pl_constraints_machine {
        struct pl_constraint constraint;
        uint32_t held;   /* choices at which somebody waited because of it */
        uint16_t visits; /* that are still to pass */
        bool written;    /* the last write was its write */
        bool met, over;
    } machines[PL_CONSTRAINTS_MOST];
};

void pl_constraints_begin(struct pl_constraints *c, const struct pl_schedule *schedule);

/* Whether who is about to perform the operation, which it could, is to wait. */
bool pl_constraints_hold(struct pl_constraints *c, const struct pl_operation *op);

/* It has been performed. */
void pl_constraints_see(struct pl_constraints *c, const struct pl_operation *op);

/* The positive ones that were met, and those negative ones that anybody had to wait for. */
struct pl_schedule pl_constraints_met(const struct pl_constraints *c);

/* ---- what operations do, as far as reading from each other goes ---- */

/* Whether the operation counts; the order of releases follows from that of acquisitions. */
bool pl_constraints_counts(const struct pl_operation *op);

/* Whether it takes note of what is there, and whether it changes it, by its effect. */
bool pl_constraints_reads(const struct pl_operation *op);
bool pl_constraints_writes(unsigned effect);

#endif /* PL_STRATEGY_CONSTRAINTS_H */
