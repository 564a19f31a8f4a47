/* SPDX-License-Identifier: MIT */
/* See ways.h. */
#include "runtime/core/ways.h"

#include "runtime/core/descriptor.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"

enum pl_way pl_ways_natively(const struct pl_thread *t)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);

    return t->announced && d->native_blocked != NULL && d->native_blocked(t) ? PL_WAY_BLOCKED
                                                                             : PL_WAY_NORMAL;
}

/*
 * Whether what waits for t comes now; see struct pl_strategy.  Free threads also did what is a
 * point here after it was sent and before they took notice.
 */
static bool comes_here(const struct pl_thread *t)
{
    const struct pl_strategy *s = pl_stage->strategy;
    bool told = pl_board->settings.starts_chosen && pl_stage->context.following;

    return (pl_ways_is_always_point(t->op.kind) && !told) || s == NULL || s->takes == NULL ||
           s->takes(&pl_stage->context, &t->op);
}

enum pl_way pl_ways_of(const struct pl_thread *t)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);

    if (pl_native)
        return pl_ways_natively(t);
    bool enabled = d->enabled == NULL || d->enabled(t);
    bool cancelled = t->cancel.pending && pl_thread_listens(t);
    bool regains = pl_operation_is(t->op.kind, PL_ROLE_REGAINS);
    bool may_leave = d->may_leave == NULL || d->may_leave(t);

    /* Before anything else; but who has been woken is awake. */
    if (cancelled && !regains && may_leave && comes_here(t))
        return PL_WAY_CANCEL;
    /* Its handler comes first, unless so many have come that it is its own turn. */
    if (t->signals.due && !t->op.noted && !pl_operation_is(t->op.kind, PL_ROLE_BEGINS) &&
        !(enabled && (t->signals.patient || t->signals.swapped)) && comes_here(t))
        return PL_WAY_SIGNAL;

    /* A parked thread does nothing new by going round again; what it waits for still counts. */
    if (enabled && (!t->spin.parked || t->timed))
        return PL_WAY_NORMAL;
    if (!t->timed && !cancelled && !pl_board->settings.spurious)
        return PL_WAY_BLOCKED;
    if (cancelled && may_leave)
        return PL_WAY_CANCEL;
    if (t->spin.parked || !may_leave)
        return PL_WAY_BLOCKED;
    if (t->timed) /* not past the moment at which a timer of the program goes off */
        return pl_timer_comes_before(t->deadline) ? PL_WAY_BLOCKED : PL_WAY_TIMEOUT;
    return regains && pl_board->settings.spurious ? PL_WAY_SPURIOUS : PL_WAY_BLOCKED;
}
