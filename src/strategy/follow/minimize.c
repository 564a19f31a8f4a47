/* SPDX-License-Identifier: MIT */
/*
 * Make a failing schedule simpler, then find the choice that decides.
 *
 * Simpler means fewer time-outs that come early, then fewer preemptions, then fewer switches, then
 * fewer operations, with the same finding.  The phases, each planned between two executions:
 *
 * REPEAT  the schedule itself, to have an execution to begin with;
 * DROP    delta debugging: leave out runs of its steps, half of them, a quarter,
 *         ... two, one, and go on with whatever is simpler and still fails;
 * BOUND   all schedules with 0, 1, ... preemptions or early time-outs, as far as the budget goes:
 *         when those with fewer than we have are exhausted, ours is minimal;
 * SETTLE  the best one once more, to number its choices as they are now;
 * DECIDE  the earliest choice of it after which every continuation tried fails:
 *         by bisection, since whatever is lost stays lost;
 * CLOSE   the execution that differs there, is like it otherwise, and passes.
 *
 * When more memory turns out to be shared there are more choices than was known,
 * so it starts over with the best so far.  No number here depends on time: the same
 * schedule gives the same answer.
 */
#include "base/hash.h"
#include "base/rng.h"
#include "strategy/shared/path.h"
#include "strategy/shared/plan.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"

enum {
    SLOW = 20,               /* price of an execution that is not begun by rollback */
    JUDGED = 40,             /* or that the tool judges, */
    CRASHED = 10,            /* or that takes its process with it */
    EVENTS_PER_PRICE = 4096, /* a long execution costs more, */
    POINTS_PER_PRICE = 256,  /* and one with many points */
    TRIES = 64,              /* continuations that must fail, */
    TRIES_LEAST = 8,         /* or fewer when they are expensive */
    OTHERS_MAX = 16,         /* of them let a thread go first whenever it can */
    STEADY = 8,              /* of so many points a steady continuation may switch at one */
    VARIANTS_MAX = 32,
    BUDGET = 6000,
    UP_TO_DROP = 35,   /* percent of it that may be spent before the next phase */
    UP_TO_POLISH = 45, /* as BOUND, where their number is minimal already */
    UP_TO_BOUND = 60,
};

enum phase { REPEAT, DROP, BOUND, SETTLE, DECIDE, CLOSE, DONE };
enum mode { BY_PLAN, BY_BOUND, BY_PREFIX };
/* Of answer.kept[] the first two keep executions that fail, the others some that pass. */
enum { FAILING = 0, PASSING = 2 };
enum tail { TAIL_DEFAULT, TAIL_PLAN, TAIL_OTHER, TAIL_RANDOM, TAIL_STEADY };

struct state {
    struct pl_minimal answer; /* first: the tool looks for it here */
    uint8_t phase, mode, tail;
    bool open;    /* the execution that was begun has not been ended */
    bool ending;  /* end() has begun and not returned */
    bool unsound; /* something was cut short: nothing is proven by exhaustion */
    bool bounded_done, changed;
    bool from_file; /* REPEAT: the schedule itself, not what became of it */

    /* The execution that runs. */
    uint32_t early, preemptions, switches;
    uint32_t deviations; /* choices that are either: what BOUND counts */
    uint64_t operations;
    pl_tid last;
    uint64_t rng;
    uint64_t favoured; /* name of the thread that goes first; 0: none */

    uint64_t chunk, at; /* DROP: steps at .. at + chunk are left out */
    bool gained;
    uint64_t low, high;   /* DECIDE: some execution passes after low choices, none after high */
    uint64_t prefix;      /* choices of the failing execution to repeat */
    unsigned attempt;     /* continuations tried after them */
    unsigned tries;       /* how many must fail */
    unsigned others;      /* of them let one of the threads go first */
    unsigned alternative; /* CLOSE: the option taken instead */

    struct pl_plan plan;
    /* BOUND: the strategy pcb, with memory of its own. */
    uint32_t bound;
    struct pl_divergence strayed;
    _Alignas(16) unsigned char path[sizeof(struct pl_path) +
                                    PL_MINIMAL_CHOICES * sizeof(struct pl_path_frame)];
};

static struct state *state_of(struct pl_strategy_context *c)
{
    return (struct state *)c->arena;
}

static struct pl_strategy_context bounded_of(struct state *s)
{
    return (struct pl_strategy_context){
        .arena = s->path,
        .arena_size = sizeof(s->path),
        .divergence = &s->strayed,
        .round = s->bound,
    };
}

static const struct pl_kept *failing(const struct state *s)
{
    PL_ASSERT(s->answer.failing == 1 || s->answer.failing == 2);
    return &s->answer.kept[s->answer.failing - 1];
}

static const char *start(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    if (c->arena_size < sizeof(*s))
        return "minimize needs more memory than there is.";
    if (!pl_plan_read(&s->plan, c->steps, c->n_steps))
        return "the schedule has more choices than can be minimised.";
    s->phase = REPEAT;
    s->mode = BY_PLAN;
    s->from_file = true;
    return NULL;
}

/* One thread goes first, whenever it can. */
static unsigned favourite(const struct state *s, const struct pl_view *view)
{
    for (unsigned i = 0; view->kind == PL_CHOICE_THREAD && i < view->options; i++) {
        if (view->next[i]->name == s->favoured && pl_view_is_usual(view, i))
            return i;
    }
    return pl_view_default(view);
}

/* The failing execution up to `prefix`, then another way. */
static unsigned after_prefix(struct state *s, const struct pl_view *view)
{
    unsigned planned = pl_plan_choose(&s->plan, view); /* also to know what is behind us */
    const struct pl_kept *f = failing(s);

    PL_ASSERT(planned < view->options && s->prefix <= f->n_choices);
    if (view->depth < s->prefix && f->choices[view->depth].taken < view->options)
        return f->choices[view->depth].taken;
    if (s->phase == CLOSE && view->depth == s->prefix && s->alternative < view->options) {
        s->favoured = view->next != NULL ? view->next[s->alternative]->name : 0;
        return s->alternative;
    }
    switch ((enum tail)s->tail) {
    case TAIL_PLAN:
        return planned;
    case TAIL_OTHER:
        return favourite(s, view);
    case TAIL_STEADY:
        if (view->running >= 0 && pl_rng_below(&s->rng, STEADY) != 0)
            return (unsigned)view->running;
        return pl_rng_below(&s->rng, view->options);
    case TAIL_RANDOM:
        return pl_rng_below(&s->rng, view->options);
    default:
        return pl_view_default(view);
    }
}

/*
 * Continuations in the order in which they are tried: the default, each thread
 * first, then at random, with many and with few switches in turn.
 */
static uint8_t tail_of(const struct state *s)
{
    if (s->attempt == 0)
        return TAIL_DEFAULT;
    if (s->attempt <= s->others)
        return TAIL_OTHER;
    return s->attempt % 2 == 0 ? TAIL_RANDOM : TAIL_STEADY;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);
    struct pl_strategy_context bounded = bounded_of(s);

    s->early = s->preemptions = s->deviations = s->switches = 0;
    s->operations = 0;
    s->last = PL_TID_NONE;
    s->favoured = 0;
    s->rng = pl_hash_add(pl_hash_add(c->board->goal.signature, s->prefix), s->attempt);
    /* Without, threads start when they are chosen. */
    s->plan.faithful &= c->board->instrumented && !c->settings->starts_chosen;
    if (s->phase == DECIDE)
        s->tail = tail_of(s);
    PL_ASSERT(s->phase < DONE && (s->mode == BY_BOUND) == (s->phase == BOUND));
    PL_ASSERT((s->mode == BY_PREFIX) == (s->phase == DECIDE || s->phase == CLOSE));
    PL_ASSERT(s->tail != TAIL_OTHER || s->phase != DECIDE || s->attempt <= failing(s)->n_threads);
    if (s->phase == DECIDE && s->tail == TAIL_OTHER)
        s->favoured = failing(s)->threads[s->attempt - 1].name;
    pl_plan_begin(&s->plan, (pl_tid)c->board->n_threads);
    if (s->mode == BY_BOUND)
        pl_pcb.begin(&bounded, n);
    PL_STORE(s->open, true);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    struct pl_strategy_context bounded = bounded_of(s);

    if (view->options < 2) /* the place is all there is to it */
        return pl_plan_choose(&s->plan, view);
    unsigned taken = s->mode == BY_BOUND    ? pl_pcb.choose(&bounded, view)
                     : s->mode == BY_PREFIX ? after_prefix(s, view)
                                            : pl_plan_choose(&s->plan, view);

    s->early += pl_view_is_early(view, taken);
    s->preemptions += pl_view_preempts(view, taken);
    s->deviations += pl_view_preempts(view, taken) || pl_view_is_early(view, taken);
    return taken;
}

static bool takes(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);

    return s->mode == BY_BOUND || pl_plan_takes(&s->plan, op);
}

/* The first operation of a thread is part of its creation, wherever it comes. */
static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);

    if (pl_operation_is(op->kind, PL_ROLE_BEGINS))
        return;
    s->operations++;
    s->switches += s->last != op->tid && s->last != PL_TID_NONE;
    s->last = op->tid;
}

/* Copy the execution that has ended to the place after `*which` of the two from `first` on. */
static bool keep(struct pl_strategy_context *c, uint32_t *which, uint32_t first)
{
    struct state *s = state_of(c);
    uint32_t to = *which == first + 1 ? first + 1 : first;
    struct pl_kept *kept = &s->answer.kept[to];

    PL_ASSERT((first == FAILING || first == PASSING) && *which <= first + 2);
    if (!pl_kept_fill(kept, c->board))
        return false;
    kept->early = s->early;
    kept->deviations = s->deviations;
    kept->preemptions = s->preemptions;
    kept->switches = s->switches;
    kept->operations = s->operations;
    PL_STORE(*which, to + 1);
    return true;
}

static bool is_simpler(const struct state *s)
{
    if (s->answer.failing == 0)
        return true;
    const struct pl_kept *f = failing(s);

    if (s->early != f->early)
        return s->early < f->early;
    if (s->preemptions != f->preemptions)
        return s->preemptions < f->preemptions;
    if (s->switches != f->switches)
        return s->switches < f->switches;
    return s->operations < f->operations;
}

static uint64_t budget_of(const struct pl_strategy_context *c)
{
    return c->board->goal.budget != 0 ? c->board->goal.budget : BUDGET;
}

static bool is_within(const struct pl_strategy_context *c, unsigned percent)
{
    const struct state *s = (const struct state *)c->arena;

    return s->answer.spent < budget_of(c) * percent / 100;
}

static uint64_t price(const struct pl_strategy_context *c)
{
    bool rolls = c->board->restart == PL_RESTART_ROLLBACK;
    bool crashed = c->board->finding.kind == PL_FINDING_CRASH;
    unsigned base = c->settings->judged ? JUDGED : !rolls ? SLOW : crashed ? CRASHED : 1;

    return base + c->board->execution_events / EVENTS_PER_PRICE +
           c->board->execution_points / POINTS_PER_PRICE;
}

static void finish(struct state *s)
{
    s->phase = DONE;
    PL_STORE(s->answer.finished, true);
}

/* DROP */

static void start_settling(struct state *s)
{
    pl_plan_adopt(&s->plan, failing(s), false);
    s->phase = SETTLE;
    s->mode = BY_PLAN;
}

static void start_bound(struct state *s, uint32_t bound)
{
    s->phase = BOUND;
    s->mode = BY_BOUND;
    s->bound = bound;
    struct pl_strategy_context bounded = bounded_of(s);

    pl_path_start(&bounded);
    pl_pcb.search->adopt(&bounded, NULL, 0);
    pl_path_of(&bounded)->early_costs = true;
}

/* Whether there is a run of steps that has not been left out yet. */
static bool next_window(struct state *s)
{
    PL_ASSERT(s->chunk > 0);
    while (s->at >= s->plan.n) {
        if (s->plan.n == 0 || (s->chunk == 1 && !s->gained))
            return false;
        if (s->chunk == 1) {
            s->gained = false;
            s->chunk = 2;
        } else {
            s->chunk = s->chunk / 2;
        }
        s->at = 0;
    }
    return true;
}

static void drop_next(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    if (next_window(s) && is_within(c, s->bounded_done ? UP_TO_BOUND : UP_TO_DROP)) {
        s->plan.from = s->at;
        s->plan.to = s->at + s->chunk;
    } else if (s->bounded_done) {
        start_settling(s);
    } else {
        start_bound(s, 0);
    }
}

static void start_dropping(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    pl_plan_adopt(&s->plan, failing(s), false);
    s->phase = DROP;
    s->mode = BY_PLAN;
    s->chunk = s->plan.n > 0 ? s->plan.n : 1;
    s->at = 0;
    s->gained = false;
    drop_next(c);
}

static void after_drop(struct pl_strategy_context *c, bool simpler)
{
    struct state *s = state_of(c);

    if (simpler) {
        pl_plan_adopt(&s->plan, failing(s), false);
        s->gained = true;
    } else {
        s->at += s->chunk > 2 ? s->chunk : 1; /* runs of two overlap */
    }
    drop_next(c);
}

/* BOUND */

static void after_bound(struct pl_strategy_context *c, bool simpler)
{
    struct state *s = state_of(c);
    struct pl_strategy_context bounded = bounded_of(s);
    bool more = pl_pcb.end(&bounded, PL_OUTCOME_DONE, false);
    uint32_t bound = s->bound;

    PL_ASSERT(bound <= PL_PATH_ROUNDS);
    s->changed |= simpler;
    s->unsound |= s->strayed.happened ||
                  pl_incomplete_has(&c->board->incomplete, PL_INCOMPLETE_UNFAIR) ||
                  !c->board->instrumented;
    /* All schedules with a smaller bound have been tried, or this bound would not have begun. */
    s->answer.proven = !s->unsound && failing(s)->deviations <= bound;
    if (more && is_within(c, failing(s)->deviations <= bound ? UP_TO_POLISH : UP_TO_BOUND))
        return;
    if (!more && bound < failing(s)->deviations) {
        s->answer.proven = !s->unsound && failing(s)->deviations <= bound + 1;
        if (is_within(c, UP_TO_BOUND)) {
            start_bound(s, bound + 1);
            return;
        }
    }
    s->bounded_done = true;
    if (s->changed)
        start_dropping(c);
    else
        start_settling(s);
}

/* DECIDE */

static void try_prefix(struct state *s, uint64_t prefix)
{
    PL_ASSERT(prefix <= failing(s)->n_choices);
    s->prefix = prefix;
    s->attempt = 0;
}

/* As many continuations for each step of the bisection as the rest of the budget allows. */
static unsigned tries_for(const struct pl_strategy_context *c, uint64_t n_choices)
{
    uint64_t steps = 1;

    for (; n_choices > 1; n_choices /= 2)
        steps++;
    uint64_t tries = budget_of(c) * (100 - UP_TO_BOUND) / 100 / (2 * steps * price(c));

    return tries > TRIES ? TRIES : tries < TRIES_LEAST ? TRIES_LEAST : (unsigned)tries;
}

static void start_deciding(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    s->tries = tries_for(c, failing(s)->n_choices);
    s->others = failing(s)->n_threads < OTHERS_MAX ? failing(s)->n_threads : OTHERS_MAX;
    pl_plan_adopt(&s->plan, failing(s), false);
    s->phase = DECIDE;
    s->mode = BY_PREFIX;
    s->low = 0;
    s->high = failing(s)->n_choices;
    try_prefix(s, 0);
}

/* How many choices the execution that passed has in common with the one that fails. */
static uint64_t common_choices(const struct state *s)
{
    PL_ASSERT(s->answer.passing == PASSING + 1 || s->answer.passing == PASSING + 2);
    const struct pl_kept *f = failing(s), *p = &s->answer.kept[s->answer.passing - 1];
    uint64_t n = f->n_choices < p->n_choices ? f->n_choices : p->n_choices, i = 0;

    while (i < n && f->choices[i].tid == p->choices[i].tid &&
           f->choices[i].ordinal == p->choices[i].ordinal &&
           f->choices[i].taken == p->choices[i].taken &&
           f->choices[i].options == p->choices[i].options)
        i++;
    return i;
}

/*
 * The variants of CLOSE: each other option with the plan behind it, then each
 * with that thread first, then each with the default.
 */
static bool next_variant(struct state *s)
{
    PL_ASSERT(s->low < failing(s)->n_choices);
    unsigned others = failing(s)->choices[s->low].options - 1u, v = s->attempt;

    if (v >= 3 * others || v >= VARIANTS_MAX)
        return false;
    s->tail = v < others ? TAIL_PLAN : v < 2 * others ? TAIL_OTHER : TAIL_DEFAULT;
    s->alternative = v % others;
    s->alternative += s->alternative >= failing(s)->choices[s->low].taken;
    s->attempt++;
    return true;
}

static void start_closing(struct state *s)
{
    s->phase = CLOSE;
    try_prefix(s, s->low);
    s->answer.choice = s->low;
    s->answer.decided = PL_DECIDED_CHOICE;
    if (!next_variant(s))
        finish(s);
}

static void after_decide(struct pl_strategy_context *c, bool passes)
{
    struct state *s = state_of(c);

    if (!is_within(c, 100) || (passes && !keep(c, &s->answer.passing, PASSING))) {
        finish(s);
        return;
    }
    if (passes) {
        s->low = common_choices(s);
        if (s->low >= s->high) /* fewer tries than it takes had failed there */
            s->high = failing(s)->n_choices;
    } else if (++s->attempt <= (s->tries > s->others ? s->tries : s->others)) {
        return;
    } else {
        s->high = s->prefix;
    }
    if (s->high == 0)
        s->answer.decided = PL_DECIDED_NOTHING;
    if (s->high == 0 || s->low >= s->high)
        finish(s);
    else if (s->high - s->low == 1)
        start_closing(s);
    else
        try_prefix(s, s->low + (s->high - s->low) / 2);
}

static void after_close(struct pl_strategy_context *c, bool passes)
{
    struct state *s = state_of(c);

    if (passes)
        keep(c, &s->answer.passing, PASSING);
    if (passes || !next_variant(s))
        finish(s);
}

/* More is known to be shared: what was concluded about all schedules may not hold. */
static void start_over(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    s->answer.proven = s->bounded_done = s->changed = false;
    s->answer.decided = PL_DECIDED_UNKNOWN;
    s->answer.passing = 0;
    s->phase = REPEAT;
    s->mode = BY_PLAN;
    s->from_file = s->answer.failing == 0;
    if (!s->from_file)
        pl_plan_adopt(&s->plan, failing(s), true);
    if (!is_within(c, 100))
        finish(s);
}

/* A continuation has turned out simpler than what it was to explain: explain that. */
static void start_again_with(struct state *s)
{
    s->answer.decided = PL_DECIDED_UNKNOWN;
    s->answer.passing = 0;
    start_settling(s);
}

/* Count its preemptions and switches as they are now: with more points there may be more. */
static void after_repeat(struct pl_strategy_context *c, bool same)
{
    struct state *s = state_of(c);

    if (same && keep(c, &s->answer.failing, FAILING)) {
        start_dropping(c);
    } else if (!same && !s->from_file) {
        s->from_file = true;
        pl_plan_read(&s->plan, c->steps, c->n_steps);
    } else {
        finish(s);
    }
}

static void plan_next(struct pl_strategy_context *c, bool same, bool simpler, bool passes)
{
    struct state *s = state_of(c);

    switch ((enum phase)s->phase) {
    case REPEAT:
        after_repeat(c, same);
        break;
    case DROP:
        after_drop(c, simpler);
        break;
    case BOUND:
        after_bound(c, simpler);
        break;
    case SETTLE:
        if (same && keep(c, &s->answer.failing, FAILING))
            start_deciding(c);
        else
            finish(s);
        break;
    case DECIDE:
        after_decide(c, passes);
        break;
    case CLOSE:
        after_close(c, passes);
        break;
    case DONE:
        break;
    }
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = state_of(c);
    const struct pl_goal *goal = &c->board->goal;
    bool same = pl_board_shows(c->board, goal->kind, goal->signature);

    if (outcome == PL_OUTCOME_LOST || !s->open)
        return s->phase != DONE;
    s->unsound |= s->ending; /* a process died in here: what it did may be done twice */
    PL_STORE(s->ending, true);
    s->answer.spent += price(c);
    bool simpler = same && is_simpler(s) && keep(c, &s->answer.failing, FAILING);

    if (again && s->phase != DONE)
        start_over(c);
    else if (simpler && (s->phase == DECIDE || s->phase == CLOSE))
        start_again_with(s);
    else
        plan_next(c, same, simpler, outcome == PL_OUTCOME_DONE && !same);
    PL_STORE(s->open, false);
    PL_STORE(s->ending, false);
    return s->phase != DONE;
}

const struct pl_strategy pl_minimize = {
    .name = "minimize",
    .traits = PL_TRAITS_OF_minimize,
    .start = start,
    .begin = begin,
    .choose = choose,
    .takes = takes,
    .observe = observe,
    .end = end,
};
