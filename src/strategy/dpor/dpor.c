/* SPDX-License-Identifier: MIT */
/*
 * Dynamic partial-order reduction: of executions that differ only in the order
 * of independent operations, one is enough.  dpor.h has the words and the line numbers.
 *
 * After an execution its races are looked at (strategy/dpor/past.h).  Where the two
 * operations of a race could have come in the other order, there is something
 * else to explore in the state before the first of them.  What is noted there
 * depends on the variant (dpor_reverse.c):
 *
 *   classic  one of the threads that lead to the second operation, or all that
 *            can go on, if none of those can (Flanagan and Godefroid 2005);
 *   source   one of the threads that may begin the reversed execution, unless
 *            such a one is there already (source sets);
 *   optimal  the reversed execution as a whole, in a wakeup tree (both: Abdulla,
 *            Aronis, Jonsson and Sagonas 2014/2017).
 *
 * With `optimal` all races of an execution are looked at, also those between operations that
 * an earlier one has had: what comes after both has its part in the reversed execution.
 *
 * All use sleep sets: what has been explored from a state need not be explored
 * again behind an independent operation.  With `optimal` no execution is
 * begun in vain, as far as operations do what they were planned to do: there are
 * as many as there are classes.  With the others an execution may find that all
 * that could go on has been explored; it is then finished in vain.
 *
 * What this adds to the papers (dpor_beyond.h):
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

#include "base/arena.h"
#include "base/text.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"

/* ---- memory ---- */

static void clear(struct pl_dpor *s)
{
    s->replay = (struct pl_dpor_replay){.at = 0};
    s->decided.n = 0;
    s->keep.leaving = 0;
    s->keep.dropped = false;
    s->n_sleepers = s->n_enabled = 0;
    pl_past_clear(&s->past);
    pl_wakeup_clear(&s->pool);
    s->frames[0] = (struct pl_dpor_frame){.p = 0};
}

static void lay_out(struct pl_dpor *s, unsigned char *memory, uint64_t size)
{
    struct pl_arena arena = pl_arena_of(memory, size);
    uint64_t part = ((size - sizeof(*s)) / 8) & ~(uint64_t)(PL_ARENA_LINE - 1);

    pl_arena_take(&arena, sizeof(*s), 1);
    pl_past_start(&s->past, pl_arena_take(&arena, 4, part), 4 * part);
    pl_wakeup_start(&s->pool, pl_arena_take(&arena, 2, part), 2 * part);
    uint64_t states = (uint64_t)s->past.events_max + 1;

    s->frames = PL_ARENA_TAKE(&arena, struct pl_dpor_frame, states);
    s->v = PL_ARENA_TAKE(&arena, uint32_t, states);
    s->lists.events = PL_ARENA_TAKE(&arena, uint32_t, states);
    s->keep.stack = PL_ARENA_TAKE(&arena, uint32_t, states);
    s->decided.threads = PL_ARENA_TAKE(&arena, uint16_t, states);
    s->sleepers_max = (uint32_t)(PL_ARENA_FITS(&arena, uint32_t) / 2);
    s->enabled_max = (uint32_t)(PL_ARENA_FITS(&arena, uint16_t) / 4);
    s->sleepers = PL_ARENA_TAKE(&arena, uint32_t, s->sleepers_max);
    s->enabled = PL_ARENA_TAKE(&arena, uint16_t, s->enabled_max);
    PL_ASSERT(s->frames != NULL && s->decided.threads != NULL && s->enabled != NULL);
}

static const char *start(struct pl_strategy_context *c)
{
    enum { NAMED = PL_DPOR_CLASSIC + 1 }; /* the rest is for strategies that guide */
    static const char *const names[NAMED] = {
        [PL_DPOR_OPTIMAL] = "optimal", [PL_DPOR_SOURCE] = "source", [PL_DPOR_CLASSIC] = "classic"};
    struct pl_dpor *s = pl_dpor_of(c);
    unsigned variant = 0;

    while (variant < NAMED && !pl_text_equal(c->settings->parameters, names[variant]))
        variant++;
    if (c->settings->parameters[0] != '\0' && variant == NAMED)
        return "dpor has three variants: dpor:optimal, dpor:source and dpor:classic.";
    s->variant = variant == NAMED ? PL_DPOR_OPTIMAL : (enum pl_dpor_variant)variant;
    s->past.recalls = s->variant != PL_DPOR_CLASSIC;
    lay_out(s, c->arena, c->arena_size);
    clear(s);
    return NULL;
}

/* ---- sleep(E) ---- */

bool pl_dpor_among(const struct pl_dpor *s, uint32_t node, uint16_t thread)
{
    for (; node != 0; node = s->pool.nodes[node].next) {
        if (pl_dpor_record(s, node)->thread == thread)
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

/* Whether the state was entered with this very operation asleep. */
static bool is_handed_down(const struct pl_dpor *s, const struct pl_dpor_frame *f, uint32_t record)
{
    for (uint32_t i = 0; i < f->n_sleep; i++) {
        if (s->sleepers[f->sleep + i] == record)
            return true;
    }
    return false;
}

/*
 * O17: of those in sleep(pre(E, e)), who is independent of event e sleeps behind it, too.
 *
 * What was planned without being known was taken to depend on everybody.  So it is a plan beside
 * others with which it has nothing to do, and each of them stands for whatever begins with it:
 * neither does anybody sleep behind it, nor it behind them.
 */
static void hand_down_sleep(struct pl_dpor *s, uint32_t e)
{
    const struct pl_dpor_frame *f = &s->frames[e];
    struct pl_dpor_frame *next = &s->frames[e + 1];
    const struct pl_past_record *p = pl_past_record_of(&s->past, e);

    next->sleep = s->n_sleepers;
    next->n_sleep = 0;
    if (s->variant == PL_DPOR_SLEEPLESS || (f->p != 0 && s->pool.nodes[f->p].guessed))
        return;
    for (uint32_t i = 0; i < f->n_sleep; i++) {
        uint32_t q = s->sleepers[f->sleep + i];

        if (!pl_past_depend(&s->past, &s->past.records[q], p))
            s->sleepers[s->n_sleepers++] = q;
    }
    for (uint32_t i = pl_dpor_keep_before(s, f); i != 0; i = s->pool.nodes[i].next) {
        uint32_t q = s->pool.nodes[i].record;

        if (!s->pool.nodes[i].guessed && !pl_past_depend(&s->past, &s->past.records[q], p))
            s->sleepers[s->n_sleepers++] = q;
        if (s->n_sleepers + f->n_sleep + 2 > s->sleepers_max) {
            s->past.full = true;
            break;
        }
    }
    PL_ASSERT(s->n_sleepers <= s->sleepers_max);
    next->n_sleep = s->n_sleepers - next->sleep;
}

/* ---- returning to a call of Explore ---- */

/*
 * Whether it is not for other operations alone to say when it is possible, but for time or the
 * kernel: a timer that repeats lets the same call go on several times, so it may have to be tried
 * where it sleeps.
 */
static bool is_let_go_on(const struct pl_operation *op)
{
    return op->way >= PL_WAY_TIMEOUT || (pl_operation_is(op->kind, PL_ROLE_OUTSIDE) && !op->ready);
}

/*
 * Whether what is taken in the state before event e would have been explored, were it asleep.  With
 * a guide there are executions that are in vain: it drops something, or has planned looks that led
 * round a loop, for goals of its own; and so there are in a program of which not all is seen.  Who
 * waits in a loop may look again when a neighbour of what it waits for was written: another round
 * for nothing.  Where signals are sent classes are executed several times.  So may be what was
 * planned behind a call that could not be had, since it was not asked for by itself.
 */
static bool sleeps_for_good(const struct pl_dpor *s, uint32_t record)
{
    return s->variant == PL_DPOR_OPTIMAL && s->guide == NULL && !s->keep.on &&
           !s->replay.unexplained && !s->past.records[record].idle && !s->past.signalled &&
           !s->replay.without && !is_let_go_on(&s->past.records[record].op);
}

void pl_dpor_finish(struct pl_dpor *s, uint32_t e)
{
    struct pl_dpor_frame *f = &s->frames[e];

    if (f->p == 0 || f->taken.again || f->done == f->p)
        return;
    PL_CHECK(!sleeps_for_good(s, s->pool.nodes[f->p].record) ||
             !is_handed_down(s, f, s->pool.nodes[f->p].record));
    s->pool.nodes[f->p].next = f->done;
    pl_dpor_keep_note(s, e);
    PL_STORE(f->done, f->p);
}

void pl_dpor_pop(struct pl_dpor *s, uint32_t n)
{
    const struct pl_dpor_frame *f = &s->frames[n];
    uint32_t kept = pl_dpor_keep_leave(s, n);

    if (kept != 0)
        PL_STORE(s->pool.nodes[f->p].child, kept);
    PL_STORE(s->keep.leaving, 0);
    pl_past_pop(&s->past, n);
    s->n_sleepers = f->sleep + f->n_sleep;
    s->n_enabled = f->enabled + f->n_enabled;
}

/* O20: go back to the state that end() has decided on, which has more to explore. */
static void turn(struct pl_dpor *s)
{
    if (s->replay.pending == 0)
        return;
    uint32_t n = s->replay.pending - 1;
    struct pl_dpor_frame *f = &s->frames[n];

    pl_dpor_pop(s, n);
    pl_dpor_finish(s, n);
    f->p = 0;
    f->taken.again = false;
    pl_dpor_keep_put_first(s, f);
    PL_ASSERT(f->wut != 0 || s->keep.on);
    s->replay.n = n;
    s->decided.n = 0;
    s->replay.open = false;
    PL_STORE(s->replay.pending, 0);
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_replay *r = &s->replay;

    turn(s);
    if (s->pool.later.moving)
        pl_strategy_stray(c, "was planned by a worker that was killed");
    s->pool.later.moving = false;
    PL_ASSERT(r->n <= s->past.n_events);
    if (s->past.n_events > r->n)
        pl_dpor_replay_take_back(s); /* an execution was lost */
    r->at = 0;
    r->choices = 0;
    r->gone = r->ended = r->vain = r->missed = false;
    pl_dpor_outcome_begin(s);
    PL_STORE(r->open, true);
}

/* ---- choosing p ---- */

/* An option that nobody can observe. */
static int unobservable(const struct pl_dpor *s, const struct pl_view *view)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (pl_dpor_end_is_automatic(s, view->next[i]))
            return (int)i;
    }
    return -1;
}

/* enabled(s[E]), if somebody will ask for it. */
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

/* Whether all that is left may have been explored: a plan went on without rounds for nothing, or
 * somebody was withheld. */
static bool may_be_over(const struct pl_dpor *s, bool skipped)
{
    return s->variant == PL_DPOR_OPTIMAL ? skipped || s->replay.cut || s->replay.missed
                                         : skipped && s->variant != PL_DPOR_SLEEPLESS;
}

/* Nothing is planned: any thread. */
static unsigned choose_any(struct pl_strategy_context *c, const struct pl_view *view, bool skipped)
{
    struct pl_dpor *s = pl_dpor_of(c);

    if (s->guide != NULL)
        return s->guide->choose(s->guided, s, view);
    unsigned option = pl_dpor_choose_freely(c, view);

    if (!may_be_over(s, skipped) || pl_dpor_is_open(s, view, option))
        return option;
    s->replay.vain = true;
    c->impossible |= s->replay.missed;
    return PL_CHOOSE_ABORT;
}

/* O9 to O16: what is planned, or else any thread; -1 if the one that is planned cannot go on. */
static int choose_p(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = pl_dpor_of(c);
    uint32_t e = s->replay.at;
    struct pl_dpor_frame *f = &s->frames[e];
    int option = unobservable(s, view);

    PL_ASSERT(e == s->past.n_events && view->options > 0);
    f->choices = s->replay.choices - 1;
    if (option >= 0)
        return option;
    if (e > s->replay.n || f->n_enabled == 0)
        note_enabled(s, view, f);
    if (s->guide != NULL)
        s->guide->arrive(s->guided, s, view, f);
    bool skipped = false;
    uint32_t p;

    for (; (p = pl_dpor_keep_next(s, f)) != 0; skipped = true) {
        option = pl_dpor_option(s, view, pl_dpor_record(s, p)->thread);
        if (option >= 0 || !pl_dpor_await_skip(c))
            return option;
    }
    return (int)choose_any(c, view, skipped);
}

/* The thread that is to go on cannot: what was it about to do, and what is it now? */
static void stray(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = pl_dpor_of(c);
    uint32_t at = s->replay.at, p = at < s->replay.n ? 0 : pl_dpor_keep_next(s, &s->frames[at]);
    const struct pl_operation *expected = at < s->replay.n ? &pl_past_record_of(&s->past, at)->op
                                          : p != 0         ? &pl_dpor_record(s, p)->op
                                                           : NULL;
    const struct pl_operation *actual = NULL;

    for (unsigned i = 0; expected != NULL && i < view->n_blocked; i++) {
        if (view->blocked[i]->name == expected->name)
            actual = view->blocked[i];
    }
    pl_dpor_replay_stray(c, "did not repeat another: a thread cannot go on that could", expected,
                         actual);
}

static unsigned choose_thread(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_replay *r = &s->replay;

    r->cut |= c->withheld;
    if (r->gone || s->past.full)
        return pl_view_unwritten(view);
    int option =
        r->at < r->n ? pl_dpor_option(s, view, s->past.events[r->at].thread) : choose_p(c, view);

    if (option >= 0)
        return (unsigned)option;
    if (r->at >= r->n && pl_dpor_replay_impossible(c))
        return PL_CHOOSE_CUT;
    stray(c, view);
    return pl_view_unwritten(view);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_replay *r = &s->replay;

    r->choices++;
    if (view->kind == PL_CHOICE_THREAD)
        return choose_thread(c, view);
    unsigned taken = pl_dpor_outcome_choose(c, view);

    /* What is chosen before an operation belongs to it, as who performs it does. */
    if (r->at >= r->n && !pl_dpor_outcome_is_early(view))
        s->frames[r->at].choices = r->choices;
    return taken;
}

/* ---- calling Explore(E.p) ---- */

/* Take p, a branch of wut(E) or of `done`, or what was planned nowhere: 0.  What is behind it. */
static struct pl_dpor_frame take_p(struct pl_dpor *s, struct pl_dpor_frame *f, uint32_t p,
                                   uint32_t record)
{
    struct pl_dpor_frame behind = {.p = 0};
    struct pl_wakeup_node *node = &s->pool.nodes[p];

    if (p == 0) {
        f->p = pl_wakeup_node(&s->pool, record); /* O13 */
    } else if (p == f->wut) {
        behind.wut = node->child;              /* O18 */
        f->wut = node->next;                   /* O21, ahead of time */
        pl_wakeup_free(&s->pool, node->spare); /* it can be performed */
        node->child = node->next = node->spare = 0;
        node->guessed = !s->past.records[node->record].known;
        node->record = record;
        f->p = p;
        f->taken.planned = true;
        f->taken.enough = node->was_leaf;
    } else {
        behind.wut = pl_dpor_keep_unpack(s, p, &behind.done);
        f->p = p;
        f->taken.again = true;
    }
    return behind;
}

/* O17 to O19: event e is new, and has been taken as branch p; the state behind it. */
static void descend(struct pl_dpor *s, uint32_t e, uint32_t p)
{
    struct pl_dpor_frame *f = &s->frames[e], *next = &s->frames[e + 1];
    const struct pl_past_event *event = &s->past.events[e];

    PL_ASSERT(p == 0 || pl_dpor_record(s, p)->thread == event->thread);
    f->taken = (struct pl_dpor_taken){.planned = false};
    if (event->automatic) { /* no step of the search: the state is the same */
        *next = (struct pl_dpor_frame){.wut = f->wut, .done = f->done};
        f->wut = f->done = f->p = 0;
    } else {
        *next = take_p(s, f, p, event->record);
    }
    next->choices = s->replay.choices;
    hand_down_sleep(s, e);
    next->enabled = s->n_enabled;
    pl_dpor_keep_put_first(s, next);
}

/* The branch as which the operation comes; there may have been no choice, and it is not what was
 * planned: false. */
static bool find_p(struct pl_strategy_context *c, const struct pl_operation *op, uint32_t *p)
{
    struct pl_dpor *s = pl_dpor_of(c);
    const struct pl_dpor_frame *f = &s->frames[s->replay.at];
    uint16_t thread = pl_past_thread(&s->past, op);
    bool skipped = false;

    for (; (*p = pl_dpor_keep_next(s, f)) != 0; skipped = true) {
        if (pl_dpor_record(s, *p)->thread == thread)
            return true;
        if (pl_dpor_await_skip(c))
            continue;
        if (!pl_dpor_replay_impossible(c))
            pl_dpor_replay_stray(c, "did not repeat another: another thread went on",
                                 &pl_dpor_record(s, *p)->op, op);
        return false;
    }
    if (may_be_over(s, skipped) && pl_dpor_asleep(s, f, thread)) {
        s->replay.gone = true; /* what comes now has been explored */
        c->impossible |= s->replay.missed;
    }
    return !s->replay.gone;
}

/*
 * Event e sleeps: something in the plan did less, or more, than it was planned to do.  All that
 * begins with it has been explored: what was planned of it goes, and the execution is in vain.
 */
static void leave_asleep(struct pl_strategy_context *c, uint32_t e, uint32_t p)
{
    struct pl_dpor *s = pl_dpor_of(c);

    pl_past_pop(&s->past, e);
    if (p != 0) {
        PL_STORE(s->frames[e].wut, s->pool.nodes[p].next);
        s->pool.nodes[p].next = 0;
        pl_wakeup_free(&s->pool, p);
    }
    s->replay.gone = c->impossible = true;
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct pl_dpor *s = pl_dpor_of(c);
    struct pl_dpor_replay *r = &s->replay;

    /* Nobody is asked where one is left; and a timer that goes off again does so when all wait. */
    r->cut |= c->withheld || (op->kind == PL_OP_TIMER && op->aux != 0);
    if (r->gone || s->past.full || (r->at < r->n && pl_dpor_replay_observe(c, op)))
        return;
    uint32_t e = r->at;
    bool automatic = pl_dpor_end_is_automatic(s, op);
    uint32_t p = 0;

    PL_ASSERT(e == s->past.n_events);
    if (!automatic && !find_p(c, op, &p))
        return;
    pl_dpor_outcome_plan(s, p);
    pl_past_push(&s->past, op, automatic);
    if (s->past.full)
        return;
    if (s->outcomes.early > 0)
        pl_dpor_outcome_settle(s, e);
    uint32_t record = s->past.events[e].record;

    if (p == s->frames[e].wut && !automatic && sleeps_for_good(s, record) &&
        is_handed_down(s, &s->frames[e], record)) {
        leave_asleep(c, e, p);
        return;
    }
    if (p != 0)
        pl_dpor_unseen_compare(s, p, e);
    descend(s, e, p);
    pl_dpor_outcome_next(s);
    r->at++;
}

/* ---- the end of an execution ---- */

/* O15: whether something is to be explored in this state. */
static bool is_left(struct pl_dpor *s, struct pl_dpor_frame *f)
{
    if (s->guide != NULL)
        s->guide->prune(s->guided, s, f);
    return pl_dpor_keep_has_work(s, f);
}

/* The execution may have ended earlier than was planned: what was planned behind its end can never
 * be executed. */
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
    PL_STORE(s->replay.pending, n + 1);
    turn(s);
    return true;
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct pl_dpor *s = pl_dpor_of(c);

    turn(s);
    if (again) {
        clear(s);
        return true;
    }
    if (outcome == PL_OUTCOME_LOST || !s->replay.open)
        return true; /* the plan is kept: the same execution once more */
    if (!s->replay.gone && !s->replay.ended && !s->replay.vain && !s->past.full)
        pl_strategy_stray(c, "was killed before its end"); /* what was left is not known */
    pl_dpor_look_back(s);
    if (s->past.full || s->past.inexact || s->pool.full)
        pl_strategy_stray(c,
                          "had more operations, or left more to explore, than can be remembered");
    if (!s->replay.gone)
        forget_rest(s);
    if (pl_dpor_go_on(s))
        return true;
    if (!pl_dpor_unseen_matters(c))
        return false;
    s->past.total = true;
    clear(s);
    return true;
}

/* ---- the search as a whole ---- */

static void adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    clear(pl_dpor_of(c));
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
    const struct pl_dpor *s = pl_dpor_of(c);
    double share = 1; /* of one branch of the state */

    e->left = s->replay.n == 0 && s->frames[0].wut == 0 ? 1 : 0;
    for (uint32_t i = 0; i <= s->replay.n && share > PL_ESTIMATE_NEGLIGIBLE; i++) {
        const struct pl_dpor_frame *f = &s->frames[i];
        unsigned left = count(s, f->wut), all = left + count(s, f->done) + (f->p != 0);

        if (all == 0)
            continue;
        share /= all;
        e->left += share * left;
    }
    e->weighed = e->left; /* what is behind a branch has nothing to do with how long threads are */
}

static const struct pl_strategy_resumes resumes = {.repeats = pl_dpor_replay_repeats,
                                                   .place = pl_dpor_replay_place,
                                                   .departs = pl_dpor_replay_departs,
                                                   .resume = pl_dpor_replay_resume};
static const struct pl_strategy_search search = {.adopt = adopt, .estimate = estimate};

const struct pl_strategy pl_dpor = {
    .name = "dpor",
    .traits = PL_TRAITS_OF_dpor,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .idle = pl_dpor_await_idle,
    .last = pl_dpor_end_last,
    .end = end,
    .resumes = &resumes,
    .search = &search,
};
