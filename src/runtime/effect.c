/* SPDX-License-Identifier: MIT */
/*
 * What an operation does to its objects in the state it finds.
 *
 * Called when an operation is about to be performed.  A compare-exchange that
 * will fail only reads; so does a trylock of a mutex that is taken, or a signal
 * that nobody waits for.  The finer this is, the fewer orders of operations are
 * different, and the fewer executions a search needs.
 */
#include "runtime/rt.h"

/* Whether the compare-exchange at hand will store. */
static bool will_exchange(const struct pl_thread *t)
{
    return t->wanted == NULL ||
           pl_memory_compare((const void *)t->op.addr, t->wanted, t->op.size) == 0;
}

bool pl_effect_may_fail(const struct pl_thread *t)
{
    return t->op.kind == PL_OP_ATOMIC_CAS && t->weak && pl_board->settings.weak_cas &&
           will_exchange(t);
}

static enum pl_effect of_mutex(struct pl_thread *t, struct pl_operation *op)
{
    pl_tid owner = pl_mutex_owner(op->addr);

    if (op->way == PL_WAY_TIMEOUT)
        return PL_EFFECT_READ;
    if (op->kind == PL_OP_MUTEX_UNLOCK)
        op->nested = owner == t->id && pl_mutex_depth(op->addr) > 1;
    else
        op->nested = owner == t->id;
    if (op->nested)
        return PL_EFFECT_NONE;
    return owner == PL_TID_NONE || op->kind == PL_OP_MUTEX_UNLOCK ? PL_EFFECT_WRITE
                                                                  : PL_EFFECT_READ;
}

static enum pl_effect of_rwlock(struct pl_thread *t, struct pl_operation *op)
{
    switch (op->kind) {
    case PL_OP_RWLOCK_UNLOCK:
        return pl_rwlock_written(op->addr) ? PL_EFFECT_WRITE : PL_EFFECT_ADD;
    case PL_OP_RWLOCK_TRYREAD:
    case PL_OP_RWLOCK_TIMEDREAD:
        return op->way == PL_WAY_TIMEOUT || !pl_rwlock_free_for(op->addr, false, t) ||
                       pl_rwlock_written(op->addr)
                   ? PL_EFFECT_READ
                   : PL_EFFECT_ADD;
    default: /* to write, at once or in time */
        return op->way == PL_WAY_TIMEOUT || !pl_rwlock_free_for(op->addr, true, t) ||
                       pl_rwlock_written(op->addr)
                   ? PL_EFFECT_READ
                   : PL_EFFECT_WRITE;
    }
}

/* A wait gives the mutex up; whoever wakes up takes it again. */
static enum pl_effect of_condition(struct pl_thread *t, struct pl_operation *op)
{
    switch (op->kind) {
    case PL_OP_COND_SIGNAL:
    case PL_OP_COND_BROADCAST:
        return pl_cond_has_waiter(op->addr) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
    case PL_OP_COND_WAKE:
        op->other_effect = PL_EFFECT_WRITE;
        return op->way == PL_WAY_NORMAL ? PL_EFFECT_NONE : PL_EFFECT_ADD;
    default:
        op->other_effect = PL_EFFECT_WRITE;
        return PL_EFFECT_ADD;
    }
}

static enum pl_effect of_once(const struct pl_operation *op)
{
    bool done = op->kind == PL_OP_ONCE ? pl_once_done(op->addr) : pl_guard_done(op->addr);

    return done && !op->noted ? PL_EFFECT_READ : PL_EFFECT_WRITE;
}

static enum pl_effect of_any(struct pl_thread *t, struct pl_operation *op)
{
    switch (op->kind) {
    case PL_OP_ATOMIC_CAS:
        return op->way == PL_WAY_NORMAL && will_exchange(t) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
    case PL_OP_ATOMIC_RMW:
        return t->adds ? PL_EFFECT_ADD : PL_EFFECT_WRITE;
    case PL_OP_MUTEX_LOCK:
    case PL_OP_MUTEX_TRYLOCK:
    case PL_OP_MUTEX_TIMEDLOCK:
    case PL_OP_MUTEX_UNLOCK:
        return of_mutex(t, op);
    case PL_OP_COND_WAIT:
    case PL_OP_COND_TIMEDWAIT:
    case PL_OP_COND_WAKE:
    case PL_OP_COND_SIGNAL:
    case PL_OP_COND_BROADCAST:
        return of_condition(t, op);
    case PL_OP_RWLOCK_TRYREAD:
    case PL_OP_RWLOCK_TIMEDREAD:
    case PL_OP_RWLOCK_TRYWRITE:
    case PL_OP_RWLOCK_TIMEDWRITE:
    case PL_OP_RWLOCK_UNLOCK:
        return of_rwlock(t, op);
    case PL_OP_SEM_WAIT:
        op->aux = pl_sem_value(op->addr);
        return PL_EFFECT_WRITE;
    case PL_OP_SPIN_TRYLOCK:
        return pl_spinlock_free(op->addr) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
    case PL_OP_SEM_TRYWAIT:
    case PL_OP_SEM_TIMEDWAIT:
        op->aux = pl_sem_value(op->addr);
        return op->way == PL_WAY_NORMAL && pl_sem_available(op->addr) ? PL_EFFECT_WRITE
                                                                      : PL_EFFECT_READ;
    case PL_OP_BARRIER_WAIT:
        return pl_board->arrivals_matter ? PL_EFFECT_WRITE : PL_EFFECT_ADD;
    case PL_OP_BARRIER_LEAVE:
        if (op->aux == 0)
            return PL_EFFECT_NONE; /* nobody wants to know who is the serial thread */
        return pl_barrier_has_serial(op->addr) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
    case PL_OP_ONCE:
    case PL_OP_GUARD:
        return of_once(op);
    case PL_OP_FUTEX_WAIT:
        return op->way == PL_WAY_NORMAL ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
    case PL_OP_THREAD_EXIT: /* where nobody looks, it is no point and orders nothing */
        return op->noted ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
    default:
        return pl_operation_effect(op->kind);
    }
}

void pl_effect_settle(struct pl_thread *t)
{
    struct pl_operation *op = &t->op;

    op->nested = false;
    op->leaves = op->way == PL_WAY_NORMAL && op->waker != PL_TID_NONE &&
                 ((op->kind == PL_OP_COND_WAKE && (t->timed || pl_board->settings.spurious)) ||
                  (op->kind == PL_OP_FUTEX_WAIT && t->timed));
    op->other_effect = PL_EFFECT_NONE;
    op->effect = (uint8_t)of_any(t, op);
    if (op->other_effect == PL_EFFECT_NONE)
        op->other = 0;
    if (op->private)
        op->effect = PL_EFFECT_NONE;
}
