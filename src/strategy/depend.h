/* SPDX-License-Identifier: MIT */
/*
 * The dependency relation: which two operations of different threads must not
 * be swapped.  Everything that speaks of equivalent executions uses this one:
 * the classes that are counted, and the searches that visit each class once.
 *
 * An operation touches at most two objects, and each by reading, by adding or by
 * writing it (enum pl_effect).  Two operations depend on each other if they touch
 * the same bytes or the same object, and neither do both read it nor do both add
 * to it.  An addition is whatever commutes with its like: a semaphore's post, an
 * atomic addition whose result nobody uses, a reader's lock, beginning to wait
 * at a condition, an arrival at a barrier.
 *
 * Locks: an acquisition and a release both write.  An acquisition can never
 * change places with the release before it, since it is not enabled until then;
 * the question is whether it can with the acquisition before that.  The search
 * asks it (strategy/past.c).
 *
 * An object counts as the first byte at its address, so that memory that is
 * written over an object depends on it.  Threads have no address: they have
 * numbers above all addresses.
 */
#ifndef PL_STRATEGY_DEPEND_H
#define PL_STRATEGY_DEPEND_H

#include "model/operation.h"

#define PL_DEPEND_THREADS (UINT64_C(1) << 63)
#define PL_DEPEND_FILES (UINT64_C(1) << 62)

/* Those that are about something else than what their address says. */
#define PL_DEPEND_ELSEWHERE                                                             \
    (PL_OP_BIT(THREAD_EXIT) | PL_OP_BIT(THREAD_TRYJOIN) | PL_OP_BIT(THREAD_TIMEDJOIN) | \
     PL_OP_BIT(BARRIER_LEAVE) | PL_OP_BIT(IO))

static inline uint64_t pl_depend_elsewhere(const struct pl_operation *op)
{
    switch (op->kind) {
    case PL_OP_BARRIER_LEAVE: /* who is told that it is the serial thread; not a matter of arriving
                               */
        return op->addr + 8;
    case PL_OP_IO: /* who fills a pipe that somebody reads from is not known */
        return PL_DEPEND_FILES;
    default:
        return PL_DEPEND_THREADS + op->aux * UINT64_C(8);
    }
}

/* The address of what the operation is about; 0 when there is nothing. */
static inline uint64_t pl_depend_object(const struct pl_operation *op)
{
    return pl_operation_in(op->kind, PL_DEPEND_ELSEWHERE) ? pl_depend_elsewhere(op) : op->addr;
}

/* How many bytes of it.  Kinds come in no order that could be predicted, so there is no branch. */
static inline uint64_t pl_depend_size(const struct pl_operation *op)
{
    bool memory = pl_operation_object(op->kind) == PL_OBJECT_MEMORY;
    uint64_t size = op->size & -(uint64_t)memory;

    return size + (size == 0);
}

/* Whether two effects on the same thing may not be swapped. */
static inline bool pl_depend_conflict(unsigned a, unsigned b)
{
    return (a != PL_EFFECT_NONE) & (b != PL_EFFECT_NONE) &
           ((a == PL_EFFECT_WRITE) | (b == PL_EFFECT_WRITE) | (a != b));
}

/*
 * The same for effects on bytes from a and from b on.  Additions to the same
 * number commute; those to different parts of it may not.
 */
static inline bool pl_depend_touch(uint64_t a, uint64_t a_size, unsigned a_effect, uint64_t b,
                                   uint64_t b_size, unsigned b_effect)
{
    return a < b + b_size && b < a + a_size &&
           (pl_depend_conflict(a_effect, b_effect) ||
            (a_effect == PL_EFFECT_ADD && b_effect == PL_EFFECT_ADD &&
             (a != b || a_size != b_size)));
}

/* Whether the operation has taken a mutex, spin lock or reader-writer lock. */
static inline bool pl_depend_took_lock(const struct pl_operation *op)
{
    switch (op->kind) {
    case PL_OP_MUTEX_LOCK:
    case PL_OP_MUTEX_TRYLOCK:
    case PL_OP_MUTEX_TIMEDLOCK:
    case PL_OP_SPIN_LOCK:
    case PL_OP_SPIN_TRYLOCK:
    case PL_OP_RWLOCK_READ:
    case PL_OP_RWLOCK_TRYREAD:
    case PL_OP_RWLOCK_TIMEDREAD:
    case PL_OP_RWLOCK_WRITE:
    case PL_OP_RWLOCK_TRYWRITE:
    case PL_OP_RWLOCK_TIMEDWRITE:
        return op->effect > PL_EFFECT_READ;
    default:
        return false;
    }
}

/* Whether two operations that have been performed, by different threads, depend on each other. */
bool pl_depend(const struct pl_operation *a, const struct pl_operation *b);

/*
 * Operations that nobody else can tell from their not having happened: they may
 * as well be performed as soon as they can be.
 */
bool pl_depend_nothing(const struct pl_operation *op);

/*
 * Operations that wait until they can be performed, and are not merely told
 * that they cannot.
 */
bool pl_depend_waits(const struct pl_operation *op);

/* Operations that tell their thread nothing: what it does next does not depend on them. */
bool pl_depend_silent(const struct pl_operation *op);

#endif /* PL_STRATEGY_DEPEND_H */
