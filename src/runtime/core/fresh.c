/* SPDX-License-Identifier: MIT */
/*
 * See fresh.h.  That a new thread begins, and that its creator goes on, is no choice, but it is
 * written to the schedule: a replay, for which other accesses may be points, must be told.
 */
#include "runtime/core/fresh.h"

#include "base/assert.h"
#include "runtime/core/fiber.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"

enum { QUIET = 200 }; /* accesses that are no points, after which new threads begin */

/* Whether the thread goes by itself to its first operation, and has not begun. */
static bool is_new(const struct pl_thread *t)
{
    return t->fresh && !t->started;
}

/* The place where new threads begin: before the next event of their creator. */
static struct pl_operation start_place(const struct pl_thread *creator, uint32_t ordinal)
{
    return (struct pl_operation){
        .kind = PL_OP_THREAD_START,
        .way = PL_WAY_NORMAL,
        .tid = creator->id,
        .ordinal = ordinal,
        .name = creator->name,
        .waker = PL_TID_NONE,
    };
}

/*
 * A new thread begins, or has announced its first operation.  Nothing is chosen, but a replay, for
 * which other accesses are points, must be told where that was.
 */
static void tell_switch(const struct pl_operation *at, pl_tid target)
{
    if (!pl_stage->rooted)
        return; /* of what comes before, no schedule says anything */
    struct pl_choice c = {
        .kind = PL_CHOICE_THREAD,
        .op = at->kind,
        .tid = at->tid,
        .options = 1,
        .ordinal = at->ordinal,
        .target = target,
        .digest = pl_stage->digest,
    };

    pl_sched_record(&c);
}

void pl_fresh_go_back(struct pl_thread *t)
{
    PL_ASSERT(t->parent < t->id);
    tell_switch(&t->op, t->parent);
    t->fresh = false;
    pl_fiber_switch_to(t, pl_thread_by_id(t->parent));
}

/* A replay is told whether new threads begin here, and when their creator goes on. */
static void replay_start(struct pl_thread *self, uint32_t ordinal)
{
    struct pl_thread *next = NULL;

    while (next != self && pl_fresh_has(self) && pl_stage->context.following) {
        const struct pl_operation at = start_place(self, ordinal);
        unsigned n = pl_sched_collect();
        int running = -1;

        for (unsigned i = 0; i < n; i++) {
            if (pl_stage->scratch.ready[i] == self)
                running = (int)i;
        }
        if (running < 0) { /* it has performed more than the creation, and can go on all the same */
            running = (int)n;
            pl_stage->scratch.ready[n] = self;
            pl_stage->scratch.next[n++] = &self->op;
        }
        next =
            pl_stage->scratch
                .ready[pl_sched_choose(PL_CHOICE_THREAD, n, running, pl_stage->scratch.next, &at)];
        if (next != self)
            pl_fiber_switch_to(self, next);
    }
}

void pl_fresh_start_now(struct pl_thread *self, uint32_t ordinal)
{
    PL_ASSERT(pl_fresh_has(self));
    PL_ASSERT(!pl_free && !self->announced && pl_stage->n_fresh < pl_stage->n_threads);
    if (pl_stage->context.replaying && pl_stage->rooted) {
        replay_start(self, ordinal);
        return;
    }
    for (pl_tid i = (pl_tid)(pl_stage->n_threads - pl_stage->n_fresh); i < pl_stage->n_threads;
         i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        const struct pl_operation at = start_place(self, ordinal);

        PL_ASSERT(is_new(t) && t->parent == self->id);
        tell_switch(&at, t->id);
        pl_fiber_switch_to(self, t);
    }
    PL_ASSERT(pl_stage->n_fresh == 0);
}

void pl_fresh_leave(void)
{
    for (pl_tid i = (pl_tid)(pl_stage->n_threads - pl_stage->n_fresh); i < pl_stage->n_threads; i++)
        pl_thread_by_id(i)->fresh = false;
    pl_stage->n_fresh = 0;
}

void pl_fresh_created(struct pl_thread *t)
{
    PL_ASSERT(!pl_free && !t->started && t->announced && t->parent == pl_stage->current);
    t->fresh = true;
    pl_stage->n_fresh++;
    pl_stage->fresh_since = pl_thread_self()->ordinal;
}

void pl_fresh_hurry(struct pl_thread *t)
{
    if (!pl_fresh_has(t) || t->ordinal - pl_stage->fresh_since < QUIET)
        return;
    pl_enter();
    pl_fresh_start(t);
    pl_leave();
}

void pl_fresh_begin(void)
{
    pl_enter();
    pl_fresh_start(pl_thread_self());
    pl_leave();
}
