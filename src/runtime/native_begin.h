/* SPDX-License-Identifier: MIT */
/* What every operation of a native thread begins and ends with; inline, since locks are short. */
#ifndef PL_RUNTIME_NATIVE_BEGIN_H
#define PL_RUNTIME_NATIVE_BEGIN_H

#include "runtime/rt.h"

/* Whether there is anybody whom a disturbance could concern. */
static inline bool pl_native_noisy(void)
{
    return pl_stage->noise.on && pl_stage->n_threads > 1;
}

/*
 * The calling thread is about to do something; NULL when it is none of the program's.  Way, thread
 * and name are in t->op from the start, everything else is 0 unless somebody sets it.
 */
static inline struct pl_thread *pl_native_begin(enum pl_op_kind kind, const void *object,
                                                bool timed, uint64_t pc)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL)
        return NULL;
    t->op.kind = (uint8_t)kind;
    t->op.addr = (uint64_t)object;
    t->op.pc = pc;
    t->op.ordinal = t->ordinal++;
    t->call_pc = pc;
    t->timed = timed;
    t->announced = true;
    if (pl_native_noisy())
        pl_noise_disturb(t, &t->op, true);
    return t;
}

/* It has been done. */
static inline void pl_native_end(struct pl_thread *t)
{
    t->announced = false;
    if (pl_native_noisy())
        pl_noise_disturb(t, &t->op, false);
}

/* It has been done, and counts from now on: it took what others had. */
static inline void pl_native_take(struct pl_thread *t)
{
    pl_cover_event(t, &t->op);
    pl_native_end(t);
}

#endif /* PL_RUNTIME_NATIVE_BEGIN_H */
