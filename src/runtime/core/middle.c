/* SPDX-License-Identifier: MIT */
/* See middle.h. */
#include "runtime/core/middle.h"

#include "model/depend.h"
#include "runtime/core/shadow.h"
#include "runtime/core/strategy.h"
#include "runtime/ground/unmodelled.h"

/*
 * Whether it ends the life of memory.  Who frees memory under another's access does so before it or
 * after it; the middle says nothing more.
 */
static bool is_freeing(const struct pl_operation *op)
{
    return pl_operation_object(op->kind) == PL_OBJECT_MEMORY &&
           !pl_operation_is(op->kind, PL_ROLES(PLAIN, ATOMIC));
}

/* Bytes that two operations have in common, one of which changes them; none: size 0. */
struct common {
    uint64_t from, size;
};

/* With what another thread, by its number, is about to do. */
static struct common common_with(const struct pl_thread *t, pl_tid other)
{
    const struct pl_thread *o = pl_thread_by_id(other);

    if (o == t || o->state != PL_THREAD_ALIVE || !o->announced || is_freeing(&t->op) ||
        is_freeing(&o->op))
        return (struct common){0, 0};
    struct pl_depend_extent mine = pl_depend_pending(&t->op), its = pl_depend_pending(&o->op);
    uint64_t from = mine.from > its.from ? mine.from : its.from;
    uint64_t to = mine.to < its.to ? mine.to : its.to;

    return pl_depend_would_conflict(&mine, &its, PL_DEPEND_CHANGE)
               ? (struct common){from, to - from}
               : (struct common){0, 0};
}

static void split(const struct pl_thread *t)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (!pl_middle_is_wide(&t->op) && !pl_middle_is_wide(&pl_thread_by_id(i)->op))
            continue;
        struct common c = common_with(t, i);

        if (c.size > 0)
            pl_shadow_split(c.from, c.size);
    }
}

void pl_middle_announced(const struct pl_thread *t)
{
    bool wide = pl_middle_is_wide(&t->op);

    if (pl_free)
        return;
    if ((wide || pl_stage->n_wide > 0) && pl_stage->n_alive > 1 && pl_stage->strategy != NULL &&
        !pl_strategy_is(pl_stage->strategy, PL_TRAIT_REPLAYS))
        split(t);
    pl_stage->n_wide += wide;
}

void pl_middle_announced_across(const struct pl_thread *t)
{
    if (!pl_operation_is(t->op.kind, PL_ROLE_PLAIN) || pl_free)
        return;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (common_with(t, i).size > 0)
            pl_unmodelled("that accesses two cache lines", PL_UNMODELLED_INSTRUCTION, t->op.pc);
    }
}

void pl_middle_resize(struct pl_thread *t, uint32_t size)
{
    pl_stage->n_wide -= pl_middle_is_wide(&t->op) && !pl_free;
    t->op.size = size;
    t->op.private = pl_shadow_suspect(t->op.addr, size);
    pl_middle_announced(t);
}
