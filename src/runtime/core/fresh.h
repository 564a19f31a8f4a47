/* SPDX-License-Identifier: MIT */
/*
 * New threads: up to their first operation they go by themselves.
 *
 * Nothing of a new thread runs when it is created.  When its creator, who is running, comes to its
 * next operation, the thread goes up to its first one.  What it does before that concerns nobody
 * else, as far as accesses are seen, so that its start need not be chosen.
 */
#ifndef PL_RUNTIME_CORE_FRESH_H
#define PL_RUNTIME_CORE_FRESH_H

#include "runtime/ground/stage.h"

/* The running thread has created this one. */
void pl_fresh_created(struct pl_thread *t);
/* An access of a thread is no point, and there are new threads: it may be waiting for them. */
void pl_fresh_hurry(struct pl_thread *t);
/* New threads of the running one begin now. */
void pl_fresh_begin(void);

/* For the scheduler. */
/* A new thread has announced its first operation: whoever created it goes on. */
void pl_fresh_go_back(struct pl_thread *t);
/* New threads are chosen like any other from now on. */
void pl_fresh_leave(void);
/* Run the threads that `self` has created since its last operation up to their first ones. */
void pl_fresh_start_now(struct pl_thread *self, uint32_t ordinal);

/* Whether `t` has created threads that are new; nobody else has, since nobody has run meanwhile. */
static inline bool pl_fresh_has(const struct pl_thread *t)
{
    return pl_stage->n_fresh > 0 &&
           pl_thread_by_id((pl_tid)(pl_stage->n_threads - 1))->parent == t->id;
}

/* At every point; `ordinal` is the number of the creator's event before which they begin. */
static inline void pl_fresh_start_at(struct pl_thread *self, uint32_t ordinal)
{
    if (pl_fresh_has(self))
        pl_fresh_start_now(self, ordinal);
}

static inline void pl_fresh_start(struct pl_thread *self)
{
    pl_fresh_start_at(self, self->ordinal);
}

#endif /* PL_RUNTIME_CORE_FRESH_H */
