/* SPDX-License-Identifier: MIT */
/*
 * How the announced operation of a thread would go on if the thread were chosen now.
 *
 * The scheduler asks at every choice, deadlock detection when threads are blocked.  The answers
 * come from the descriptor of the operation and change nothing.
 */
#ifndef PL_RUNTIME_CORE_WAYS_H
#define PL_RUNTIME_CORE_WAYS_H

#include "runtime/core/descriptor.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"

/* Whether such an operation is a point whatever is known to be shared. */
static inline bool pl_ways_is_always_point(unsigned kind)
{
    return pl_operation_object(kind) != PL_OBJECT_MEMORY &&
           !pl_operation_is(kind, PL_ROLE_IF_SHARED);
}

/* Whether or not the thread is at its limit of operations. */
enum pl_way pl_ways_of(const struct pl_thread *t);

/* The same where nothing is modelled, as far as libc's own objects tell. */
enum pl_way pl_ways_natively(const struct pl_thread *t);

/*
 * The thread has had all the operations that the user grants it.  It stays where it
 * is; for the others it is as if it had come to something that never happens.
 */
static inline bool pl_ways_at_limit(const struct pl_thread *t)
{
    uint64_t limit = pl_board->settings.max_operations;

    return limit != 0 && t->operations >= limit;
}

/* Within the limit, with the answers that are asked for most often found at once. */
static inline enum pl_way pl_ways_now(const struct pl_thread *t)
{
    if (pl_ways_at_limit(t))
        return PL_WAY_BLOCKED;
    if (t->spin.parked | t->cancel.pending | t->signals.due)
        return pl_ways_of(t);
    if (!pl_descriptor_may_wait(t->op.kind))
        return PL_WAY_NORMAL;
    if (t->timed | pl_board->settings.spurious | pl_native)
        return pl_ways_of(t);
    return pl_descriptor_of(t)->enabled(t) ? PL_WAY_NORMAL : PL_WAY_BLOCKED;
}

/* The same where no limit is set, and waits neither end for no reason nor are left to libc. */
static inline bool pl_ways_are_plain(void)
{
    return !(pl_board->settings.spurious | pl_native) && pl_board->settings.max_operations == 0;
}

static inline enum pl_way pl_ways_plainly(const struct pl_thread *t)
{
    if (t->spin.parked | t->cancel.pending | t->signals.due | t->timed)
        return pl_ways_of(t);
    return !pl_descriptor_may_wait(t->op.kind) || pl_descriptor_of(t)->enabled(t) ? PL_WAY_NORMAL
                                                                                  : PL_WAY_BLOCKED;
}

/* At this choice the thread is among those who cannot go on. */
static inline void pl_ways_block(struct pl_thread *t)
{
    t->op.way = PL_WAY_BLOCKED;
    pl_stage->scratch.blocked[pl_stage->scratch.n_blocked++] = &t->op;
}

#endif /* PL_RUNTIME_CORE_WAYS_H */
