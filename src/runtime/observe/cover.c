/* SPDX-License-Identifier: MIT */
/*
 * Which interleavings have been seen: operations handed on to the models of
 * model/cover.h.  What they have shown is in the common, which nothing puts back;
 * where the threads of this execution stand is on the stage.
 *
 * The tool knows which functions the program has.  It is asked at the root; of
 * what came before, places are remembered, so that functions which only then run are known.
 */
#include "runtime/observe/cover.h"

#include "base/assert.h"
#include "model/common.h"
#include "runtime/core/observer.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/place.h"
#include "runtime/ground/stage.h"

static void mark_early(void)
{
    for (uint32_t i = 0; i < pl_stage->early.n; i++) {
        uint32_t function = pl_cover_function(&pl_common->cover, pl_stage->early.places[i]);

        if (function != 0)
            pl_cover_mark(&pl_common->cover, function, PL_COVER_ALONE, 0);
    }
}

static void learn(void)
{
    if (!pl_board->settings.covering)
        return;
    pl_place_modules();
    pl_board->cover_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_COVER, &pl_board->cover_status);
    if (pl_board->cover_status != PL_ANSWER_YES)
        return;
    mark_early();
    pl_cover_run_begin(&pl_stage->cover, pl_stage->cover_cells,
                       pl_board->settings.carrier == PL_CARRIER_FREE);
}

static void remember(uint64_t pc)
{
    for (uint32_t i = 0; i < pl_stage->early.n; i++) {
        if (pl_stage->early.places[i] == pc)
            return;
    }
    PL_ASSERT(pl_stage->early.n <= PL_EARLY && !pl_stage->rooted);
    if (pl_stage->early.n < PL_EARLY)
        pl_stage->early.places[pl_stage->early.n++] = pc;
}

/* A thread that has ended counts until somebody has waited for it: the order could be another. */
static inline bool are_several(void)
{
    return pl_stage->n_unjoined > 1;
}

/* Where the innermost function was called; 0 when that is not known, or no code of the program. */
static inline uint64_t caller_of(const struct pl_thread *t)
{
    return t->n_frames < 2 || t->n_frames > PL_FRAMES_MAX ? 0
                                                          : pl_thread_frame(t, t->n_frames - 1)->pc;
}

/* As many callers as the strategy tells statements apart by. */
static uint64_t callers_of(const struct pl_thread *t, unsigned wanted)
{
    uint64_t callers[PL_COVER_CALLERS];
    unsigned n = 0;

    PL_ASSERT(wanted <= PL_COVER_CALLERS);
    if (wanted <= 1)
        return wanted == 0 ? 0 : caller_of(t);
    for (unsigned i = t->n_frames; i > 1 && t->n_frames <= PL_FRAMES_MAX && n < wanted; i--)
        callers[n++] = pl_thread_frame(t, i - 1)->pc;
    return pl_cover_context(&pl_common->cover, callers, n);
}

static void state(struct pl_thread *t, struct pl_operation *op)
{
    unsigned wanted = pl_stage->stated - 1U;

    PL_ASSERT(pl_stage->stated > 0);
    /* With one caller it is the statement that coverage has just looked up. */
    if (wanted == 1 && pl_stage->cover.on && t->cover.pc == op->pc)
        op->statement = t->cover.statement;
    else
        op->statement =
            pl_cover_statement(&pl_common->cover, op->pc, callers_of(t, wanted), op->kind);
    /* For whoever looks at no callers it is also what others call; nobody has followed that. */
    if (wanted == 0 && op->statement != PL_COVER_NOTHING && op->statement != t->cover.statement)
        pl_hold_note(&pl_common->cover, op->statement, PL_HOLD_WITHOUT, pl_board->execution);
}

/* Statements that are new may be among those that the user has given predecessors of. */
void pl_cover_given(void)
{
    uint32_t n = pl_common->cover.n_statements;

    if (!pl_board->settings.given || pl_board->statements_told == n)
        return;
    pl_board->cover_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_COVER, &pl_board->cover_status);
    pl_board->statements_told = n;
}

static inline struct pl_cover_event event_of(const struct pl_thread *t)
{
    return (struct pl_cover_event){
        .caller = caller_of(t),
        .depth = t->n_frames,
        .several = are_several(),
        .execution = pl_board->execution,
    };
}

void pl_cover_at(struct pl_thread *t, const struct pl_operation *op)
{
    if (!pl_stage->cover.on ||
        pl_cover_run_stays(&pl_common->cover, &t->cover, op, caller_of(t), t->n_frames))
        return;
    struct pl_cover_event e = event_of(t);

    pl_cover_run_at(&pl_common->cover, &pl_stage->cover, &t->cover, op, &e);
}

void pl_cover_event(struct pl_thread *t, const struct pl_operation *op)
{
    if (!pl_stage->cover.on) {
        if (!pl_stage->rooted && pl_board->settings.covering)
            remember(op->pc);
        return;
    }
    bool several = are_several();

    if (pl_cover_run_unsaid(&t->cover, op, several))
        pl_cover_at(t, op);
    pl_cover_run_see(&pl_common->cover, &pl_stage->cover, &t->cover, op, several,
                     pl_board->execution);
}

void pl_cover_created(pl_tid creator, pl_tid created)
{
    if (pl_stage->cover.on)
        pl_cover_run_created(&pl_stage->cover, creator, created);
}

void pl_cover_joined(pl_tid joiner, pl_tid joined)
{
    if (pl_stage->cover.on)
        pl_cover_run_joined(&pl_stage->cover, joiner, joined);
}

void pl_cover_took(struct pl_thread *t, uint64_t lock, bool shared)
{
    if (pl_stage->cover.on)
        pl_cover_run_took(&pl_stage->cover, &t->cover, lock, shared);
}

void pl_cover_gave(struct pl_thread *t, uint64_t lock)
{
    if (pl_stage->cover.on)
        pl_cover_run_gave(&pl_common->cover, &pl_stage->cover, &t->cover, lock,
                          pl_board->execution);
}

void pl_cover_leave(struct pl_thread *t)
{
    pl_cover_run_left(&pl_common->cover, &pl_stage->cover, &t->cover, t->n_frames,
                      pl_board->execution);
}

void pl_cover_direct(unsigned models)
{
    pl_stage->cover.direct = models;
}

/* As long as nothing is known, everything may be new.  The thread may not have said that it has
 * come there. */
enum pl_cover_interest pl_cover_interest(const struct pl_thread *t, const struct pl_operation *op)
{
    struct pl_thread *self = (struct pl_thread *)t;

    if (!pl_stage->cover.on || pl_stage->cover.direct == 0)
        return 1;
    if (t->cover.function == 0 || pl_common->cover.statements[t->cover.statement].pc != op->pc)
        pl_cover_at(self, op);
    return pl_cover_run_interest(&pl_common->cover, &pl_stage->cover, &t->cover);
}

bool pl_cover_shares(uint64_t pc)
{
    const struct pl_cover *c = &pl_common->cover;

    return !pl_stage->cover.on || c->counts[2] == 0 || pl_cover_sharing(c, pc);
}

unsigned pl_cover_risk(const struct pl_operation *op)
{
    if (!pl_stage->cover.on)
        return 0;
    return pl_cover_run_risk(&pl_common->cover, &pl_stage->cover, &pl_thread_by_id(op->tid)->cover,
                             op);
}

/* ---- observers ---- */

static bool wanted(bool rooted)
{
    return rooted ? pl_stage->cover.on : pl_board->settings.covering;
}

static void announced(struct pl_thread *t, struct pl_operation *op)
{
    pl_cover_at(t, op);
}

const struct pl_observer pl_cover_observer = {
    .wanted = wanted, .root = learn, .announced = announced, .performed = pl_cover_event};

static bool states(bool rooted)
{
    return rooted && pl_stage->stated > 0;
}

const struct pl_observer pl_cover_statements = {.wanted = states, .announced = state};
