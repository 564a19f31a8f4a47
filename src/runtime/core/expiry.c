/* SPDX-License-Identifier: MIT */
/* See expiry.h. */
#include "runtime/core/expiry.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/rng.h"
#include "runtime/core/spin.h"
#include "runtime/core/ways.h"
#include "runtime/ground/ports.h"

enum { PATIENCE_PART = 4 }; /* of the time after which an execution counts as a hang */

/* Nobody lives to see such a time-out: it stands for one that never comes.  Eighty years. */
#define FAR (UINT64_C(80) * 365 * 86400 * 1000000000)

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
    e->any = asked == PL_TIME_OUTS_ANY || pl_strategy_is(s, PL_TRAIT_EXPIRES);
    e->classes = pl_strategy_is(s, PL_TRAIT_EXPIRES) && pl_strategy_is(s, PL_TRAIT_EXHAUSTIVE);
    e->budget = asked == PL_TIME_OUTS_FEW ? PL_TIME_OUTS_BUDGET : 0;
    pl_board->early_drawn = false;
    pl_board->early_free = e->classes && asked == PL_TIME_OUTS_FEW;
    pl_board->early = e->spent;
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

/* Behind the end of a schedule time-outs come in the order of time: where that was not the rule,
 * every choice that it would decide is in the schedule. */
static bool is_behind(void)
{
    return pl_stage->context.replaying && !pl_stage->context.following;
}

/*
 * Of free threads the one that did something last need not have waited for others whose time comes
 * before: all waited in real time.
 */
static bool went_on_freely(const struct pl_thread *t)
{
    return is_behind() && pl_board->settings.starts_chosen && t->id == pl_stage->current;
}

/* Whether an early expiry is offered at this point, if the budget has one. */
static bool is_time(const struct pl_expiries *e)
{
    return e->spent < e->budget && !is_behind() &&
           (e->rarity == 0 ||
            pl_hash_add(e->draw, pl_board->execution_points) >> (64 - e->rarity) == 0);
}

/* Whether all may expire. */
static bool is_any(const struct pl_expiries *e)
{
    return e->any && !is_behind();
}

/* ---- who may go on ---- */

/* Whether somebody is parked in a loop that looks at the clock. */
static bool waits_in_loop(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && t->spin.parked && t->spin.timely)
            return true;
    }
    return false;
}

uint64_t pl_expiry_moment_unparked(struct pl_thread *t)
{
    PL_ASSERT(t->spin.parked);
    t->spin.parked = false;
    t->op.way = (uint8_t)pl_ways_now(t);
    uint64_t moment = t->op.way != PL_WAY_BLOCKED ? pl_expiry_moment(t) : UINT64_MAX;

    t->spin.parked = true;
    return moment;
}

/* Loops that look at the clock get their rounds in the order of time, like anybody who sleeps. */
static bool goes_round_before(uint64_t first)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE || !t->spin.parked || !t->spin.timely)
            continue;
        if (pl_expiry_moment_unparked(t) < first) {
            pl_spin_time_passes();
            pl_spin_unpark(t);
            return true;
        }
    }
    return false;
}

/* ---- other processes ---- */

/* Somebody can go on without the clock. */
static bool anybody_can(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        t->op.way = (uint8_t)pl_ways_now(t);
        if (t->op.way != PL_WAY_BLOCKED && pl_expiry_moment(t) == 0)
            return true;
    }
    return false;
}

/*
 * A process that the program has started needs real time.  So where somebody may be waiting for
 * what it does, the clock moves on only after as much of that, or a part of what an execution may
 * take.  True when somebody can go on meanwhile.
 */
static bool others_come_first(uint64_t moment)
{
    uint64_t most = pl_board->settings.hang_ms / PATIENCE_PART;
    uint64_t ms = (moment - pl_stage->now) / 1000000;

    PL_ASSERT(moment > pl_stage->now);
    for (uint64_t i = 0; i <= ms && i < most; i++) {
        bool waits = pl_ports.process->wait_child(); /* for a millisecond */

        if (anybody_can())
            return true;
        if (!waits)
            return false;
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
    if (pl_free || deadline <= pl_stage->now ||
        (pl_stage->expiries.rule != PL_TIME_OUTS_NEVER && deadline - pl_stage->now <= FAR))
        return true;
    note_withheld();
    return false;
}

bool pl_expiry_affords_round(struct pl_thread *t)
{
    const struct pl_expiries *e = &pl_stage->expiries;
    const struct pl_spin *s = &t->spin;

    /* The budget has paid for this one, and what that was for may come now.  It is no property of a
     * class, but how often a thread has gone round is. */
    if (e->any ? s->waited && s->iterations <= PL_TIME_OUTS_BUDGET && e->rule != PL_TIME_OUTS_NEVER
               : s->early)
        return true;
    if (!s->waited) /* by looking alone it would have come to any time */
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_CLOCK);
    else if (pl_board->settings.time_outs == PL_TIME_OUTS_ANY)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_ROUNDS);
    else
        note_withheld();
    return false;
}

uint64_t pl_expiry_beside(const struct pl_thread *self, uint64_t ns)
{
    uint64_t first = UINT64_MAX, before = pl_stage->now;
    struct pl_thread *parked = NULL;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        bool is_parked = t->spin.parked && t->spin.timely;

        if (t == self || t->state != PL_THREAD_ALIVE || !t->announced)
            continue;
        t->op.way = (uint8_t)pl_ways_now(t);
        if (t->op.way == PL_WAY_BLOCKED && !is_parked)
            continue;
        uint64_t moment = is_parked ? pl_expiry_moment_unparked(t) : pl_expiry_moment(t);

        if (moment == 0)
            return 0; /* it can go on without the clock */
        if (moment < first) {
            first = moment;
            parked = is_parked ? t : NULL;
        }
    }
    if (first == UINT64_MAX || first - before > ns)
        return 0;
    pl_stage->now = first;
    if (parked != NULL)
        pl_spin_unpark(parked);
    return first - before;
}

unsigned pl_expiry_keep(unsigned n, unsigned n_later)
{
    struct pl_expiries *e = &pl_stage->expiries;
    struct pl_thread **ready = pl_stage->scratch.ready;
    const struct pl_operation **next = pl_stage->scratch.next;
    bool all = is_any(e), early = is_time(e), less = false;
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

    if (!able && pl_stage->n_parked > 0) {
        e->unclear |= waits_in_loop();
        if (!e->classes && goes_round_before(first))
            return 0;
    }
    bool others = pl_stage->process.forked && pl_ports.process->has_child();

    if (!able && others && first > pl_stage->now && others_come_first(first))
        return 0;
    for (unsigned i = 0; i < n; i++) {
        struct pl_thread *t = ready[i];
        uint64_t moment = pl_expiry_moment(t);
        bool on_time = moment == 0 || (!able && moment == first) || went_on_freely(t),
             far = pl_expiry_is_far(t);
        /* The signal of a timer comes when it comes, but in the order of time; not while a
         * process may need that time. */
        bool signals = t->timer && !far && able && !others && e->rule < PL_TIME_OUTS_LAST;

        /* Who is withheld could go on, or waits for less: it is passed by. */
        t->op.early = (!on_time || (moment != 0 && e->passed < moment)) && (!t->timer || far);
        t->beside = runs;
        if (!on_time && !all && !signals && !(early && moment == first && !far)) {
            less |= able && (!t->timer || far);
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
