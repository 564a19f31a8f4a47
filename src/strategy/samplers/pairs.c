/* SPDX-License-Identifier: MIT */
/*
 * Orders of conflicting operations: see each pair the other way round, too.
 *
 * Two operations conflict when different threads make them on the same location
 * and they do not both read.  What is remembered of them is their places in the
 * program.  When one is seen right before the other, the opposite order becomes
 * a goal.  An execution has a few goals: "first before second".  A thread that is
 * about to make the second is held until another thread has made the first, as
 * is everybody else who comes to the second at that location.  When nobody else
 * can go on, the goal is given up there and tried at a later visit.  Goals that
 * were tried least come first, and of those the ones never seen.
 *
 * This is in the spirit of reads-from fuzzing (Wolff, Shi, Duck, Mathur and
 * Roychoudhury, "Greybox fuzzing for concurrency testing", ASPLOS 2024), with
 * orders of any two conflicting operations in place of reads and their writes,
 * and no corpus: the goals are drawn anew for each execution.
 *
 * Who goes on of those that are not held: by random priorities of threads, of
 * operations, or uniformly, which is drawn for each execution.
 *
 * Unlike other executions that sample, one of these depends on what the worker
 * has seen before.
 */
#include "strategy/samplers/pairs.h"

#include "base/claimed.h"
#include "base/table.h"
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

enum {
    GOALS = 1 << 13, /* more are left out */
    SLOTS = 2 * GOALS,
    LOCATIONS = 1 << 12,
    PROBES = 8, /* then the entry of another location is taken over */
    AT_ONCE = 3,
    DRAWN = 16,       /* goals that are looked at for one to be taken */
    UNSEEN_FIRST = 2, /* so many more tries for what was never seen */
    PATIENCE = 20000, /* choices for which somebody is held */
};

/* That an operation at `first` comes right before a conflicting one at `second`. */
struct goal {
    uint64_t first, second;
    uint32_t opposite; /* index of the goal the other way round */
    uint32_t tries;
    bool seen;
};

/* Who touched a location last in this execution. */
struct location {
    uint64_t location;
    uint32_t stamp;
    pl_tid writer, reader; /* PL_TID_NONE: nobody; no reader since the last write */
    uint64_t wrote, read;  /* where */
};

/* A goal of this execution. */
struct attempt {
    uint64_t first, second;
    uint64_t location; /* where somebody is held; 0: nobody is */
    uint32_t visits;   /* to the second place before somebody is held */
    uint32_t held;     /* choices since then */
    pl_tid tid;        /* who came first */
    bool done;
};

enum base { BY_THREAD, BY_OPERATION, UNIFORM };

struct state {
    uint64_t rng, key;
    enum base base;
    uint32_t stamp; /* of this execution */
    uint32_t fresh; /* orders that it was the first to show */
    uint32_t n_goals, n_seen;
    uint32_t n_pairs, n_both; /* pairs seen at all, in both orders */
    bool full;
    unsigned n_attempts;
    struct attempt attempts[AT_ONCE];
    struct location locations[LOCATIONS];
    struct goal goals[GOALS];
    struct pl_table table; /* of goals */
    uint64_t slots[PL_TABLE_ROOM(SLOTS, SLOTS)];
};

static struct state *state_of(const struct pl_strategy_context *c)
{
    return (struct state *)c->arena;
}

static const char *start(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    pl_table_start(&s->table, s->slots, SLOTS, SLOTS);
    return c->settings->parameters[0] == '\0' ? NULL : "pairs has no parameters: leave them out.";
}

/* ---- what was seen ---- */

/* Index plus 1; 0: there is no such goal. */
static uint32_t find_goal(const struct state *s, uint64_t first, uint64_t second)
{
    PL_TABLE_EACH(i, &s->table, pl_hash_add(first, second))
    {
        if (s->goals[i].first == first && s->goals[i].second == second)
            return i + 1;
    }
    return 0;
}

/* A goal for each order; of two operations at the same place there is only one. */
static void add_goals(struct state *s, uint64_t a, uint64_t b)
{
    uint32_t n = s->n_goals;

    if (n + 2 > GOALS) {
        s->full = true;
        return;
    }
    s->goals[n] = (struct goal){.first = a, .second = b, .opposite = a == b ? n : n + 1};
    pl_table_add(&s->table, pl_hash_add(a, b), n);
    if (a != b) {
        s->goals[n + 1] = (struct goal){.first = b, .second = a, .opposite = n};
        pl_table_add(&s->table, pl_hash_add(b, a), n + 1);
    }
    s->n_goals = n + 1 + (a != b);
    PL_ASSERT(s->n_goals <= GOALS);
}

static void meet(struct state *s, uint64_t first, uint64_t second)
{
    uint32_t at = find_goal(s, first, second);

    if (at != 0 && s->goals[at - 1].seen)
        return;
    if (at == 0)
        add_goals(s, first, second);
    at = find_goal(s, first, second);
    if (at == 0)
        return;
    PL_ASSERT(at <= s->n_goals);
    struct goal *g = &s->goals[at - 1];

    PL_ASSERT(s->goals[g->opposite].opposite == at - 1);
    s->n_both += g->opposite == at - 1 || s->goals[g->opposite].seen;
    s->n_pairs += g->opposite == at - 1 || !s->goals[g->opposite].seen;
    s->n_seen++;
    s->fresh++;
    g->seen = true;
    PL_ASSERT(s->n_both <= s->n_pairs && s->n_seen <= s->n_goals);
}

static struct location *find_location(struct state *s, uint64_t location)
{
    struct pl_claimed locations = PL_CLAIMED(s->locations);
    uint64_t home = pl_hash_mix(location);
    struct location *l = NULL;

    for (unsigned i = 0; i < PROBES; i++) {
        l = pl_claimed_entry(locations, home, i);
        if (l->stamp != s->stamp)
            break;
        if (l->location == location)
            return l;
    }
    *l = (struct location){
        .location = location, .stamp = s->stamp, .writer = PL_TID_NONE, .reader = PL_TID_NONE};
    return l;
}

static void note(struct state *s, const struct pl_operation *op)
{
    struct location *l = find_location(s, pl_profile_location(op));
    bool reads = op->effect == PL_EFFECT_READ;

    if (l->writer != PL_TID_NONE && l->writer != op->tid)
        meet(s, l->wrote, op->pc);
    if (!reads && l->reader != PL_TID_NONE && l->reader != op->tid)
        meet(s, l->read, op->pc);
    if (reads) {
        l->reader = op->tid;
        l->read = op->pc;
        return;
    }
    l->writer = op->tid;
    l->wrote = op->pc;
    l->reader = PL_TID_NONE;
}

/* ---- what is wanted ---- */

static bool is_better(const struct goal *a, const struct goal *b)
{
    return a->tries + (a->seen ? UNSEEN_FIRST : 0) < b->tries + (b->seen ? UNSEEN_FIRST : 0);
}

static struct goal *draw_goal(struct state *s)
{
    struct goal *best = &s->goals[pl_rng_below(&s->rng, s->n_goals)];

    for (unsigned i = 1; i < DRAWN; i++) {
        struct goal *g = &s->goals[pl_rng_below(&s->rng, s->n_goals)];

        if (is_better(g, best))
            best = g;
    }
    return best;
}

/* 0 half of the time, 1 half of the rest, and so on. */
static uint32_t halving(struct state *s, uint32_t most)
{
    uint32_t n = 0;

    while (n < most && pl_rng_below(&s->rng, 2) == 1)
        n++;
    return n;
}

void pl_pairs_watch(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    s->stamp++;
    s->fresh = 0;
    s->n_attempts = 0;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    pl_pairs_watch(c);
    s->rng = pl_sampling_seed(c, n);
    s->key = pl_rng_next(&s->rng);
    s->base = pl_rng_below(&s->rng, 2) == 0 ? BY_THREAD : (enum base)pl_rng_below(&s->rng, 3);
    if (s->n_goals > 0)
        s->n_attempts = 1 + halving(s, AT_ONCE - 1);
    PL_ASSERT(s->n_attempts <= AT_ONCE);
    for (unsigned i = 0; i < s->n_attempts; i++) {
        struct goal *g = draw_goal(s);

        s->attempts[i] = (struct attempt){.first = g->first, .second = g->second};
        if (g->tries++ > 0)
            s->attempts[i].visits = halving(s, UINT32_MAX);
    }
}

/* Whether the thread is to wait; whoever is the first to come there is waited for. */
static bool is_held(struct state *s, const struct pl_operation *op)
{
    for (unsigned i = 0; i < s->n_attempts; i++) {
        struct attempt *a = &s->attempts[i];

        if (a->done || a->second != op->pc || a->visits > 0)
            continue;
        if (a->location == 0) {
            a->location = pl_profile_location(op);
            a->tid = op->tid;
            a->held = 0;
        }
        if (a->location == pl_profile_location(op) && (a->first != a->second || a->tid == op->tid))
            return true;
    }
    return false;
}

/* Nobody is held any longer; another visit may be the right one. */
static void let_go(struct state *s)
{
    for (unsigned i = 0; i < s->n_attempts; i++) {
        if (s->attempts[i].location == 0)
            continue;
        s->attempts[i].location = 0;
        s->attempts[i].visits = 1 + halving(s, UINT32_MAX);
    }
}

static bool is_patient(struct state *s)
{
    bool patient = true;

    for (unsigned i = 0; i < s->n_attempts; i++)
        patient &= s->attempts[i].location == 0 || ++s->attempts[i].held < PATIENCE;
    return patient;
}

static uint64_t priority_of(struct state *s, const struct pl_operation *op)
{
    switch (s->base) {
    case BY_THREAD:
        return pl_hash_mix(s->key ^ op->name);
    case BY_OPERATION:
        return pl_hash_mix(s->key ^ (op->name + op->ordinal * UINT64_C(0x9e3779b97f4a7c15)));
    case UNIFORM:
    default:
        return pl_rng_next(&s->rng);
    }
}

/* The first by priority of those that are not held; view->options when there is none. */
static unsigned first(struct state *s, const struct pl_view *view)
{
    unsigned best = view->options;
    uint64_t highest = 0;

    for (unsigned i = 0; i < view->options; i++) {
        if (is_held(s, view->next[i]))
            continue;
        uint64_t priority = priority_of(s, view->next[i]);

        if (best == view->options || priority > highest) {
            best = i;
            highest = priority;
        }
    }
    return best;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);

    if (view->kind != PL_CHOICE_THREAD)
        return pl_rng_below(&s->rng, view->options);
    unsigned best = is_patient(s) ? first(s, view) : view->options;

    while (best == view->options) { /* once per goal at most: who is let go is not held again */
        let_go(s);
        best = first(s, view);
    }
    return best;
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);

    if (!pl_profile_counts(op) || op->effect == PL_EFFECT_NONE)
        return;
    for (unsigned i = 0; i < s->n_attempts; i++) {
        struct attempt *a = &s->attempts[i];

        if (a->location == 0)
            a->visits -= a->visits > 0 && op->pc == a->second;
        else if (op->pc == a->first && op->tid != a->tid && pl_profile_location(op) == a->location)
            a->done = true;
    }
    note(s, op);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    return true;
}

struct pl_pair_counts pl_pairs_count(const struct pl_strategy_context *c)
{
    const struct state *s = state_of(c);

    return (struct pl_pair_counts){
        .both = s->n_both, .one = s->n_pairs - s->n_both, .full = s->full};
}

uint32_t pl_pairs_fresh(const struct pl_strategy_context *c)
{
    return state_of(c)->fresh;
}

const struct pl_strategy pl_pairs = {
    .name = "pairs",
    .traits = PL_TRAITS_OF_pairs,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .end = end,
};
