/* SPDX-License-Identifier: MIT */
/* See reuse.h. */
#include "runtime/access/reuse.h"

#include "base/assert.h"
#include "runtime/core/class.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"

enum { DEPTH = 1 << 16 }; /* so much of a stack is looked through */

/* Whether allocations count: what free threads do is not placed by them, nor its replay. */
static bool counts(void)
{
    return pl_active && !pl_native && !pl_free && !pl_inside() && pl_stage->rooted &&
           pl_stage->n_unjoined > 1 && pl_stage->modules.instrumented &&
           !pl_board->settings.starts_chosen;
}

/* A replay does not know what the search had learned; it has a choice wherever there may be one. */
static bool is_known(uint64_t addr)
{
    return pl_shadow_known(addr) || pl_stage->context.replaying || pl_board->settings.points_all;
}

/* The thread comes to the blocks of that size; an event in any case. */
static void come_to(struct pl_thread *t, uint64_t of, uint64_t pc)
{
    if (!is_known(of)) {
        t->ordinal++;
        return;
    }
    t->entry = NULL;
    t->atomic.adds = false;
    pl_sched_point(PL_OP_ATOMIC_RMW, (const void *)of, 8, __ATOMIC_RELAXED, pc);
}

static bool choose_again(struct pl_thread *t)
{
    pl_enter();
    unsigned taken = pl_sched_choose(PL_CHOICE_VALUE, 2, 0, NULL, &t->op);

    pl_class_note(t, taken);
    pl_leave();
    return taken == 1;
}

void *pl_reuse_allocate(uint64_t size, uint64_t align, uint64_t site)
{
    enum { USUAL = 16 };
    uint64_t of = align <= USUAL && counts() ? pl_heap_class(size) : 0;

    if (of == 0)
        return pl_heap_allocate(size, align, site);
    struct pl_thread *t = pl_thread_self();

    come_to(t, of, site);
    uint64_t again = pl_heap_again(size, t->id);

    if (again != 0 && is_known(again - PL_HEAP_HEADER) && choose_again(t))
        return pl_heap_allocate_at(again, size, site);
    void *p = pl_heap_allocate(size, align, site);

    if (p != NULL && again != 0 && (uint64_t)p != again) /* which was the oldest one, too */
        pl_heap_stands_for(p, again);
    return p;
}

void pl_reuse_free(uint64_t size, uint64_t site)
{
    uint64_t of = counts() ? pl_heap_class(size) : 0;

    if (of != 0)
        come_to(pl_thread_self(), of, site);
}

/* Whether the thread has the word in a register or on its stack; also if there is too much of it.
 */
static bool has(const struct pl_thread *t, uint64_t word)
{
    const uint64_t *at = t->entry, *end = (const uint64_t *)t->stack_high;

    if (at == NULL || (uint64_t)at < t->stack_low || at >= end)
        return true;
    if ((uint64_t)end - (uint64_t)at > DEPTH)
        end = at + DEPTH / sizeof(*at);
    while (at < end) {
        if (*at++ == word)
            return true;
    }
    return (uint64_t)end != t->stack_high;
}

void pl_reuse_consider(const struct pl_thread *t, uint64_t word)
{
    struct pl_heap_freed f;

    if (!counts() || !pl_heap_might_be(word, &f) || pl_shadow_known(f.key))
        return;
    if (f.used && (f.freed_by == t->id || f.made_by == t->id || !has(t, f.addr)))
        return;
    pl_shadow_share(f.of);
    pl_shadow_share(f.key);
}
