/* SPDX-License-Identifier: MIT */
/*
 * Dynamic partial-order reduction: of executions that differ only in the order
 * of independent operations, one is enough.
 *
 * After an execution its races are looked at (strategy/dpor/past.h).  Where the two
 * operations of a race could have come in the other order, there is something
 * else to explore in the state before the first of them.  What is noted there
 * depends on the variant:
 *
 *   classic  one of the threads that lead to the second operation, or all that
 *            can go on, if none of those can (Flanagan and Godefroid 2005);
 *   source   one of the threads that may begin the reversed execution, unless
 *            such a one is there already (source sets);
 *   optimal  the reversed execution as a whole, in a wakeup tree (both: Abdulla,
 *            Aronsson, Jonsson and Sagonas 2014/2017).
 *
 * With `optimal` all races of an execution are looked at, also those between operations that
 * an earlier one has had: what comes after both has its part in the reversed execution.
 *
 * All use sleep sets: what has been explored from a state need not be explored
 * again behind an independent operation.  With `optimal` no execution is ever
 * begun in vain: there are as many as there are classes.  With the others an
 * execution may find that all that could go on has been explored; it is then
 * finished in vain.
 *
 * What this adds to the papers:
 *
 * - Choices within an operation (which waiter is woken, plait_choose(), timeout or
 *   spurious wake-up) make it several operations that exclude each other.
 * - What an operation does to its object may depend on the order: a trylock that
 *   fails only looks.  How it will be after a reversal is not known; the least
 *   that it can be is assumed.  If it turns out to be more, the race shows in the
 *   execution where the two come in the order that was thought equivalent, and
 *   is reversed from there.
 * - An operation after which the program ends, by exit, crash or deadlock of some
 *   threads, depends on everything: what others do before it or not at all.
 * - Operations that nobody can observe (yield, join, create) are performed as
 *   soon as they can be.  They are no steps of the search.
 *
 * The search cannot be divided between workers: races found in one part are
 * reversed in another.
 */
#include "strategy/dpor/dpor.h"

#include "base/text.h"
#include "model/depend.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"

enum { PUT_OFF = 2000 }; /* events */

static struct pl_dpor *state_of(const struct pl_strategy_context *c)
{
    return (struct pl_dpor *)c->arena;
}

static void clear(struct pl_dpor *s)
{
    s->open = s->gone = s->ended = s->resumed = false;
    s->n = s->at = s->pending = s->n_decided = 0;
    s->kept = 0;
    s->dropped = false;
    s->n_sleepers = s->n_enabled = 0;
    pl_past_clear(&s->past);
    pl_wakeup_clear(&s->pool);
    s->frames[0] = (struct pl_dpor_frame){.runner = PL_DPOR_NOBODY};
}

static const char *start(struct pl_strategy_context *c)
{
    static const char *const names[] = {"optimal", "source", "classic"};
    struct pl_dpor *s = state_of(c);
    uint64_t part = (c->arena_size - sizeof(*s)) / 8;
    unsigned char *memory = c->arena + ((sizeof(*s) + 63) & ~UINT64_C(63));
    unsigned variant = 0;

    while (variant < 3 && !pl_text_equal(c->settings->parameters, names[variant]))
        variant++;
    if (c->settings->parameters[0] != '\0' && variant == 3)
        return "dpor has three variants: dpor:optimal, dpor:source and dpor:classic.";
    s->variant = variant == 3 ? PL_DPOR_OPTIMAL : (enum pl_dpor_variant)variant;
    s->past.recalls = s->variant == PL_DPOR_OPTIMAL;
    part &= ~UINT64_C(63);
    pl_past_start(&s->past, memory, 4 * part);
    memory += 4 * part;
    pl_wakeup_start(&s->pool, memory, 2 * part);
    memory += 2 * part;
    s->frames = (struct pl_dpor_frame *)memory;
    memory += ((s->past.events_max + 1) * sizeof(struct pl_dpor_frame) + 63) & ~UINT64_C(63);
    s->sequence = (uint32_t *)memory;
    memory += (s->past.events_max + 1) * sizeof(uint32_t);
    s->stack = (uint32_t *)memory;
    memory += (s->past.events_max + 1) * sizeof(uint32_t);
    s->decided = (uint16_t *)memory;
    memory += (((uint64_t)s->past.events_max + 1) * sizeof(uint16_t) + 63) & ~UINT64_C(63);
    uint64_t left = (uint64_t)(c->arena + c->arena_size - memory);

    s->sleepers = (uint32_t *)memory;
    s->sleepers_max = (uint32_t)(left / 2 / sizeof(uint32_t));
    s->enabled = (uint16_t *)(memory + s->sleepers_max * sizeof(uint32_t));
    s->enabled_max = (uint32_t)(left / 4 / sizeof(uint16_t));
    clear(s);
    return NULL;
}

/* ---- going back ---- */

/* Give back what belongs to states behind the first n events. */
static void pop(struct pl_dpor *s, uint32_t n)
{
    uint32_t kept = pl_dpor_leave(s, n);

    if (kept != 0)
        PL_STORE(s->pool.nodes[s->frames[n].current].child, kept);
    PL_STORE(s->kept, 0);
    pl_past_pop(&s->past, n);
    s->n_sleepers = s->frames[n].sleep + s->frames[n].n_sleep;
    s->n_enabled = s->frames[n].enabled + s->frames[n].n_enabled;
}

/* Go back to the state that end() has decided on: what was taken there has been explored. */
static void turn(struct pl_dpor *s)
{
    if (s->pending == 0)
        return;
    uint32_t n = s->pending - 1;
    struct pl_dpor_frame *f = &s->frames[n];

    pop(s, n);
    pl_dpor_explored(s, n);
    f->current = 0;
    f->again = false;
    pl_dpor_put_first(s, f);
    s->n = n;
    s->n_decided = 0;
    s->open = false;
    PL_STORE(s->pending, 0);
}

/* What is planned and explored in a state that an execution is taken back to. */
struct state {
    uint32_t wut, done;
};

/* The state before event i, if that is taken back; `behind` is the one after it. */
static struct state take_back_event(struct pl_dpor *s, uint32_t i, struct state behind)
{
    const struct pl_dpor_frame *f = &s->frames[i];
    struct state before = {f->wut, f->done};

    if (s->past.events[i].automatic)
        return behind;
    if (f->again) {
        s->pool.nodes[f->current].child =
            pl_dpor_pack(s, behind.wut, behind.done, s->frames[i + 1].n_sleep > 0);
    } else if (f->planned && f->current != 0) {
        s->pool.nodes[f->current].child = behind.wut;
        s->pool.nodes[f->current].next = before.wut;
        before.wut = f->current;
    } else {
        pl_wakeup_free(&s->pool, behind.wut); /* of what was no plan */
        if (f->current != 0)
            pl_wakeup_free(&s->pool, f->current);
    }
    return before;
}

/*
 * The execution is to be made again: what was taken out of the wakeup tree on its
 * way goes back to where it was.
 */
static void take_back(struct pl_dpor *s)
{
    uint32_t n = s->past.n_events;
    struct state at = {s->frames[n].wut, s->frames[n].done};

    s->frames[n].wut = s->frames[n].done = s->frames[n].current = 0;
    for (uint32_t i = n; i-- > s->n;) {
        struct pl_dpor_frame *f = &s->frames[i];

        at = take_back_event(s, i, at);
        f->wut = f->done = f->current = 0;
        f->again = false;
    }
    s->frames[s->n].wut = at.wut;
    s->frames[s->n].done = at.done;
    pop(s, s->n);
}

static void forget_outcomes(struct pl_dpor *s)
{
    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++)
        s->planned[i] = s->outcome[i] = s->options[i] = 0;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct pl_dpor *s = state_of(c);

    turn(s);
    if (s->pool.moving)
        c->divergence->happened = true; /* somebody died, and plans with it */
    s->pool.moving = false;
    if (s->past.n_events > s->n)
        take_back(s); /* an execution was lost */
    s->at = 0;
    s->decisions = 0;
    s->gone = s->ended = s->resumed = false;
    s->early = s->late = 0;
    s->goal = 0;
    s->missed = PL_PAST_NONE;
    forget_outcomes(s);
    PL_STORE(s->open, true);
}

/* The program does not do what it did before: what was planned cannot be had. */
static void stray(struct pl_strategy_context *c)
{
    struct pl_dpor *s = state_of(c);
    struct pl_dpor_frame *f = &s->frames[s->at < s->n ? s->n : s->at];
    uint32_t branch = pl_dpor_plan(s, f), done;

    c->divergence->happened = true;
    s->gone = true;
    if (branch != f->wut) {
        pl_wakeup_free(&s->pool, pl_dpor_unpack(s, branch, &done));
        pl_wakeup_free(&s->pool, done);
        return;
    }
    if (branch == 0)
        return;
    PL_STORE(f->wut, s->pool.nodes[branch].next);
    s->pool.nodes[branch].next = 0;
    pl_wakeup_free(&s->pool, branch);
}

/* The choices made within an event are part of what it is. */
static void settle_outcome(struct pl_dpor *s, uint32_t e)
{
    struct pl_past_record r = *pl_past_record_of(&s->past, e);

    for (unsigned i = 0; i < PL_PAST_OUTCOMES; i++) {
        r.outcome[i] = s->outcome[i];
        s->past.events[e].options[i] = s->options[i];
    }
    s->past.events[e].record = pl_past_record(&s->past, &r);
    if (s->frames[e].current != 0)
        s->pool.nodes[s->frames[e].current].record = s->past.events[e].record;
}

/* ---- choosing ---- */

/* Whether the operation is to be performed as soon as it can be: no step of the search. */
static bool is_automatic(const struct pl_dpor *s, const struct pl_operation *op)
{
    if (op->noted)
        return true;
    if (!pl_depend_nothing(op))
        return false;
    for (unsigned i = 0; i < s->n_observed; i++) {
        if (s->observed[i].name == op->name && s->observed[i].ordinal == op->ordinal)
            return false;
    }
    return true;
}

/* Whether one of the nodes beside each other is the thread's. */
bool pl_dpor_among(const struct pl_dpor *s, uint32_t node, uint16_t thread)
{
    for (; node != 0; node = s->pool.nodes[node].next) {
        if (s->past.records[s->pool.nodes[node].record].thread == thread)
            return true;
    }
    return false;
}

bool pl_dpor_asleep(const struct pl_dpor *s, const struct pl_dpor_frame *f, uint16_t thread)
{
    for (uint32_t i = 0; i < f->n_sleep; i++) {
        if (s->past.records[s->sleepers[f->sleep + i]].thread == thread)
            return true;
    }
    return pl_dpor_among(s, f->done, thread);
}

/* An option that nobody can observe. */
static int unobservable(const struct pl_dpor *s, const struct pl_view *view)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (is_automatic(s, view->next[i]))
            return (int)i;
    }
    return -1;
}

static unsigned price(const struct pl_dpor_frame *f, uint16_t thread)
{
    return f->runner != PL_DPOR_NOBODY && f->runner != thread;
}

bool pl_dpor_affords(const struct pl_dpor *s, const struct pl_dpor_frame *f, uint16_t thread)
{
    return !s->bounded || f->used + price(f, thread) <= s->bound;
}

/*
 * Something else comes where what the goal waits for could have.  Not for ever: in a
 * loop it might be put off until the loop is cut short.
 */
static unsigned put_off(struct pl_dpor *s, const struct pl_view *view, unsigned taken)
{
    uint32_t ordinal;
    uint16_t thread;

    if (s->guide == NULL || s->goal == 0 || !s->guide->due(s->guide->of, s, &thread, &ordinal))
        return taken;
    int option = pl_dpor_option(s, view, thread);

    if (option < 0 || (unsigned)option == taken || view->next[option]->ordinal != ordinal)
        return taken;
    if (s->missed == PL_PAST_NONE)
        s->missed = s->at;
    return s->at - s->missed < PUT_OFF || !pl_dpor_affords(s, &s->frames[s->at], thread)
               ? taken
               : (unsigned)option;
}

/* Nobody is interrupted by an operation that is no step: who had the last step goes on. */
static void note_runner(struct pl_dpor *s, const struct pl_view *view, struct pl_dpor_frame *f)
{
    uint32_t e = s->past.n_events;

    f->runner = PL_DPOR_NOBODY;
    while (e > 0 && s->past.events[e - 1].automatic)
        e--;
    int option = e > 0 ? pl_dpor_option(s, view, s->past.events[e - 1].thread) : -1;

    if (option >= 0 && view->next[option]->way == PL_WAY_NORMAL)
        f->runner = s->past.events[e - 1].thread;
}

static void note_enabled(struct pl_dpor *s, const struct pl_view *view, struct pl_dpor_frame *f)
{
    f->enabled = s->n_enabled;
    f->n_enabled = 0;
    if ((s->variant < PL_DPOR_CLASSIC && s->guide == NULL) ||
        s->n_enabled + view->options > s->enabled_max)
        return;
    for (unsigned i = 0; i < view->options; i++)
        s->enabled[s->n_enabled++] = pl_past_thread(&s->past, view->next[i]);
    f->n_enabled = view->options;
}

static unsigned choose_thread(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = state_of(c);
    int option;

    if (s->resumed) { /* the first choice asked for is at the first event where one was */
        while (s->at < s->n && !s->frames[s->at].asked)
            s->at++;
        s->resumed = false;
    }
    struct pl_dpor_frame *f = &s->frames[s->at];

    if (s->gone || s->past.full)
        return pl_view_unwritten(view);
    if (s->at < s->n) {
        option = pl_dpor_option(s, view, s->past.events[s->at].thread);
    } else {
        f->decisions = s->decisions - 1;
        f->asked = true;
        option = unobservable(s, view);
        if (option >= 0)
            return (unsigned)option;
        if (s->at > s->n || f->n_enabled == 0)
            note_enabled(s, view, f);
        if (s->bounded)
            note_runner(s, view, f);
        uint32_t plan = pl_dpor_plan(s, f);

        if (plan == 0)
            return put_off(s, view, pl_dpor_choose_freely(c, view));
        option = pl_dpor_option(s, view, s->past.records[s->pool.nodes[plan].record].thread);
    }
    if (option >= 0)
        return (unsigned)option;
    stray(c);
    return pl_view_unwritten(view);
}

/* Within an event of the part that is repeated: what was taken then. */
static unsigned repeat_outcome(struct pl_strategy_context *c, const struct pl_view *view,
                               uint32_t event, unsigned i)
{
    const struct pl_past_record *r = pl_past_record_of(&state_of(c)->past, event);

    if (i < PL_PAST_OUTCOMES && r->outcome[i] != 0 && r->outcome[i] <= view->options)
        return r->outcome[i] - 1u;
    stray(c);
    return pl_view_unwritten(view);
}

/*
 * A choice within an operation.  Some come before the operation is performed,
 * others after; what is planned for it is in s->planned[].
 */
static unsigned choose_outcome(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = state_of(c);
    bool early = view->kind == PL_CHOICE_WAY || view->kind == PL_CHOICE_WEAK_CAS;
    uint32_t event = early ? s->at : s->at - 1;
    unsigned i = early ? s->early++ : s->late++, taken = pl_view_unwritten(view);

    if (s->gone || s->past.full)
        return taken;
    if (event < s->n)
        return repeat_outcome(c, view, event, i);
    if (i >= PL_PAST_OUTCOMES) {
        s->past.full = true;
        return taken;
    }
    uint32_t plan = early ? pl_dpor_plan(s, &s->frames[event]) : 0;

    if (plan != 0)
        s->planned[i] = s->past.records[s->pool.nodes[plan].record].outcome[i];
    if (s->planned[i] != 0 && s->planned[i] <= view->options)
        taken = s->planned[i] - 1u;
    s->outcome[i] = (uint16_t)(taken + 1);
    s->options[i] = (uint16_t)view->options;
    if (!early)
        settle_outcome(s, event);
    return taken;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = state_of(c);

    s->decisions++;
    if (view->kind == PL_CHOICE_THREAD)
        return choose_thread(c, view);
    unsigned taken = choose_outcome(c, view);

    if (s->at >= s->n)
        s->frames[s->at].decisions = s->decisions;
    return taken;
}

/* ---- observing ---- */

/* After a checkpoint, the first event: which one is it?  Maybe the first that is not repeated. */
static void find_event(struct pl_dpor *s, const struct pl_operation *op)
{
    while (s->at < s->n && (pl_past_record_of(&s->past, s->at)->op.ordinal != op->ordinal ||
                            pl_past_record_of(&s->past, s->at)->op.name != op->name))
        s->at++;
    s->resumed = false;
}

/* An event of the part that is repeated: is it the same? */
static void check(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_dpor *s = state_of(c);
    const struct pl_operation *known = &pl_past_record_of(&s->past, s->at)->op;

    if (known->name != op->name || known->kind != op->kind || known->addr != op->addr ||
        known->effect != op->effect)
        stray(c);
    s->late = s->early;
    s->early = 0;
    s->at++;
}

/* The sleep set behind event e: whoever does not depend on it sleeps on. */
static void put_to_sleep(struct pl_dpor *s, uint32_t e)
{
    const struct pl_dpor_frame *f = &s->frames[e];
    struct pl_dpor_frame *next = &s->frames[e + 1];
    const struct pl_past_record *r = pl_past_record_of(&s->past, e);

    next->sleep = s->n_sleepers;
    next->n_sleep = 0;
    if (s->variant == PL_DPOR_BOUNDED)
        return; /* an execution that they would spare may be the only one within the bound */
    for (uint32_t i = 0; i < f->n_sleep; i++) {
        uint32_t sleeper = s->sleepers[f->sleep + i];

        if (!pl_past_depend(&s->past.records[sleeper], r))
            s->sleepers[s->n_sleepers++] = sleeper;
    }
    /* Of what has been explored here, what was explored before this. */
    for (uint32_t i = f->again ? s->pool.nodes[f->current].next : f->done; i != 0;
         i = s->pool.nodes[i].next) {
        uint32_t sleeper = s->pool.nodes[i].record;

        if (!pl_past_depend(&s->past.records[sleeper], r))
            s->sleepers[s->n_sleepers++] = sleeper;
        if (s->n_sleepers + f->n_sleep + 2 > s->sleepers_max) {
            s->past.full = true;
            break;
        }
    }
    next->n_sleep = s->n_sleepers - next->sleep;
}

/* A new event: the state behind it. */
static void descend(struct pl_dpor *s, uint32_t e)
{
    struct pl_dpor_frame *f = &s->frames[e], *next = &s->frames[e + 1];
    uint32_t record = s->past.events[e].record, plan = pl_dpor_plan(s, f), behind = 0, done = 0;
    unsigned cost = s->past.events[e].automatic ? 0 : price(f, s->past.events[e].thread);

    f->again = f->planned = false;
    if (s->past.events[e].automatic) {
        behind = f->wut;
        done = f->done;
        f->wut = f->done = 0;
        f->current = 0;
    } else if (plan != 0 && plan == f->wut) {
        struct pl_wakeup_node *node = &s->pool.nodes[plan];

        behind = node->child;
        f->wut = node->next;
        if (node->goal != 0 && node->goal != PL_WAKEUP_LATER)
            s->goal = node->goal & PL_WAKEUP_GOAL;
        node->child = node->next = 0;
        node->record = record;
        f->current = plan;
        f->planned = true;
    } else if (plan != 0) {
        f->current = plan;
        f->again = true;
        behind = pl_dpor_unpack(s, f->current, &done);
    } else {
        f->current = pl_wakeup_node(&s->pool, record);
    }
    *next = (struct pl_dpor_frame){.wut = behind,
                                   .done = done,
                                   .decisions = s->decisions,
                                   .used = (uint16_t)(f->used + cost),
                                   .runner = PL_DPOR_NOBODY};
    put_to_sleep(s, e);
    next->enabled = s->n_enabled;
    pl_dpor_put_first(s, next);
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_dpor *s = state_of(c);

    if (s->gone || s->past.full)
        return;
    if (s->resumed)
        find_event(s, op);
    if (s->at < s->n) {
        check(c, op);
        return;
    }
    struct pl_dpor_frame *f = &s->frames[s->at];
    bool automatic = is_automatic(s, op);
    uint32_t e = s->at, planned = automatic ? 0 : pl_dpor_plan(s, f);

    /* There may have been no choice, and it is not what was planned. */
    if (planned != 0 &&
        s->past.records[s->pool.nodes[planned].record].thread != pl_past_thread(&s->past, op)) {
        stray(c);
        return;
    }
    for (unsigned i = s->early; i < PL_PAST_OUTCOMES; i++)
        s->planned[i] =
            planned != 0 ? s->past.records[s->pool.nodes[planned].record].outcome[i] : 0;
    pl_past_push(&s->past, op, automatic);
    if (s->past.full)
        return;
    if (s->early > 0)
        settle_outcome(s, e);
    descend(s, e);
    if (s->early == 0)
        s->outcome[0] = s->outcome[1] = s->options[0] = s->options[1] = 0;
    s->late = s->early;
    s->early = 0;
    s->at++;
}

/* ---- what is left when the execution ends ---- */

/* The last event that others could have kept from happening. */
static uint32_t last_event(const struct pl_dpor *s)
{
    uint32_t e = s->past.n_events;

    while (e > 0 && s->past.events[e - 1].automatic)
        e--;
    return e == 0 ? PL_PAST_NONE : e - 1;
}

/*
 * The program ended after an operation that was no step of the search: it is one
 * from now on, since others can do something before it.
 */
static void observe_last(struct pl_strategy_context *c)
{
    struct pl_dpor *s = state_of(c);
    uint32_t e = s->past.n_events;

    /* A thread that has just begun came there with its creator. */
    while (e > 0 &&
           pl_operation_is(pl_past_record_of(&s->past, e - 1)->op.kind, PL_ROLES(BEGINS, ENDS)))
        e--;
    if (e <= s->n || !s->past.events[e - 1].automatic ||
        !pl_depend_nothing(&pl_past_record_of(&s->past, e - 1)->op))
        return; /* it was one, or it cannot be put off: no more than a note */
    const struct pl_operation *op = &pl_past_record_of(&s->past, e - 1)->op;

    if (s->n_observed == PL_DPOR_OBSERVED) {
        s->past.full = true;
        return;
    }
    s->observed[s->n_observed].name = op->name;
    s->observed[s->n_observed].ordinal = op->ordinal;
    s->n_observed++;
    c->divergence->again = true;
}

static void last(struct pl_strategy_context *c, const struct pl_operation *const *next, unsigned n)
{
    struct pl_dpor *s = state_of(c);
    uint32_t ending = last_event(s);

    if (s->ended || s->gone || s->past.full || s->at < s->n)
        return;
    s->ended = true;
    for (unsigned i = 0; i < n; i++) {
        if (pl_depend_waits(next[i]) && !next[i]->parked)
            pl_past_pending(&s->past, next[i]);
    }
    if (!c->stuck && !c->learned && n > 0)
        observe_last(c);
    if (c->stuck || ending == PL_PAST_NONE || ending < s->n)
        return;
    pl_past_ended(&s->past, ending, next, n);
    if (s->frames[ending].current != 0)
        s->pool.nodes[s->frames[ending].current].record = s->past.events[ending].record;
    for (unsigned i = 0; i < n; i++) {
        if (next[i]->way != PL_WAY_BLOCKED && !is_automatic(s, next[i]) &&
            pl_past_could_precede(&s->past, next[i], ending))
            pl_dpor_before_end(s, ending, next[i]);
        for (unsigned j = 0; j < n && next[i]->way != PL_WAY_BLOCKED; j++) {
            if (next[j]->circle && !is_automatic(s, next[i]))
                pl_dpor_within_circle(s, ending, next[j], next[i]);
        }
    }
}

/* What was planned for a goal that needs no execution any more goes. */
static void drop_settled(struct pl_dpor *s, struct pl_dpor_frame *f)
{
    while (f->wut != 0) {
        struct pl_wakeup_node *node = &s->pool.nodes[f->wut];
        uint32_t first = f->wut;

        if (node->goal == 0 || node->child != 0 || !s->guide->settled(s->guide->of, node->goal))
            return;
        PL_STORE(f->wut, node->next);
        node->next = 0;
        pl_wakeup_free(&s->pool, first);
    }
}

/* Whether something is to be explored in this state. */
static bool is_left(struct pl_dpor *s, struct pl_dpor_frame *f)
{
    if (s->guide != NULL && !s->keeps)
        drop_settled(s, f);
    return pl_dpor_has_work(s, f);
}

/* It may have ended earlier than was thought: with what was planned behind it nothing can be done.
 */
static void forget_rest(struct pl_dpor *s)
{
    struct pl_dpor_frame *f = &s->frames[s->past.n_events];
    uint32_t wut = f->wut, done = f->done;

    PL_STORE(f->wut, 0);
    PL_STORE(f->done, 0);
    pl_wakeup_free(&s->pool, wut);
    pl_wakeup_free(&s->pool, done);
}

bool pl_dpor_go_on(struct pl_dpor *s)
{
    uint32_t n = s->past.n_events;

    while (n > 0 && !is_left(s, &s->frames[n]))
        n--;
    if (!is_left(s, &s->frames[n]))
        return false;
    PL_STORE(s->pending, n + 1);
    turn(s);
    return true;
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct pl_dpor *s = state_of(c);

    turn(s);
    if (again) {
        clear(s);
        return true;
    }
    if (outcome == PL_OUTCOME_LOST || !s->open)
        return true; /* the plan is kept: the same execution once more */
    if (!s->gone && !s->ended)
        c->divergence->happened = true; /* what was left when it was killed is not known */
    pl_dpor_look_back(s);
    if (s->past.full || s->past.inexact || s->pool.full)
        c->divergence->happened = true;
    if (!s->gone)
        forget_rest(s);
    return pl_dpor_go_on(s);
}

static void adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    clear(state_of(c));
}

static uint64_t repeats(const struct pl_strategy_context *c)
{
    const struct pl_dpor *s = state_of(c);

    return s->frames[s->n].decisions;
}

static void resume(struct pl_strategy_context *c, uint64_t n)
{
    struct pl_dpor *s = state_of(c);
    uint32_t low = 0, high = s->n;

    while (low < high) { /* the first event before which n choices had been made */
        uint32_t middle = (low + high) / 2;

        if (s->frames[middle].decisions < n)
            low = middle + 1;
        else
            high = middle;
    }
    s->at = low;
    s->decisions = n;
    s->resumed = s->at < s->n;
}

static unsigned count(const struct pl_dpor *s, uint32_t node)
{
    unsigned n = 0;

    for (; node != 0; node = s->pool.nodes[node].next)
        n++;
    return n;
}

/*
 * As if no more than is known now were to be explored in each state: too little
 * at first, since executions find more.
 */
static void estimate(const struct pl_strategy_context *c, struct pl_estimate *e)
{
    const struct pl_dpor *s = state_of(c);
    double share = 1; /* of one branch of the state */

    e->left = s->n == 0 && s->frames[0].wut == 0 ? 1 : 0;
    for (uint32_t i = 0; i <= s->n && share > PL_ESTIMATE_NEGLIGIBLE; i++) {
        const struct pl_dpor_frame *f = &s->frames[i];
        unsigned left = count(s, f->wut), all = left + count(s, f->done) + (f->current != 0);

        if (all == 0)
            continue;
        share /= all;
        e->left += share * left;
    }
}

const struct pl_strategy pl_dpor = {
    .name = "dpor",
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .last = last,
    .end = end,
    .repeats = repeats,
    .resume = resume,
    .adopt = adopt,
    .estimate = estimate,
    .exhaustive = true,
};
