/* SPDX-License-Identifier: MIT */
/* See pairs.h. */
#include "runtime/observe/pairs.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/common.h"
#include "model/gate.h"
#include "runtime/core/observer.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/place.h"

#include <sys/mman.h>

/* To be checked, the analysis must be wrong in sight: all hooks are turned on again. */
static void turn_on(const struct pl_pair_table *t)
{
    enum { PAGE = 4096 };

    for (uint32_t i = 0; i < t->n_places; i++) {
        const struct pl_pair_place *p = &pl_pair_places(t)[i];
        uint32_t site = pl_pair_positions(t)[p->position].site;
        uint8_t *at = (uint8_t *)(p->pc - PL_GATE_LENGTH);
        uint64_t page = (uint64_t)at & ~(uint64_t)(PAGE - 1);

        if (site == PL_PAIR_NONE || (pl_pair_sites(t)[site].flags & PL_PAIR_UNHOOKED) == 0 ||
            !pl_place_is_instrumented(p->pc) || *at != PL_GATE_OFF ||
            pl_sys(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
            continue;
        *at = PL_GATE_CALL;
        pl_sys(SYS_mprotect, page, PAGE, PROT_READ | PROT_EXEC);
    }
}

static void learn(void)
{
    bool paired = pl_stage->strategy != NULL &&
                  pl_strategy_is(pl_stage->strategy, PL_TRAIT_PAIRED | PL_TRAIT_AIMS);

    if (!paired && !pl_board->settings.check_pairs)
        return;
    pl_place_modules();
    pl_board->pairs_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_PAIRS, &pl_board->pairs_status);
    if (pl_board->pairs_status == PL_ANSWER_YES)
        pl_stage->context.pairs = (const struct pl_pair_table *)(const void *)pl_common->pairs;
    if (pl_stage->context.pairs != NULL && pl_board->settings.check_pairs)
        turn_on(pl_stage->context.pairs);
    pl_stage->context.verdicts = &pl_common->verdicts;
    /* Once: each execution finds it like this, or as it was at the checkpoint where it goes on. */
    pl_pair_check_begin(&pl_stage->pair_check);
}

/* ---- the analysis held against what happens ---- */

static bool wanted(bool rooted)
{
    return rooted && pl_board->settings.check_pairs && pl_stage->context.pairs != NULL;
}

/* Whether an operation of this kind is announced by a call that the analyser must know. */
static bool has_site(const struct pl_operation *op)
{
    return pl_operation_is(op->kind,
                           PL_ROLES(PLAIN, ATOMIC, ACQUIRES, RELEASES, GIVES_UP, REGAINS, WAKES)) &&
           op->addr != 0 && pl_operation_object(op->kind) != PL_OBJECT_FILE &&
           pl_place_is_instrumented(op->pc);
}

/* Whether the instruction itself is watched, because no hook announces it: assembly has none. */
static bool is_bare(uint64_t pc)
{
    for (uint32_t i = 0; i < pl_board->n_sites; i++) {
        if (pl_board->sites[i].pc + pl_board->sites[i].length == pc)
            return true;
    }
    return false;
}

/* "a.c:12 in f (mutex lock)". */
static void name_site(char *to, size_t size, uint32_t site, unsigned kind)
{
    const struct pl_pair_table *t = pl_stage->context.pairs;
    const struct pl_pair_site *s = &pl_pair_sites(t)[site];

    pl_text_format(to, size, "%s:%u in %s (%s)", pl_pair_string(t, s->file), s->line,
                   pl_pair_string(t, s->function), pl_operation_text(kind));
}

/* A thread looks at what is to be done when a signal comes to it, wherever it is. */
static bool is_of_signal(const struct pl_operation *op)
{
    uint64_t from = (uint64_t)pl_stage->signals.actions;

    return op->kind == PL_OP_ATOMIC_LOAD && op->addr >= from &&
           op->addr - from < sizeof(pl_stage->signals.actions);
}

/* A thread that libc has made for itself does it, which no statement of the program says. */
static bool is_of_libc(const struct pl_thread *t)
{
    return t->n_frames == 0 && t->start != NULL && !pl_place_is_instrumented((uint64_t)t->start);
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    const struct pl_pair_table *table = pl_stage->context.pairs;
    uint64_t pcs[PL_PAIR_FRAMES], held[PL_PAIR_CHECK_HELD];
    unsigned n_held = 0;
    bool whole;
    unsigned n = pl_pairs_stack(t->id, pcs, PL_PAIR_FRAMES, &whole);
    uint32_t site = pl_pair_site_at(table, pcs, n);
    char *to = pl_board->contradiction, here[160], there[160];

    if (to[0] != '\0')
        return; /* one is enough */
    if (is_of_signal(op) || is_of_libc(t) || op->kind == PL_OP_MUTEX_ABANDON)
        return; /* at no statement */
    /* Of gcc's code some is known not to be found again, which the table says. */
    if (site == PL_PAIR_NONE && (table->lacks & PL_PAIR_BY_PLACE) != 0)
        return;
    if (site == PL_PAIR_NONE && has_site(op)) {
        if (is_bare(op->pc))
            return; /* what assembly touches the analyser knows by what it is handed */
        pl_text_format(to, sizeof(pl_board->contradiction),
                       "an operation (%s) at %lx of the code is no statement that it knows",
                       pl_operation_text(op->kind), (unsigned long)pl_place_relative(op->pc));
        return;
    }
    if (has_site(op) &&
        !pl_pair_check_come(&pl_stage->pair_check, table, t->id, pcs, n, whole, site)) {
        name_site(here, sizeof(here), site, op->kind);
        pl_text_format(to, sizeof(pl_board->contradiction),
                       "a thread has come to %s, which it cannot reach any more", here);
        return;
    }
    if (site != PL_PAIR_NONE && !pl_pair_check_address(&pl_stage->pair_check, table, op, site)) {
        name_site(here, sizeof(here), site, op->kind);
        pl_text_format(to, sizeof(pl_board->contradiction),
                       "%s is at another object than its thread had before", here);
        return;
    }
    for (unsigned i = 0; i < pl_thread_listed(t) && n_held < PL_PAIR_CHECK_HELD; i++)
        held[n_held++] = pl_thread_held(t, i)->addr;
    const struct pl_pair_check_seen *other =
        pl_pair_check_see(&pl_stage->pair_check, table, op, site, held, n_held);

    if (other == NULL)
        return;
    name_site(here, sizeof(here), site, op->kind);
    name_site(there, sizeof(there), other->site, other->kind);
    pl_text_format(to, sizeof(pl_board->contradiction), "%s and %s conflict and are no pair", there,
                   here);
}

unsigned pl_pairs_stack(pl_tid tid, uint64_t *pcs, unsigned room, bool *whole)
{
    const struct pl_thread *t = pl_thread_by_id(tid);
    unsigned n = 0;

    PL_ASSERT(room > 0);
    pcs[n++] = t->op.pc;
    *whole = t->n_frames > 0 && t->n_frames <= PL_FRAMES_MAX && t->n_frames < room;
    for (unsigned i = t->n_frames <= PL_FRAMES_MAX ? t->n_frames : 0; i > 0 && n < room; i--)
        pcs[n++] = pl_thread_frame(t, i - 1)->pc;
    return n;
}

const struct pl_observer pl_pairs_observer = {
    .wanted = wanted, .root = learn, .performed = performed};
