/* SPDX-License-Identifier: MIT */
/*
 * Fairness: no strategy keeps a thread waiting for ever that could go on.
 *
 * A loop that changes something in every round is no spin loop (spin.h), and a strategy may prefer
 * its thread for as long as it likes.  Where that goes on for thousands of operations, the loop
 * is learned as *endless*: from then on, in all executions, its thread gives way after a few
 * rounds, and is *withheld* while others can go on.  Loops that end by themselves are not cut.
 * See docs/design/fairness.md.
 */
#ifndef PL_RUNTIME_CORE_FAIR_H
#define PL_RUNTIME_CORE_FAIR_H

#include "runtime/ground/stage.h"

/* Looks now and then whether somebody is kept waiting; at a point, before anybody is chosen. */
void pl_fair_look(void);
/* The thread has announced an operation: is that another round of an endless loop? */
void pl_fair_visit(struct pl_thread *t);
/* It has tried for what others hold, has given its own locks back, and is where it was so many
 * operations ago. */
void pl_fair_backed_off(struct pl_thread *t, uint64_t operations);
/* The thread has gone round a spin loop for nothing. */
void pl_fair_idle(struct pl_thread *t);
/* The thread has made so many accesses without a point: whether the next one is to be one, so that
 * others come to theirs. */
bool pl_fair_hogs(struct pl_thread *t, uint64_t accesses);
/* Of the n threads in scratch.ready: those that are not withheld, or all if there are no others. */
unsigned pl_fair_filter(unsigned n);
/* The thread, whose rounds are compared, is about to read this; or does what cannot be compared. */
void pl_fair_read(struct pl_thread *t, uint64_t addr, uint64_t size);
/* The first bytes there as a number, 0 if they cannot be read. */
uint64_t pl_fair_value(uint64_t addr, uint64_t size);
/* The program takes memory at this address away, or changes what may be done with it. */
void pl_fair_guarded(uint64_t addr);
void pl_fair_performed(struct pl_thread *t);
void pl_fair_differs(struct pl_thread *t);

/* Whether the thread cannot go on, and waits neither for time nor for the world outside. */
bool pl_fair_is_at_rest(const struct pl_thread *t);

/* Whether pl_fair_visit() has anything to do. */
static inline bool pl_fair_wanted(void)
{
    return pl_stage->fair.endless | (pl_stage->fair.learning != 0);
}

#endif /* PL_RUNTIME_CORE_FAIR_H */
