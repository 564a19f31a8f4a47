/* SPDX-License-Identifier: MIT */
/*
 * See pump.h.  A round begins with all threads where they were at the beginning of the attempt.
 * Those who could go on are led back there one after the other; where one cannot go on another
 * one does, which may then have to go round again.  At the end whoever waited and has been
 * woken goes on until it waits again.  All of this depends on where threads are and on nothing
 * else, so the next round is the same if the program's state is.
 */
#include "runtime/observe/pump.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/rng.h"
#include "runtime/observe/starve.h"

enum {
    SELDOM = 6,    /* at one of so many choices at which somebody waits an attempt begins */
    ATTEMPTS = 40, /* in one execution */
    STEPS = 400,   /* choices of one round, */
    LOOK = 60,     /* operations after which whoever waited and goes on has got what it wanted */
    ROUNDS = 1100, /* rounds of one attempt */
};

static struct pl_pumping *pumping(void)
{
    return &pl_stage->starving.pump;
}

static uint64_t bit(pl_tid tid)
{
    return UINT64_C(1) << tid;
}

static struct pl_starving_place place_of(const struct pl_thread *t)
{
    return (struct pl_starving_place){t->op.pc, t->op.addr, (uint64_t)t->entry, t->op.kind};
}

static bool is_back(const struct pl_thread *t)
{
    struct pl_starving_place p = place_of(t), *at = &pumping()->at[t->id];

    return t->state == PL_THREAD_ALIVE && t->announced && p.pc == at->pc && p.addr == at->addr &&
           p.sp == at->sp && p.kind == at->kind;
}

void pl_pump_stop(void)
{
    pumping()->on = false;
}

/* ---- an attempt ---- */

static void begin_round(void)
{
    struct pl_pumping *p = pumping();

    p->done = 0;
    p->steps = 0;
    p->now = PL_TID_NONE;
    p->rounds++;
}

/* Somebody waits, and others are where they may come back to. */
static void begin_attempt(void)
{
    struct pl_pumping *p = pumping();

    p->attempts++;
    p->waiting = 0;
    p->rounds = p->waiters = 0;
    p->n = pl_stage->n_threads;
    p->first = (pl_tid)pl_rng_below(&p->rng, p->n);
    for (pl_tid i = 0; i < p->n; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        p->at[i] = place_of(t);
        if (t->state == PL_THREAD_ALIVE && !pl_starve_could(t))
            p->waiting |= bit(i);
    }
    p->on = true;
    pl_stage->starving.period = 0; /* what was before is no part of it */
    begin_round();
}

static bool wants_attempt(void)
{
    struct pl_pumping *p = pumping();

    if (p->attempts >= ATTEMPTS || pl_stage->n_threads > PL_STARVING_THREADS ||
        pl_stage->n_fresh > 0)
        return false;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_starve_waits(pl_thread_by_id(i)))
            return pl_rng_below(&p->rng, SELDOM) == 0;
    }
    return false;
}

/* ---- who goes on in it ---- */

/* Whether the thread has come to the end of its turn, which it begins by moving. */
static bool is_through(const struct pl_thread *t)
{
    const struct pl_pumping *p = pumping();

    return is_back(t) && t->operations > p->since &&
           ((p->waiting & bit(t->id)) == 0 || !pl_starve_could(t));
}

/* Whether it waited at the beginning, and does not any more: it has got what it wanted. */
static bool got_through(const struct pl_thread *t)
{
    const struct pl_pumping *p = pumping();

    return (p->waiting & bit(t->id)) != 0 && pl_starve_could(t) && t->operations > p->since + LOOK;
}

/* Whether the thread, which may go on, has still to do so in this round. */
static bool is_due(const struct pl_thread *t)
{
    const struct pl_pumping *p = pumping();

    return (p->done & bit(t->id)) == 0 && pl_starve_could(t);
}

static int option_of(const struct pl_view *view, pl_tid tid)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->tid == tid)
            return (int)i;
    }
    return -1;
}

/* The next of those who waited at the beginning, or did not; the option, or -1. */
static int next_due(const struct pl_view *view, bool waited)
{
    const struct pl_pumping *p = pumping();

    for (pl_tid k = 0; k < p->n; k++) {
        pl_tid i = (pl_tid)((p->first + k) % p->n);
        int option = option_of(view, i);

        if (option >= 0 && ((p->waiting & bit(i)) != 0) == waited && is_due(pl_thread_by_id(i)))
            return option;
    }
    return -1;
}

/* Whether all are where they were. */
static bool is_settled(void)
{
    const struct pl_pumping *p = pumping();

    for (pl_tid i = 0; i < p->n; i++) {
        if (pl_thread_by_id(i)->state == PL_THREAD_ALIVE && !is_back(pl_thread_by_id(i)))
            return false;
    }
    return true;
}

static unsigned give_turn(const struct pl_view *view, int option)
{
    struct pl_pumping *p = pumping();

    PL_ASSERT(option >= 0 && (unsigned)option < view->options);
    p->now = view->next[option]->tid;
    p->since = pl_thread_by_id(p->now)->operations;
    return (unsigned)option;
}

/* The option that goes on with the attempt, or -1: it has come to nothing. */
static int lead_on(const struct pl_view *view)
{
    struct pl_pumping *p = pumping();
    int option;

    if (++p->steps > STEPS || pl_stage->n_threads != p->n)
        return -1;
    if (p->now != PL_TID_NONE) {
        if (got_through(pl_thread_by_id(p->now)))
            return -1;
        if (!is_through(pl_thread_by_id(p->now))) {
            option = option_of(view, p->now);
            if (option >= 0 && pl_starve_could(pl_thread_by_id(p->now)))
                return option;
        } else {
            p->done |= bit(p->now);
        }
        p->now = PL_TID_NONE;
    }
    option = next_due(view, false);
    if (option < 0)
        option = next_due(view, true);
    if (option >= 0)
        return (int)give_turn(view, option);
    if (is_settled()) {
        begin_round();
        option = p->rounds <= ROUNDS ? next_due(view, false) : -1;
    } else { /* whoever is not back waits for one that is */
        p->done = 0;
        option = next_due(view, false);
    }
    return option >= 0 ? (int)give_turn(view, option) : -1;
}

static unsigned lead(const struct pl_view *view)
{
    struct pl_pumping *p = pumping();

    if (view->kind == PL_CHOICE_WAITER)
        return p->on ? p->waiters++ % view->options
                     : pl_stage->strategy->choose(&pl_stage->context, view);
    if (p->on) {
        int option = lead_on(view);

        if (option >= 0)
            return (unsigned)option;
        pl_pump_stop();
    }
    return pl_stage->strategy->choose(&pl_stage->context, view);
}

/*
 * Where there is nothing to choose nobody has been asked, but turns end there, too.  The thread is
 * about to perform an operation, which is counted already.
 */
void pl_pump_chosen(const struct pl_thread *t)
{
    struct pl_pumping *p = pumping();

    if (!p->on || p->now == t->id)
        return;
    if (p->now != PL_TID_NONE && is_through(pl_thread_by_id(p->now)))
        p->done |= bit(p->now);
    if ((p->done & bit(t->id)) != 0 && is_settled())
        begin_round();
    p->now = t->id;
    p->since = t->operations - 1;
}

/* Here, not where a choice is due: while somebody waits there may be nothing to choose. */
void pl_pump_announced(void)
{
    if (pl_stage->leads == lead && !pumping()->on && wants_attempt())
        begin_attempt();
}

void pl_pump_begin(bool wanted)
{
    struct pl_pumping *p = pumping();

    if (!wanted)
        return;
    p->rng = pl_hash_add(pl_board->settings.seed, pl_board->execution);
    pl_stage->leads = lead;
}
