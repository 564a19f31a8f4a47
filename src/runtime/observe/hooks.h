/* SPDX-License-Identifier: MIT */
/*
 * What the gates of all carriers have in common: accesses as operations, and which of them count
 * for coverage.  Only the hooks of access/, free/ and native/ include it.
 */
#ifndef PL_RUNTIME_OBSERVE_HOOKS_H
#define PL_RUNTIME_OBSERVE_HOOKS_H

#include "model/gate.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/cover.h"

static inline enum pl_op_kind pl_hooks_kind(unsigned flags)
{
    return !(flags & PL_ACCESS_WRITE) ? PL_OP_READ
           : flags & PL_ACCESS_READ   ? PL_OP_READ_WRITE
                                      : PL_OP_WRITE;
}

static inline enum pl_op_kind pl_hooks_atomic_kind(unsigned kind)
{
    return kind == PL_ATOMIC_LOAD    ? PL_OP_ATOMIC_LOAD
           : kind == PL_ATOMIC_STORE ? PL_OP_ATOMIC_STORE
           : kind >= PL_ATOMIC_CAS   ? PL_OP_ATOMIC_CAS
                                     : PL_OP_ATOMIC_RMW;
}

/* The thread's next event, on a carrier where nobody announces accesses. */
static inline struct pl_operation pl_hooks_operation(const struct pl_thread *t,
                                                     enum pl_op_kind kind, const void *addr,
                                                     uint64_t size, uint64_t pc)
{
    return (struct pl_operation){.kind = (uint8_t)kind,
                                 .way = PL_WAY_NORMAL,
                                 .tid = t->id,
                                 .size = size > UINT32_MAX ? UINT32_MAX : (uint32_t)size,
                                 .addr = (uint64_t)addr,
                                 .pc = pc,
                                 .ordinal = t->ordinal,
                                 .name = t->name,
                                 .waker = PL_TID_NONE};
}

/* A function of the thread returns: whether coverage was told. */
static inline bool pl_hooks_leave(struct pl_thread *t)
{
    bool told = pl_cover_run_leaves(&t->cover, t->n_frames);

    if (told)
        pl_cover_leave(t);
    if (t->n_frames > 0)
        t->n_frames--;
    return told;
}

/*
 * Coverage is sampled where threads run freely: a thread tells of its first visits of a place, then
 * of fewer and fewer.  The gap of a place grows with each visit that counts, up to `most`; so many
 * visits pass before the next one counts, but none as long as the gap is small.
 */
enum { PL_HOOKS_FIRST = 8 };

static inline unsigned pl_hooks_gap(unsigned gap, unsigned most)
{
    unsigned next = gap + (gap < PL_HOOKS_FIRST ? 1 : gap / 4);

    return next < most ? next : most;
}

static inline unsigned pl_hooks_wait(unsigned gap)
{
    return gap < PL_HOOKS_FIRST ? 0 : gap;
}

#endif /* PL_RUNTIME_OBSERVE_HOOKS_H */
