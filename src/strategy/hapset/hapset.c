/* SPDX-License-Identifier: MIT */
/*
 * Coverage-guided systematic search (Wang, Said, Gupta: Coverage guided systematic
 * concurrency testing, ICSE 2011).
 *
 * An exhaustive search repeats the same scenario under thousands of classes.  This one
 * goes on only where something new would be seen.  As with dpor, after an execution its
 * races are looked at: `first` came before `second`, and could have come after it.  There
 * is something to explore in the state before `first` only if
 *
 *     statement(second) is not in HaPSet(statement(first)),
 *
 * that is if no good execution has shown the reversed order (model/hapset.h).  All
 * else is as the search below it does it:
 *
 *   base=dpor  the reversed execution goes into a wakeup tree (strategy/dpor/dpor.c);
 *   base=pcb   every thread that could go on before `first` is to be tried there,
 *              unless that made more preemptions than `bound`.  No sleep sets: bounding
 *              and reduction together would lose classes that have a member within the bound.
 *              With then=dpor that is no loss: all are explored later, so the tree is that of
 *              base=dpor, and the bound is one more reason to leave something for later;
 *   base=all   the same without a bound, the paper's baseline.
 *
 * Learning: with learn=N there are N random executions first, which choose nothing
 * but teach.  Every execution of the search teaches, too.  One that fails does not: the
 * order that made it fail is to stay unknown.
 *
 * What this adds to the paper:
 *
 * - The reversed order is to be shown, not merely to be made possible.  After `second` its
 *   thread goes on, as published.  If it touches the same object again before `first` comes,
 *   that is another order than was wanted: then there is one more execution, in
 *   which `first` comes as soon as it can.
 * - When the order of a race is known, the reversal may still show another one for the first time:
 *   what `second` would come immediately after.  That is asked as well (hapset_shown.c).
 * - An order for which both were in vain, or that made an execution fail, is not tried again.  So
 *   every two executions make one more pair of statements known, and the search ends.
 * - Choices within an operation, and what comes before or after the end of the program, are
 *   orders of their own kind.  Each way of a choice is tried once per statement.
 *
 * It is unsound by design.  When no backtrack point is left, every order of two
 * conflicting statements that executions have come near has been shown; that is not every
 * execution, and is never said to be.  With then=dpor the complete search follows.
 */
#include "base/arena.h"
#include "base/text.h"
#include "strategy/dpor/wakeup_later.h"
#include "strategy/hapset/hapset_search.h"
#include "strategy/shared/parameters.h"
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

enum { PAGE = 4096 };

static struct pl_hapset_search *state_of(const struct pl_strategy_context *c)
{
    return pl_hapset_of(c);
}

static struct pl_dpor *search_of(const struct pl_hapset_search *s)
{
    return pl_hapset_dpor(s);
}

/* ---- parameters ---- */

static const char refusal[] =
    "hapset takes learn=N, base=dpor, pcb or all, with pcb also bound=N up to 60000, context=N up "
    "to "
    "4, and then=dpor: write hapset:learn=20,base=pcb,bound=2, or leave them out.";

static bool read_parameters(struct pl_hapset_search *s, const char *text)
{
    static const char *const keys[] = {"learn", "base", "bound", "context", "then"};
    static const char *const bases[] = {"dpor", "pcb", "all"};
    unsigned base = PL_HAPSET_DPOR, then = 1;

    s->bound = UINT64_MAX;
    s->callers = 1;
    if (!pl_parameters_known(text, keys, 5, false) ||
        !pl_parameter_number(text, "learn", false, &s->learn) ||
        !pl_parameter_word(text, "base", false, bases, 3, &base) ||
        !pl_parameter_number(text, "bound", false, &s->bound) ||
        !pl_parameter_number(text, "context", false, &s->callers) ||
        !pl_parameter_word(text, "then", false, bases, 1, &then))
        return false;
    s->base = (enum pl_hapset_base)base;
    s->goes_on = then == 0;
    if (s->bound == UINT64_MAX)
        s->bound = 2;
    else if (base != PL_HAPSET_PCB)
        return false;
    return s->bound < UINT16_MAX - 1 && s->callers <= PL_COVER_CALLERS;
}

/* Whether executions are looked at for orders that no race leads to. */
static bool looks_for_orders(const struct pl_hapset_search *s)
{
    return s->phase != PL_HAPSET_REST;
}

/* Executions are looked at again for orders that no race leads to. */
static void forget_looks(struct pl_hapset_search *s)
{
    s->made = 0;
    s->fresh = true;
    s->looks_begun++;
    for (uint32_t i = 0; i < PL_COVER_STATEMENTS / 64; i++)
        s->executed[i] = 0;
}

static void enter(struct pl_hapset_search *s, enum pl_hapset_phase phase, bool anew)
{
    struct pl_dpor *d = search_of(s);
    bool goes_on = s->goes_on && !anew;

    if (!goes_on || phase != PL_HAPSET_RACES)
        forget_looks(s);
    s->phase = phase;
    s->over = false;
    s->n_goals = goes_on ? s->n_goals : PL_HAPSET_FIRST_GOAL;
    s->first_goal = s->n_goals;
    PL_ASSERT(s->first_goal >= PL_HAPSET_FIRST_GOAL && s->first_goal <= s->goals_max);
    /* An execution that sleep sets would spare may be the only one within the bound. */
    d->variant = phase != PL_HAPSET_REST && s->base != PL_HAPSET_DPOR && !s->goes_on
                     ? PL_DPOR_SLEEPLESS
                     : PL_DPOR_OPTIMAL;
    d->keep.on = s->goes_on && !(phase == PL_HAPSET_REST && d->keep.dropped);
    d->pool.later.goal = 0;
    d->pool.later.rank = d->keep.on ? pl_hapset_rank(phase) : 0;
    /* What is not wanted once is not asked again. */
    d->past.recalls = d->keep.on || phase == PL_HAPSET_REST;
}

static void set_phase(struct pl_hapset_search *s, enum pl_hapset_phase phase)
{
    enter(s, phase, false);
}

/* The whole search begins.  Nothing is suspected if nothing is given. */
static void set_first_phase(struct pl_hapset_search *s)
{
    enter(s, s->settings.given ? PL_HAPSET_SUSPECTS : PL_HAPSET_RACES, true);
}

/* What was learned lately is not known any more: there are other points now. */
static void forget_lessons(struct pl_hapset_search *s)
{
    s->lessons_begun++;
    for (uint32_t i = 0; i < PL_COVER_STATEMENTS / 64; i++)
        s->before_end[i] = 0;
    s->taught = 0;
}

static const char *start(struct pl_strategy_context *c)
{
    struct pl_hapset_search *s = state_of(c);
    struct pl_arena arena = pl_arena_of(c->arena, c->arena_size);
    uint64_t part = (c->arena_size / 64) & ~(uint64_t)(PAGE - 1);

    if (!read_parameters(s, c->settings->parameters))
        return refusal;
    pl_arena_take(&arena, sizeof(*s), 1);
    pl_arena_align(&arena, PAGE);
    s->events_max = (uint32_t)(8 * part / sizeof(struct pl_predecessors_event));
    s->events = pl_arena_take(&arena, 8, part);
    s->goals_max = (uint32_t)(part / sizeof(struct pl_hapset_goal));
    s->goals = pl_arena_take(&arena, 1, part);
    pl_predecessors_start(&s->predecessors, pl_arena_take(&arena, 4, part), 4 * part);
    pl_orders_start(&s->orders, pl_arena_take(&arena, 8, part), 8 * part);
    s->settings = *c->settings;
    s->settings.parameters[0] = '\0';
    s->search = *c;
    s->search.settings = &s->settings;
    s->search.risk = NULL;
    s->search.arena = arena.at;
    s->search.arena_size = arena.left;
    const char *bad = pl_dpor.start(&s->search);

    PL_ASSERT(s->events_max >= search_of(s)->past.events_max); /* so each event has its statement */
    set_first_phase(s);
    return bad;
}

static unsigned callers(const struct pl_strategy_context *c)
{
    return (unsigned)state_of(c)->callers;
}

/* ---- guidance ---- */

/* Around every call of dpor: who guides it lives no longer than the call. */
static void guide(struct pl_strategy_context *c)
{
    struct pl_hapset_search *s = state_of(c);

    search_of(s)->guide = s->phase != PL_HAPSET_REST ? &pl_hapset_guide : NULL;
    search_of(s)->guided = c;
}

static void leave_alone(const struct pl_strategy_context *c)
{
    search_of(state_of(c))->guide = NULL;
}

/*
 * If the execution did not show what it was made for, because the thread of the second
 * operation touched the object again, the first is to come before that.  Otherwise
 * it has been tried, whatever came of it.
 */
static void settle_goal(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    const struct pl_hapset_search *s = state_of(c);
    const struct pl_dpor *d = search_of(s);
    struct pl_hapset_goal *g = &s->goals[s->goal];

    PL_ASSERT(s->goal < s->n_goals);
    if (s->goal < PL_HAPSET_FIRST_GOAL || s->phase == PL_HAPSET_REST ||
        pl_hapset_why(c->hapset, g->statement, g->predecessor) != 0)
        return;
    if (outcome == PL_OUTCOME_DONE && !g->again && !d->replay.gone &&
        s->missed < d->past.n_events) {
        g->again = true;
        pl_hapset_try(s, s->missed, g->thread, s->goal);
    } else {
        pl_hapset_add(c->hapset, g->statement, g->predecessor, PL_HAPSET_TRIED, 0);
    }
}

/* ---- an execution ---- */

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct pl_hapset_search *s = state_of(c);

    s->sampling = s->learned < s->learn;
    s->execution = n;
    s->n_events = s->n_waiting = 0;
    s->cut_off = s->search.impossible = false;
    s->rng = pl_sampling_seed(c, n);
    leave_alone(c);
    s->search.risk =
        s->phase == PL_HAPSET_REST ? c->risk : NULL; /* guidance has an order of its own */
    if (!s->sampling) {
        s->made++;
        s->goal = 0;
        s->missed = PL_PAST_NONE;
        pl_dpor.begin(&s->search, n);
        PL_ASSERT(search_of(s)->guide == NULL);
        if (s->taught > search_of(s)->replay.n)
            s->taught = search_of(s)->replay.n;
    }
    s->open = true;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_hapset_search *s = state_of(c);

    if (s->sampling)
        return pl_rng_below(&s->rng, view->options);
    guide(c);
    pl_strategy_tell(c, &s->search);
    unsigned taken = pl_dpor.choose(&s->search, view);

    c->impossible = s->search.impossible;
    leave_alone(c);
    return taken;
}

static void note_statement(struct pl_hapset_search *s, uint32_t statement)
{
    uint64_t bit = UINT64_C(1) << (statement % 64);

    if (statement >= PL_COVER_STATEMENTS || (s->executed[statement / 64] & bit) != 0)
        return;
    s->executed[statement / 64] |= bit;
    s->fresh = true;
}

/* The search has a new event.  If a plan ends with it, the execution is made for its goal. */
static void note_event(struct pl_hapset_search *s, uint32_t e, const struct pl_operation *op)
{
    struct pl_dpor *d = search_of(s);
    uint32_t goal = d->frames[e].taken.planned ? d->pool.nodes[d->frames[e].p].goal : 0;

    PL_ASSERT(e + 1 == d->past.n_events);
    if (looks_for_orders(s))
        pl_orders_note(&s->orders, &d->past, op);
    if (d->past.full)
        return;
    pl_hapset_bound_observe(s, d, e);
    if (goal != 0 && goal != PL_WAKEUP_LATER)
        s->goal = goal & PL_WAKEUP_GOAL;
    PL_ASSERT(s->goal < s->n_goals);
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_hapset_search *s = state_of(c);
    const struct pl_past *p = &search_of(s)->past;
    uint32_t at = s->sampling ? s->n_events++ : p->n_events;

    if (!s->sampling) {
        pl_strategy_tell(c, &s->search);
        pl_dpor.observe(&s->search, op);
        c->impossible = s->search.impossible;
    }
    if (!s->sampling && p->n_events > at)
        note_event(s, at, op);
    if (at < s->events_max && (s->sampling || p->n_events > at))
        pl_predecessors_note(&s->events[at], op);
    note_statement(s, op->statement);
}

static bool idle(struct pl_strategy_context *c, const struct pl_operation *op, uint32_t from)
{
    struct pl_hapset_search *s = state_of(c);

    return !s->sampling && pl_dpor.idle(&s->search, op, from);
}

static void last(struct pl_strategy_context *c, const struct pl_operation *const *next, unsigned n)
{
    struct pl_hapset_search *s = state_of(c);

    if (s->sampling)
        return;
    pl_strategy_tell(c, &s->search);
    guide(c);
    pl_dpor.last(&s->search, next, n);
    leave_alone(c);
    s->cut_off = !c->stuck;
    for (s->n_waiting = 0; s->n_waiting < n; s->n_waiting++)
        s->waiting[s->n_waiting] = next[s->n_waiting]->statement;
}

/*
 * Plan what the execution shows to be wanted.  False when nothing is planned any more.  Orders that
 * no race leads to are looked for in it only if there are statements that were not there before, or
 * when nothing else is left: most executions show the same ones.
 */
static bool look_back(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct pl_hapset_search *s = state_of(c);
    bool looks = outcome == PL_OUTCOME_DONE && looks_for_orders(s);
    bool fresh = s->fresh;

    guide(c);
    if (looks && fresh)
        pl_hapset_look(c);
    s->fresh = false;
    bool more = pl_dpor.end(&s->search, outcome, false);

    if (!more && looks && !fresh) {
        pl_hapset_look(c);
        more = pl_dpor.end(&s->search, outcome, false);
    }
    leave_alone(c);
    return more;
}

/* What comes after this phase; the same one when there is no more. */
static enum pl_hapset_phase following(const struct pl_strategy_context *c)
{
    const struct pl_hapset_search *s = state_of(c);

    if (s->phase == PL_HAPSET_SUSPECTS)
        return PL_HAPSET_RACES;
    if (s->phase == PL_HAPSET_RACES && pl_hapset_left(c))
        return s->made > 1 || s->goes_on ? PL_HAPSET_ORDERS : PL_HAPSET_ORDERS_ANEW;
    if (s->phase == PL_HAPSET_ORDERS && !s->goes_on) /* else what the first ones showed was kept */
        return PL_HAPSET_ORDERS_ANEW;
    return s->goes_on ? PL_HAPSET_REST : s->phase;
}

/*
 * The execution that is over is the first of the phase: its statements have been there.  Those that
 * the next one repeats are seen again or not, as a checkpoint will have it.
 */
static void note_execution(struct pl_hapset_search *s)
{
    uint32_t n = search_of(s)->past.n_events;

    for (uint32_t e = 0; e < n && e < s->events_max; e++)
        note_statement(s, s->events[e].statement);
    s->made = 1;
    s->fresh = true;
}

/* What has waited for the published rule is asked for now. */
static void ask_again(const struct pl_strategy_context *c)
{
    const struct pl_hapset_search *s = state_of(c);

    for (uint32_t i = PL_HAPSET_FIRST_GOAL; i < s->n_goals; i++) {
        struct pl_hapset_goal *g = &s->goals[i];

        g->waits = g->waits && pl_hapset_why(c->hapset, g->statement, g->predecessor) != 0;
    }
}

/* What was left is wanted now; false if there is none of it. */
static bool go_on(struct pl_strategy_context *c)
{

    guide(c);
    bool more = pl_dpor_go_on(search_of(state_of(c)));

    leave_alone(c);
    return more;
}

/*
 * The search goes on with more that is wanted; false when there is no more.  If the execution that
 * is over was the only one of its phase, or is as good as any other, it is not made again.
 */
static bool next_phase(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct pl_hapset_search *s = state_of(c);
    enum pl_hapset_phase phase = following(c);
    bool only = s->made == 1 && s->phase != PL_HAPSET_ORDERS;
    bool stays = phase == PL_HAPSET_ORDERS || (phase != PL_HAPSET_REST && only && !s->goes_on);

    PL_ASSERT(phase >= s->phase);
    if (phase == s->phase)
        return false;
    if (phase == PL_HAPSET_RACES)
        ask_again(c);
    set_phase(s, phase);
    if (stays) {
        note_execution(s);
        return look_back(c, outcome) || next_phase(c, outcome);
    }
    if (search_of(s)->keep.on)
        return go_on(c) || next_phase(c, outcome);
    pl_dpor.search->adopt(&s->search, NULL, 0);
    return true;
}

/*
 * There is no order left that executions came near: samples are led to what the analyser says may
 * exist besides.  They come last, so that nothing is left out because of them.
 */
static bool aim(const struct pl_strategy_context *c)
{
    struct pl_hapset_search *s = state_of(c);

    s->over = s->phase != PL_HAPSET_REST && c->aims != NULL && c->aims();
    if (s->over)
        s->learn = s->learned + 1;
    return s->over;
}

static bool conclude(struct pl_strategy_context *c, enum pl_outcome outcome)
{
    struct pl_hapset_search *s = state_of(c);

    if (s->open && outcome == PL_OUTCOME_DONE)
        pl_hapset_teach(c);
    s->learned += s->open && s->sampling;
    if (s->open && !s->sampling)
        settle_goal(c, outcome);
    s->open = false;
    if (s->sampling)
        return !s->over || aim(c);
    bool more = look_back(c, outcome);

    if (s->phase == PL_HAPSET_REST && search_of(s)->keep.on && search_of(s)->keep.dropped) {
        set_phase(s, PL_HAPSET_REST); /* there was no room to keep all of it */
        pl_dpor.search->adopt(&s->search, NULL, 0);
        return true;
    }
    return more || next_phase(c, outcome) || aim(c);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct pl_hapset_search *s = state_of(c);

    s->failed = outcome == PL_OUTCOME_FINDING;
    if (s->open && s->failed)
        pl_hapset_blame(c);
    if (again) { /* the plan is void, and so is what was learned */
        pl_dpor.end(&s->search, outcome, true);
        forget_lessons(s);
        set_first_phase(s);
        s->open = false;
        return true;
    }
    if (outcome == PL_OUTCOME_LOST) {
        if (!s->sampling)
            pl_dpor.end(&s->search, outcome, false);
        return true; /* the same once more */
    }
    return conclude(c, outcome);
}

/* ---- the search as a whole ---- */

static uint64_t repeats(const struct pl_strategy_context *c)
{
    const struct pl_hapset_search *s = state_of(c);

    return s->sampling || s->over ? 0 : pl_dpor.resumes->repeats(&s->search);
}

static uint64_t place(const struct pl_strategy_context *c)
{
    return pl_dpor.resumes->place(&state_of(c)->search);
}

static uint64_t departs(const struct pl_strategy_context *c)
{
    return pl_dpor.resumes->departs(&state_of(c)->search);
}

static void resume(struct pl_strategy_context *c, uint64_t n, uint64_t at)
{
    pl_dpor.resumes->resume(&state_of(c)->search, n, at);
}

static void adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    struct pl_hapset_search *s = state_of(c);

    pl_dpor.search->adopt(&s->search, part, size);
    forget_lessons(s);
    set_first_phase(s);
}

static bool sample(const struct pl_strategy_context *c)
{
    return state_of(c)->sampling;
}

static bool pruned(const struct pl_strategy_context *c)
{
    return state_of(c)->phase != PL_HAPSET_REST;
}

static const struct pl_strategy_resumes resumes = {
    .repeats = repeats, .place = place, .departs = departs, .resume = resume};
static const struct pl_strategy_search search = {.adopt = adopt};

const struct pl_strategy pl_hapset = {
    .name = "hapset",
    .traits = PL_TRAITS_OF_hapset,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .idle = idle,
    .last = last,
    .end = end,
    .resumes = &resumes,
    .search = &search,
    .pruned = pruned,
    .callers = callers,
    .sample = sample,
};
