/* SPDX-License-Identifier: MIT */
/*
 * What an operation does to its objects in the state it finds, asked of its descriptor
 * when it is about to be performed.  A compare-exchange that
 * will fail only reads; so does a trylock of a mutex that is taken, or a signal
 * that nobody waits for.  The finer this is, the fewer orders of operations are
 * different, and the fewer executions a search needs.
 */
#include "runtime/core/descriptor.h"

#include "base/assert.h"
#include "model/depend.h"
#include "runtime/core/clock.h"
#include "runtime/core/fiber.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/stage.h"

const struct pl_descriptor *const *pl_descriptors;
uint8_t pl_descriptor_asks[256];

void pl_descriptor_learn(const struct pl_descriptor *const *all)
{
    pl_descriptors = all;
    for (unsigned kind = 0; kind < PL_OP_KINDS; kind++) {
        PL_ASSERT(all[kind] != NULL);
        pl_descriptor_asks[kind] = (uint8_t)((all[kind]->enabled != NULL ? PL_ASKS_ENABLED : 0) |
                                             (all[kind]->moment != NULL ? PL_ASKS_MOMENT : 0));
    }
}

bool pl_descriptor_woken(const struct pl_thread *t)
{
    return t->woken;
}

bool pl_descriptor_waits_natively(const struct pl_thread *t)
{
    return true;
}

/* Whether it would have gone on if nobody had come: its time runs out, or for no reason. */
static bool could_leave(const struct pl_thread *t, const struct pl_operation *op)
{
    return t->timed || (pl_operation_is(op->kind, PL_ROLE_REGAINS) && pl_board->settings.spurious);
}

/* Whether it was woken, but could also have gone on without. */
static bool leaves(const struct pl_thread *t, const struct pl_operation *op)
{
    return op->way == PL_WAY_NORMAL && op->waker != PL_TID_NONE &&
           pl_operation_is(op->kind, PL_ROLE_WOKEN) && could_leave(t, op);
}

/*
 * It is left for a cancellation: nothing changes, but that a mutex is taken again.  What it would
 * have waited for has been looked at, as by an operation that is told that it cannot be performed.
 * Where it could not have gone on without, it is the cancellation that let it.
 */
static void settle_cancelled(const struct pl_thread *t, struct pl_operation *op)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);

    if (d->enabled != NULL && !d->enabled(t) && !could_leave(t, op)) {
        op->waker = t->cancel.by;
        op->wake = t->cancel.at;
    }
    if (!pl_operation_is(op->kind, PL_ROLE_REGAINS) && op->effect != PL_EFFECT_NONE)
        op->effect = PL_EFFECT_READ;
}

/*
 * Whether the end of its time is one that the clock has to come to, or would have had to before
 * others moved it there: who asked for no time at all does not care.
 */
static bool lets_time_pass(const struct pl_thread *t)
{
    return t->deadline > PL_CLOCK_REAL * UINT64_C(1000000000) &&
           (t->deadline != t->waits_since || pl_operation_is(t->op.kind, PL_ROLE_TIMED));
}

/* Whether it may come when its object is no longer there: who takes or waits for something has an
 * order with whoever gives it. */
static bool may_be_late(const struct pl_operation *op)
{
    return pl_operation_object(op->kind) == PL_OBJECT_MEMORY || op->kind == PL_OP_SEM_POST ||
           (pl_operation_traits(op->kind)->roles & PL_ROLES(WAKES, RELEASES)) != 0;
}

/*
 * Memory on the stack of another thread, or its thread-local memory, is there until that thread has
 * ended.  So whoever uses it looks at the thread, whose exit is a step from now on.
 */
static void settle_lent(struct pl_operation *op)
{
    bool local;
    const struct pl_thread *owner = pl_fiber_owner(op->addr, &local);

    if (owner == NULL || owner->id == op->tid)
        return;
    op->other = PL_DEPEND_THREADS + owner->id * UINT64_C(8);
    op->other_effect = PL_EFFECT_READ;
    pl_shadow_share(PL_THREAD_LENDS(owner));
}

void pl_descriptor_settle(struct pl_thread *t)
{
    struct pl_operation *op = &t->op;
    const struct pl_descriptor *d = pl_descriptor_of(t);

    PL_CHECK(op->tid == t->id && op->kind < PL_OP_KINDS);
    op->nested = op->steady = false;
    op->other_effect = PL_EFFECT_NONE;
    op->effect = (uint8_t)(d->effect != NULL ? d->effect(t, op) : pl_operation_effect(op->kind));
    if (op->way == PL_WAY_CANCEL)
        settle_cancelled(t, op);
    if (op->way == PL_WAY_TIMEOUT && op->other == 0 && lets_time_pass(t) && pl_clock_is_seen()) {
        op->other = (uint64_t)&pl_stage->now;
        op->other_effect = PL_EFFECT_ADD;
    }
    if (__builtin_expect(pl_fiber_is_stack(op->addr), 0) && op->other_effect == PL_EFFECT_NONE &&
        !pl_free && may_be_late(op))
        settle_lent(op);
    if (op->way != PL_WAY_SIGNAL) /* otherwise it is known */
        op->leaves = leaves(t, op);
    PL_CHECK(op->effect <= PL_EFFECT_WRITE && op->other_effect <= PL_EFFECT_WRITE);
    if (op->other_effect == PL_EFFECT_NONE)
        op->other = 0;
    if (op->private)
        op->effect = PL_EFFECT_NONE;
}
