/* SPDX-License-Identifier: MIT */
/*
 * Checkpoints: an execution that begins like the one before need not begin at
 * the root.
 *
 * A checkpoint is a copy of the hot pages in the middle of an execution, made in
 * the runner itself; going back to it costs as much as going back to the root.
 * A search that changes the last choices first, as all depth-first ones do, then
 * executes only what is new.
 *
 * One is made when repeating what lies behind the last one would take several
 * times as long as making it; or just as long, where the execution repeats another, as
 * more are likely to.  Where the time goes is measured with the
 * processor's clock; what is found does not depend on it.  When all places are
 * taken, every second one is given up and they are made half as often.
 *
 * Some searches go back further each time.  Then those that are made ahead, where an
 * execution does something new, are never used: the more of them are wasted, the rarer they
 * become.
 *
 * What is not memory (open files, mappings, output) is undone to the root only,
 * so there is no checkpoint after such a call.
 */
#include "base/assert.h"
#include "base/memory.h"
#include "runtime/campaign/work.h"
#include "runtime/core/fiber.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/rollback.h"

enum {
    COSTS_APART = 4,
    FIRST_COST = 20000,
    CHOICES = 4,      /* the clock is read once for so many */
    WASTED = 4,       /* so many wasted ones add once more the distance between two, */
    WASTED_MOST = 128 /* up to so many */
};

/* Everything that the execution did so far is in the hot pages. */
static bool is_only_memory(void)
{
    return !pl_undo_any() && pl_heap_large_end() == pl_vault->large_root;
}

/* Whether the execution does something new here. */
static bool is_ahead(void)
{
    return pl_board->n_asked > pl_stage->strategy->resumes->repeats(&pl_stage->context);
}

static bool is_due(void)
{
    /* A search that begins anew, or another one that has its turn, must see all from the root. */
    if (pl_board->n_asked == 0)
        return false;
    if (pl_board->settings.checkpoints == PL_CHECKPOINTS_ALWAYS)
        return true;
    if (pl_board->n_asked % CHOICES != 0)
        return false;
    uint64_t spent = pl_ticks() - pl_vault->began;
    uint64_t least = pl_vault->spacing / COSTS_APART * pl_vault->mark_cost;

    return spent > least &&
           (!is_ahead() || spent > least * COSTS_APART * (1 + pl_vault->wasted / WASTED));
}

void pl_checkpoint_offer(void)
{
    unsigned n = pl_vault->n_checkpoints;

    PL_ASSERT(n <= PL_VAULT_CHECKPOINTS && pl_stage->strategy->resumes != NULL);
    if (pl_board->settings.checkpoints == PL_CHECKPOINTS_OFF || pl_board->settings.trace ||
        (n > 0 && pl_vault->checkpoints[n - 1].asked >= pl_board->n_asked) || !is_due() ||
        !is_only_memory() || pl_vault->n_hot > PL_VAULT_CHECKPOINT_PAGES)
        return;
    pl_vault->marking = true;
    pl_fiber_swap(&pl_vault->dead_sp, pl_vault->loop_sp); /* comes back once per execution */
}

/* Give up every second one; those that stay keep their pages. */
static void thin_out(void)
{
    struct pl_checkpoint *c = pl_vault->checkpoints;
    unsigned kept = 0;

    for (unsigned i = 1; i < pl_vault->n_checkpoints; i += 2) {
        struct pl_checkpoint given_up = c[kept];

        c[kept++] = c[i];
        c[i] = given_up;
    }
    PL_ASSERT(kept == pl_vault->n_checkpoints / 2 && kept > 0);
    pl_vault->n_checkpoints = kept;
    pl_vault->spacing *= 2;
}

/* Each has pages of its own, and lies deeper than the one before. */
static bool are_in_order(void)
{
    const struct pl_checkpoint *c = pl_vault->checkpoints;
    uint32_t slots = 0;

    for (unsigned i = 0; i < PL_VAULT_CHECKPOINTS; i++) {
        if ((slots >> c[i].slot & 1) != 0)
            return false;
        slots |= 1u << c[i].slot;
        if (i > 0 && i < pl_vault->n_checkpoints && c[i].asked <= c[i - 1].asked)
            return false;
    }
    return true;
}

void pl_checkpoint_take(void)
{
    uint64_t start = pl_ticks();

    if (pl_vault->n_checkpoints == PL_VAULT_CHECKPOINTS)
        thin_out();
    struct pl_checkpoint *c = &pl_vault->checkpoints[pl_vault->n_checkpoints++];
    unsigned slot = c->slot;
    const struct pl_strategy_resumes *r = pl_stage->strategy->resumes;

    PL_ASSERT(slot < PL_VAULT_CHECKPOINTS && pl_vault->n_hot <= PL_VAULT_CHECKPOINT_PAGES);
    PL_ASSERT(c == pl_vault->checkpoints || c[-1].asked < pl_board->n_asked);
    *c = (struct pl_checkpoint){
        .asked = pl_board->n_asked,
        .decisions = pl_board->n_decisions,
        .place = r->place != NULL ? r->place(&pl_stage->context) : 0,
        .sp = pl_vault->dead_sp,
        .tp = pl_thread_self()->tp,
        .gs = pl_fiber_gs(),
        .slot = slot,
        .n_hot = pl_vault->n_hot,
        .n_log = pl_vault->n_log,
        .choices = pl_board->n_choices,
        .events = pl_board->n_events,
        .frames = pl_board->n_frames,
        .execution_points = pl_board->execution_points,
        .execution_events = pl_board->execution_events,
        .class_hash = pl_board->class_hash,
        .n_threads = pl_board->n_threads,
        .shared_known = pl_board->shared_known,
        .n_grown = pl_board->n_grown,
        .n_noted = pl_board->n_noted,
        .passed = pl_board->passed,
        .shared_grew = pl_board->shared_grew,
        .incomplete = pl_board->incomplete & ~(uint32_t)PL_INCOMPLETE_OVERLOOKED,
        .ahead = is_ahead(),
        .n_segments = pl_board->path.n,
    };
    if (c->n_segments > 0)
        c->segment = pl_board->path.list[pl_segments_index(c->n_segments - 1)];
    for (unsigned i = 0; i < c->n_hot; i++)
        pl_memory_copy(pl_vault->kept[slot][i], (void *)pl_vault->hot[i], PL_PAGE);
    PL_CHECK(are_in_order());
    pl_vault->began = pl_ticks();
    pl_vault->mark_cost = (pl_vault->mark_cost * 7 + pl_vault->began - start) / 8;
}

void pl_checkpoint_start(void)
{
    for (unsigned i = 0; i < PL_VAULT_CHECKPOINTS; i++)
        pl_vault->checkpoints[i].slot = i;
    pl_vault->mark_cost = FIRST_COST;
    pl_vault->spacing = COSTS_APART;
}

static void give_up(const struct pl_checkpoint *c)
{
    if (c->ahead && !c->used && pl_vault->wasted < WASTED_MOST)
        pl_vault->wasted++;
}

static const struct pl_checkpoint *use(struct pl_checkpoint *c)
{
    if (c->ahead && !c->used)
        pl_vault->wasted = 0;
    c->used = true;
    return c;
}

/* Whether the next execution comes by there. */
static bool is_passed(const struct pl_checkpoint *c)
{
    const struct pl_strategy_resumes *r = pl_stage->strategy->resumes;

    return c->asked <= r->repeats(&pl_stage->context) &&
           (r->departs == NULL || c->place <= r->departs(&pl_stage->context));
}

const struct pl_checkpoint *pl_checkpoint_next(void)
{
    const struct pl_strategy *s = pl_stage->strategy;
    struct pl_checkpoint *c = pl_vault->checkpoints;

    if (pl_vault->n_checkpoints == 0)
        return NULL;
    PL_ASSERT(s->resumes != NULL && pl_vault->n_checkpoints <= PL_VAULT_CHECKPOINTS);
    if (c->shared_known != pl_board->shared_known || pl_work_helps())
        pl_vault->n_checkpoints = 0; /* what is shared now was not in their shadow */
    while (pl_vault->n_checkpoints > 0 && !is_passed(&c[pl_vault->n_checkpoints - 1]))
        give_up(&c[--pl_vault->n_checkpoints]);
    if (pl_vault->n_checkpoints > 0)
        return use(&c[pl_vault->n_checkpoints - 1]);
    pl_vault->spacing = COSTS_APART;
    return NULL;
}

void pl_checkpoint_restore(const struct pl_checkpoint *c)
{
    PL_ASSERT(c->n_hot <= pl_vault->n_hot && c->slot < PL_VAULT_CHECKPOINTS);
    for (unsigned i = 0; i < c->n_hot; i++)
        pl_memory_copy((void *)pl_vault->hot[i], pl_vault->kept[c->slot][i], PL_PAGE);
}

/* What the board knows of the execution so far. */
void pl_checkpoint_resume(const struct pl_checkpoint *c)
{
    PL_ASSERT(c->asked > 0 && c->decisions <= c->asked);
    PL_ASSERT(c->shared_known == pl_board->shared_known);
    pl_board->n_asked = c->asked;
    pl_board->n_decisions = c->decisions;
    pl_board->n_choices = c->choices;
    pl_board->n_events = c->events;
    pl_board->n_frames = c->frames;
    pl_board->execution_points = c->execution_points;
    pl_board->execution_events = c->execution_events;
    pl_board->class_hash = c->class_hash;
    pl_board->n_threads = c->n_threads;
    pl_board->n_grown = c->n_grown;
    pl_board->n_noted = c->n_noted;
    pl_board->passed = c->passed;
    pl_board->shared_grew = c->shared_grew;
    pl_board->incomplete = c->incomplete;
    pl_board->path.n = c->n_segments;
    if (c->n_segments > 0)
        pl_board->path.list[pl_segments_index(c->n_segments - 1)] = c->segment;
    pl_board->resumed++;
    pl_stage->strategy->resumes->resume(&pl_stage->context, c->asked, c->place);
}
