/* SPDX-License-Identifier: MIT */
/* See expiry.h. */
#include "runtime/core/expiry.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/rng.h"
#include "runtime/core/spin.h"
#include "runtime/core/ways.h"

/* ---- by which rule ---- */

/* The strategy that makes this execution. */
static const struct pl_strategy *maker(void)
{
    const struct pl_strategy *s = pl_stage->strategy;

    return s->member != NULL ? s->member(&pl_stage->context) : s;
}

void pl_expiry_begin(void)
{
    struct pl_expiries *e = &pl_stage->expiries;
    uint8_t asked = pl_board->settings.time_outs;
    const struct pl_strategy *s = maker();
    uint64_t rng = pl_hash_add(pl_hash_mix(pl_board->settings.seed ^ UINT64_C(0x74696d65)),
                               pl_board->execution);

    e->rule = asked;
    e->budget = asked == PL_TIME_OUTS_FEW ? PL_TIME_OUTS_BUDGET : 0;
    pl_board->early_drawn = false;
    e->rarity = 0;
    e->draw = 0;
    if (pl_strategy_is(s, PL_TRAIT_EXPIRES) && asked != PL_TIME_OUTS_NEVER) {
        e->rule = PL_TIME_OUTS_ANY;
    } else if (asked == PL_TIME_OUTS_FEW && !pl_strategy_is(s, PL_TRAIT_EXHAUSTIVE)) {
        /* Some executions have them soon, some late: how seldom they are offered is drawn, too. */
        e->budget =
            pl_board->execution <= 1 ? 0 : (uint8_t)pl_rng_below(&rng, PL_TIME_OUTS_BUDGET + 1);
        e->rarity = (uint8_t)(2 * pl_rng_below(&rng, 5));
        e->draw = rng;
        pl_board->early_drawn = true;
    }
}

/* Whether an early expiry is offered at this point, if the budget has one. */
static bool is_time(const struct pl_expiries *e)
{
    return e->spent < e->budget &&
           (e->rarity == 0 ||
            pl_hash_add(e->draw, pl_board->execution_points) >> (64 - e->rarity) == 0);
}

/* ---- who may go on ---- */

/* Loops that look at the clock get their rounds in the order of time, like anybody who sleeps. */
static bool goes_round_before(uint64_t first)
{
    for (pl_tid i = 0; i < pl_stage->n_threads && pl_stage->n_parked > 0; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE || !t->spin.parked || !t->spin.timely)
            continue;
        t->spin.parked = false; /* how would it go on if it were not? */
        t->op.way = (uint8_t)pl_ways_now(t);
        bool goes = t->op.way != PL_WAY_BLOCKED && pl_expiry_moment(t) < first;

        t->spin.parked = true;
        if (goes) {
            pl_spin_unpark(t);
            return true;
        }
    }
    return false;
}

static void hold_back(struct pl_thread *t)
{
    pl_ways_block(t);
    pl_stage->expiries.n_withheld++;
}

/* The search leaves something out, as it was asked to. */
static void note_withheld(void)
{
    pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_EARLY);
}

bool pl_expiry_may_come(uint64_t deadline)
{
    if (pl_free || pl_stage->expiries.rule != PL_TIME_OUTS_NEVER || deadline <= pl_stage->now)
        return true;
    note_withheld();
    return false;
}

unsigned pl_expiry_keep(unsigned n, unsigned n_later)
{
    struct pl_expiries *e = &pl_stage->expiries;
    struct pl_thread **ready = pl_stage->scratch.ready;
    const struct pl_operation **next = pl_stage->scratch.next;
    bool all = e->rule == PL_TIME_OUTS_ANY, early = is_time(e), less = false;
    pl_tid runs = PL_TID_NONE;
    uint64_t first = UINT64_MAX;
    unsigned kept = 0;

    PL_ASSERT(n_later > 0 && n_later <= n);
    for (unsigned i = 0; i < n; i++) {
        uint64_t moment = pl_expiry_moment(ready[i]);

        if (moment != 0 && moment < first)
            first = moment;
        /* Who goes round for nothing could be parked: a replay parks nobody. */
        if (moment == 0 && !ready[i]->spin.idle)
            runs = ready[i]->id;
    }
    bool able = runs != PL_TID_NONE;

    if (!able && !all && pl_stage->n_parked > 0 && goes_round_before(first))
        return 0;
    for (unsigned i = 0; i < n; i++) {
        struct pl_thread *t = ready[i];
        uint64_t moment = pl_expiry_moment(t);
        bool on_time = moment == 0 || (!able && moment == first);
        /* The signal of a timer comes when it comes, but in the order of time. */
        bool signals = t->timer && able;

        t->op.early = !on_time && !t->timer;
        t->beside = runs;
        if (!on_time && !all && !signals && !(early && moment == first)) {
            less |= able && !t->timer;
            hold_back(t);
            continue;
        }
        ready[kept] = t;
        next[kept++] = &t->op;
    }
    if (less)
        note_withheld();
    PL_ASSERT(kept > 0);
    return kept;
}
