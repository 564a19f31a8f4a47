/* SPDX-License-Identifier: MIT */
/* See depend.h. */
#include "strategy/depend.h"

/* An object of 0 is none. */
static bool touch(uint64_t a, uint64_t a_size, unsigned a_effect, uint64_t b, uint64_t b_size,
                  unsigned b_effect)
{
    return a != 0 && b != 0 && pl_depend_touch(a, a_size, a_effect, b, b_size, b_effect);
}

/* A cancellation may change whatever its target does next. */
static bool cancels(const struct pl_operation *a, const struct pl_operation *b)
{
    return a->kind == PL_OP_THREAD_CANCEL && a->aux == b->tid;
}

static bool is_output(const struct pl_operation *op)
{
    return op->kind == PL_OP_OUTPUT || op->kind == PL_OP_IO;
}

bool pl_depend(const struct pl_operation *a, const struct pl_operation *b)
{
    uint64_t a_object = pl_depend_object(a), b_object = pl_depend_object(b);

    if (touch(a_object, pl_depend_size(a), a->effect, b_object, pl_depend_size(b), b->effect))
        return true;
    if (a->other != 0 &&
        touch(a->other, 1, a->other_effect, b_object, pl_depend_size(b), b->effect))
        return true;
    if (b->other != 0 &&
        touch(b->other, 1, b->other_effect, a_object, pl_depend_size(a), a->effect))
        return true;
    if (a->other != 0 && b->other != 0 &&
        touch(a->other, 1, a->other_effect, b->other, 1, b->other_effect))
        return true;
    return cancels(a, b) || cancels(b, a) ||
           (is_output(a) && is_output(b) && (a->kind == PL_OP_IO || b->kind == PL_OP_IO));
}

bool pl_depend_nothing(const struct pl_operation *op)
{
    if (op->way != PL_WAY_NORMAL)
        return false;
    if (op->private)
        return true;
    switch (op->kind) {
    case PL_OP_FENCE:
    case PL_OP_THREAD_CREATE:
    case PL_OP_THREAD_START:
    case PL_OP_THREAD_JOIN:
    case PL_OP_THREAD_DETACH:

    case PL_OP_YIELD:
    case PL_OP_SLEEP:
    case PL_OP_SIGNAL_WAIT:
        return true;
    default:
        return false;
    }
}

bool pl_depend_waits(const struct pl_operation *op)
{
    switch (op->kind) {
    case PL_OP_MUTEX_LOCK:
    case PL_OP_COND_WAKE:
    case PL_OP_RWLOCK_READ:
    case PL_OP_RWLOCK_WRITE:
    case PL_OP_SPIN_LOCK:
    case PL_OP_SEM_WAIT:
    case PL_OP_ONCE:
    case PL_OP_GUARD:
        return true;
    default:
        return false;
    }
}

bool pl_depend_silent(const struct pl_operation *op)
{
    switch (op->kind) {
    case PL_OP_WRITE:
    case PL_OP_ATOMIC_STORE:
    case PL_OP_MUTEX_LOCK:
    case PL_OP_MUTEX_UNLOCK:
    case PL_OP_COND_SIGNAL:
    case PL_OP_COND_BROADCAST:
    case PL_OP_RWLOCK_READ:
    case PL_OP_RWLOCK_WRITE:
    case PL_OP_RWLOCK_UNLOCK:
    case PL_OP_SPIN_LOCK:
    case PL_OP_SPIN_UNLOCK:
    case PL_OP_SEM_WAIT:
    case PL_OP_SEM_POST:
        return true;
    default:
        return false;
    }
}
