/* SPDX-License-Identifier: MIT */
/*
 * dpor: what threads do to each other in code without hooks.
 *
 * A plan is the events of one execution in another order, and holds because a thread to which the
 * same has happened does the same.  Code without hooks breaks that: whether a lock of such a
 * library is taken is known to nobody, and who was to come first waits there instead.  It shows
 * when a thread does something else than was planned.
 *
 * From then on no execution is known to be worth it: what sleeps sleeps for a reason that need not
 * hold.  The search goes on, since executions that differ in what is seen come first.  At its end
 * another one follows, in which any two steps depend on each other: that one relies on nothing.
 */
#include "model/board.h"
#include "model/module.h"
#include "strategy/dpor/dpor.h"

/*
 * What the last operation of a plan does to its objects is not known beforehand; what those before
 * it do is.  A system call may have a second object that the kernel has named, such as a new file.
 */
static bool is_as_planned(const struct pl_past_record *plan, const struct pl_past_record *is,
                          bool last)
{
    const struct pl_operation *a = &plan->op, *b = &is->op;

    if (!plan->known)
        return true;
    if (a->kind != b->kind || a->addr != b->addr || a->ordinal != b->ordinal)
        return false;
    return last || (a->effect == b->effect && a->way == b->way &&
                    (a->other == b->other || pl_operation_is(a->kind, PL_ROLE_CALLS)));
}

void pl_dpor_unseen_compare(struct pl_dpor *s, uint32_t p, uint32_t e)
{
    bool last = s->pool.nodes[p].child == 0;

    PL_ASSERT(pl_dpor_record(s, p)->thread == s->past.events[e].thread);
    if (!is_as_planned(pl_dpor_record(s, p), pl_past_record_of(&s->past, e), last))
        s->replay.unexplained = true;
}

bool pl_dpor_unseen_matters(const struct pl_strategy_context *c)
{
    const struct pl_dpor *s = pl_dpor_of(c);

    return s->replay.unexplained && !s->past.total && s->guide == NULL && c->board != NULL &&
           pl_module_has_unseen(c->board);
}
