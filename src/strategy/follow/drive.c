/* SPDX-License-Identifier: MIT */
/*
 * Bring threads to where they would deadlock or race.
 *
 * The goal says where each of them is to stand.  A thread that comes to its place
 * is held there as long as others can go on.  For a deadlock that is all: when the
 * last one comes, nobody of them can go on, and the runtime says so.  Two
 * accesses that race are let go one right after the other when both threads stand
 * there, and in the next execution, with the same choices up to then, the other
 * way round.
 *
 * Who goes on of those that are not held changes from try to try: as in the
 * schedule that gave rise to the prediction, whoever runs already, by priorities
 * of threads, at random.  A place may be passed many times before it is the right
 * time: after the first tries somebody is held only after a few visits.  Then
 * some may come late: they take what others will wait for only when those stand in
 * their places.  Or all of them line up before they take it, and go one by one.
 *
 * In the spirit of Joshi, Park, Sen and Naik, "A randomized dynamic program
 * analysis technique for detecting real deadlocks" (PLDI 2009), and Sen, "Race
 * directed random testing of concurrent programs" (PLDI 2008).  The goal is found
 * by places in the program, and the first tries begin with what was recorded.
 */
#include "model/depend.h"
#include "model/driven.h"
#include "strategy/shared/plan.h"
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"

enum {
    PATIENCE = 20000, /* choices for which somebody is held */
    NAMED = 8,        /* first tries, in which only the threads of the prediction are held */
    AT_ONCE = 4,      /* first tries, in which they are held at the first visit */
    COUPLES = 24,     /* executions in both orders before the effect is believed */
};
#define NEVER UINT32_MAX

/* Who stops before it takes what others will wait for: nobody, some, all. */
enum manner { FREELY, SOME_LATE, LINED_UP, MANNERS };
enum base { BY_PLAN, BY_DEFAULT, BY_THREAD, UNIFORM, BASES };

struct state {
    struct pl_driven answer; /* first: the tool looks for it here */
    bool open;               /* the execution that was begun has not been ended */
    bool repeats;            /* the next one is the last one, the other way round */
    uint64_t attempt;        /* executions that begin in another way, from 0 */
    uint8_t order;           /* of a race: who goes first */
    uint8_t came;            /* and who did, in the execution that is to be repeated */

    /* The execution that runs. */
    uint64_t rng, key;
    enum base base;
    bool anyone;                      /* whichever thread comes to a place is held */
    uint32_t visits[PL_GOAL_MEMBERS]; /* until somebody is held there; NEVER */
    pl_tid held[PL_GOAL_MEMBERS];     /* who is, or PL_TID_NONE */
    enum manner manner;
    bool ready;                       /* LINED_UP: all of them were there */
    bool late[PL_GOAL_MEMBERS];       /* it stops there, */
    uint32_t passes[PL_GOAL_MEMBERS]; /* after so many visits there, */
    pl_tid stopped[PL_GOAL_MEMBERS];  /* and who does now, or PL_TID_NONE */
    uint32_t waited;                  /* choices for which somebody was */
    pl_tid due;                       /* who is to follow at once, or PL_TID_NONE */
    struct pl_plan plan;
};

static struct state *state_of(const struct pl_strategy_context *c)
{
    return (struct state *)c->arena;
}

static bool is_race(const struct pl_strategy_context *c)
{
    return c->board->goal.kind == PL_FINDING_RACE;
}

static const char *start(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);

    if (c->arena_size < sizeof(*s))
        return "drive needs more memory than there is.";
    if (!pl_plan_read(&s->plan, c->steps, c->n_steps))
        return "the schedule has more choices than can be followed.";
    return NULL;
}

/* 0 half of the time, 1 half of the rest, and so on. */
static uint32_t halving(struct state *s)
{
    uint32_t n = 0;

    while (n < 64 && pl_rng_below(&s->rng, 2) == 1)
        n++;
    return n;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    PL_ASSERT(c->board->goal.n_members <= PL_GOAL_MEMBERS && s->order < 2);
    PL_ASSERT(!is_race(c) || c->board->goal.n_members == 2 || c->board->goal.n_members == 0);
    s->rng = pl_sampling_seed(c, s->attempt);
    s->key = pl_rng_next(&s->rng);
    if (!s->repeats)
        s->order = (uint8_t)(s->attempt % 2);
    s->base = s->attempt < BASES ? (enum base)s->attempt : (enum base)pl_rng_below(&s->rng, BASES);
    s->anyone = s->attempt >= NAMED && pl_rng_below(&s->rng, 2) == 0;
    s->manner = s->attempt < AT_ONCE ? FREELY : (enum manner)pl_rng_below(&s->rng, MANNERS);
    s->ready = false;
    for (unsigned i = 0; i < PL_GOAL_MEMBERS; i++) {
        s->held[i] = PL_TID_NONE;
        s->visits[i] = s->attempt < AT_ONCE ? 0 : halving(s);
        s->late[i] =
            s->manner == LINED_UP || (s->manner == SOME_LATE && pl_rng_below(&s->rng, 2) == 0);
        s->passes[i] = halving(s);
        s->stopped[i] = PL_TID_NONE;
    }
    s->waited = 0;
    s->due = PL_TID_NONE;
    /* Without, threads start when they are chosen. */
    s->plan.faithful &= c->board->instrumented && !c->settings->starts_chosen;
    pl_plan_begin(&s->plan, c->board->n_threads);
    PL_STORE(s->open, true);
}

/* ---- who is held ---- */

/* What waits by its nature, whoever stands where, need not be held. */
static bool waits_anyway(unsigned op)
{
    return pl_operation_is(op, PL_ROLES(GIVES_UP, REGAINS, JOINS)) &&
           !pl_operation_is(op, PL_ROLE_TIMED);
}

static bool is_at(const struct pl_goal_member *m, const struct pl_operation *op, bool anyone)
{
    bool fits =
        m->op == PL_OP_NONE ? pl_operation_object(op->kind) == PL_OBJECT_MEMORY : op->kind == m->op;

    return fits && op->pc == m->pc && (anyone || op->name == m->name);
}

static bool has(const struct state *s, pl_tid tid, unsigned but)
{
    for (unsigned i = 0; i < PL_GOAL_MEMBERS; i++) {
        if (s->held[i] == tid && i != but)
            return true;
    }
    return false;
}

/* Whether the thread is to stay where it is; the first to come to a place is held there. */
static bool is_held(struct state *s, const struct pl_goal *goal, const struct pl_operation *op)
{
    for (unsigned i = 0; i < goal->n_members; i++) {
        if (s->visits[i] != 0 || waits_anyway(goal->members[i].op) ||
            !is_at(&goal->members[i], op, s->anyone) || has(s, op->tid, i))
            continue;
        if (s->held[i] == PL_TID_NONE)
            s->held[i] = op->tid;
        if (s->held[i] == op->tid)
            return true;
    }
    return false;
}

/* Whether it is to be waited for until it stands in its place. */
static bool comes(const struct state *s, const struct pl_goal *goal, unsigned i)
{
    return s->visits[i] != NEVER && !waits_anyway(goal->members[i].op);
}

/* Whether somebody who is not late has yet to come to its place. */
static bool lacks_others(const struct state *s, const struct pl_goal *goal)
{
    for (unsigned i = 0; i < goal->n_members; i++) {
        if (!s->late[i] && s->held[i] == PL_TID_NONE && comes(s, goal, i))
            return true;
    }
    return false;
}

static bool is_lined_up(const struct state *s, const struct pl_goal *goal)
{
    for (unsigned i = 0; i < goal->n_members; i++) {
        if (goal->members[i].since != 0 && s->held[i] == PL_TID_NONE &&
            s->stopped[i] == PL_TID_NONE)
            return false;
    }
    return true;
}

/* Of those that have lined up: whether somebody else goes first. */
static bool has_to_wait(const struct state *s, const struct pl_goal *goal, unsigned i)
{
    for (unsigned j = 0; j < goal->n_members; j++) {
        if (pl_hash_mix(s->key + j) < pl_hash_mix(s->key + i) && s->held[j] == PL_TID_NONE &&
            comes(s, goal, j))
            return true;
    }
    return false;
}

/* Whether member i, who comes to where it takes what others will wait for, is too early. */
static bool is_early(struct state *s, const struct pl_goal *goal, unsigned i)
{
    if (s->manner != LINED_UP)
        return lacks_others(s, goal);
    s->ready |= is_lined_up(s, goal);
    return !s->ready || has_to_wait(s, goal, i);
}

/* Whether the thread is to wait before it takes what others will wait for. */
static bool is_stopped(struct state *s, const struct pl_goal *goal, const struct pl_operation *op)
{
    for (unsigned i = 0; i < goal->n_members; i++) {
        const struct pl_goal_member *m = &goal->members[i];

        if (!s->late[i] || s->passes[i] != 0 || m->since == 0 || m->since != op->pc ||
            (!s->anyone && op->name != m->name))
            continue;
        if (s->stopped[i] == PL_TID_NONE)
            s->stopped[i] = op->tid;
        if (s->stopped[i] == op->tid && is_early(s, goal, i))
            return true;
    }
    return false;
}

static bool stays(struct state *s, const struct pl_goal *goal, const struct pl_operation *op)
{
    return is_held(s, goal, op) || is_stopped(s, goal, op);
}

/* One of them goes on after all, and may be held again at a later visit. */
static void let_go(struct state *s, const struct pl_goal *goal)
{
    PL_ASSERT(goal->n_members > 0); /* or nobody would be held */
    unsigned n = goal->n_members, from = pl_rng_below(&s->rng, n);

    for (unsigned i = 0; i < n; i++) {
        unsigned m = (from + i) % n;

        if (s->stopped[m] != PL_TID_NONE) {
            s->stopped[m] = PL_TID_NONE;
            s->passes[m] = 1 + halving(s);
            return;
        }
        if (s->held[m] == PL_TID_NONE)
            continue;
        s->held[m] = PL_TID_NONE;
        s->visits[m] = 1 + halving(s);
        return;
    }
}

static void let_all_go(struct state *s)
{
    for (unsigned i = 0; i < PL_GOAL_MEMBERS; i++) {
        s->held[i] = s->stopped[i] = PL_TID_NONE;
        s->visits[i] = s->passes[i] = NEVER;
    }
}

static bool is_patient(struct state *s)
{
    bool any = false;

    for (unsigned i = 0; i < PL_GOAL_MEMBERS; i++)
        any |= s->held[i] != PL_TID_NONE || s->stopped[i] != PL_TID_NONE;
    s->waited += any;
    return s->waited < PATIENCE;
}

/* ---- who goes on ---- */

static uint64_t priority_of(struct state *s, const struct pl_operation *op)
{
    return s->base == BY_THREAD ? pl_hash_mix(s->key ^ op->name) : pl_rng_next(&s->rng);
}

/* The first by priority of those that are not held; view->options when there is none. */
static unsigned by_priority(struct state *s, const struct pl_goal *goal, const struct pl_view *view)
{
    unsigned best = view->options;
    uint64_t highest = 0;

    for (unsigned i = 0; i < view->options; i++) {
        if (stays(s, goal, view->next[i]))
            continue;
        uint64_t priority = priority_of(s, view->next[i]);

        if (best == view->options || priority > highest) {
            best = i;
            highest = priority;
        }
    }
    return best;
}

static unsigned by_default(struct state *s, const struct pl_goal *goal, const struct pl_view *view)
{
    for (unsigned order = 0; order < view->options; order++) {
        unsigned i = pl_view_option(view, order);

        if (!stays(s, goal, view->next[i]))
            return i;
    }
    return view->options;
}

static unsigned first(struct state *s, const struct pl_goal *goal, const struct pl_view *view)
{
    if (s->base == BY_PLAN) {
        unsigned planned = pl_plan_choose(&s->plan, view);

        return stays(s, goal, view->next[planned]) ? by_default(s, goal, view) : planned;
    }
    return s->base == BY_DEFAULT ? by_default(s, goal, view) : by_priority(s, goal, view);
}

/* ---- two accesses ---- */

static int option_of(const struct pl_view *view, pl_tid tid)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->tid == tid)
            return (int)i;
    }
    return -1;
}

/* That the two conflict is known; what they touch this time is not.  No bytes are none. */
static bool meet(const struct pl_operation *a, const struct pl_operation *b)
{
    return pl_depend_would_conflict(&(struct pl_depend_extent){a->addr, a->addr + a->size, 0},
                                    &(struct pl_depend_extent){b->addr, b->addr + b->size, 0},
                                    PL_DEPEND_TOUCH);
}

/* Both stand there: the one that is to be first goes, the other follows at once.  Or -1. */
static int bring_together(struct state *s, const struct pl_goal *goal, const struct pl_view *view)
{
    for (unsigned i = 0; i < view->options; i++)
        is_held(s, goal, view->next[i]);
    int a = s->held[0] != PL_TID_NONE ? option_of(view, s->held[0]) : -1;
    int b = s->held[1] != PL_TID_NONE ? option_of(view, s->held[1]) : -1;

    if (a < 0 || b < 0 || !meet(view->next[a], view->next[b]))
        return -1;
    PL_ASSERT(s->held[0] != s->held[1]);
    s->due = s->order == 0 ? s->held[1] : s->held[0];
    let_all_go(s);
    return s->order == 0 ? a : b;
}

static int of_race(struct state *s, const struct pl_goal *goal, const struct pl_view *view)
{
    if (s->due == PL_TID_NONE)
        return bring_together(s, goal, view);
    int i = option_of(view, s->due);

    s->due = PL_TID_NONE;
    return i;
}

static bool takes(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);

    return s->base != BY_PLAN || pl_plan_takes(&s->plan, op);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    const struct pl_goal *goal = &c->board->goal;

    if (view->kind != PL_CHOICE_THREAD)
        return s->base == BY_PLAN ? pl_plan_choose(&s->plan, view)
                                  : pl_rng_below(&s->rng, view->options);
    int now = is_race(c) ? of_race(s, goal, view) : -1;

    if (now >= 0)
        return (unsigned)now;
    if (!is_patient(s))
        let_all_go(s);
    unsigned best = first(s, goal, view);

    while (best == view->options) { /* once per member at most: who is let go is not held again */
        let_go(s, goal);
        best = by_default(s, goal, view);
    }
    return best;
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);
    const struct pl_goal *goal = &c->board->goal;

    for (unsigned i = 0; i < goal->n_members; i++) {
        if (s->stopped[i] == op->tid)
            s->stopped[i] = PL_TID_NONE;
        else if (op->pc == goal->members[i].since && s->passes[i] != NEVER)
            s->passes[i] -= s->passes[i] > 0;
        if (!is_at(&goal->members[i], op, s->anyone))
            continue;
        if (s->held[i] == op->tid)
            s->held[i] = PL_TID_NONE;
        else if (s->visits[i] != NEVER)
            s->visits[i] -= s->visits[i] > 0;
    }
}

/* ---- what it came to ---- */

static bool agree(const unsigned char *a, unsigned n_a, const unsigned char *b, unsigned n_b)
{
    if (n_a != n_b)
        return false;
    for (unsigned i = 0; i < n_a; i++) {
        if (a[i] != b[i])
            return false;
    }
    return true;
}

static bool same_end(const struct pl_driven_side *a, const struct pl_driven_side *b)
{
    if (a->outcome != b->outcome)
        return false;
    return a->outcome != PL_OUTCOME_FINDING ||
           (a->finding.kind == b->finding.kind && a->finding.signature == b->finding.signature);
}

static enum pl_driven_effect effect_of(const struct pl_driven_side sides[2])
{
    if (!same_end(&sides[0], &sides[1]))
        return PL_DRIVEN_FAILURE;
    for (unsigned i = 0; i < 2; i++) {
        const struct pl_meeting_side *a = &sides[0].meeting.sides[i];
        const struct pl_meeting_side *b = &sides[1].meeting.sides[i];

        if ((a->reads && !agree(a->saw, a->n_saw, b->saw, b->n_saw)) ||
            !agree(a->left, a->n_left, b->left, b->n_left))
            return PL_DRIVEN_VALUE;
    }
    return PL_DRIVEN_NO_EFFECT;
}

static bool fill_side(const struct pl_strategy_context *c, struct pl_driven_side *side)
{
    side->execution = c->board->execution;
    side->outcome = c->board->outcome;
    side->finding = c->board->finding;
    side->meeting = c->board->meeting;
    return pl_kept_fill(&side->kept, c->board);
}

static void judge_couple(struct pl_driven *a, unsigned place)
{
    enum pl_driven_effect effect = effect_of(a->sides[place]);

    a->couples++;
    if (a->best != 0 && effect <= a->effect)
        return;
    a->effect = effect;
    PL_STORE(a->best, place + 1);
}

static void after_meeting(struct pl_strategy_context *c)
{
    struct state *s = state_of(c);
    struct pl_driven *a = &s->answer;
    unsigned place = a->best == 1 ? 1 : 0;
    unsigned came = c->board->meeting.first;
    PL_ASSERT(came < 2 && a->best <= 2);
    bool kept = fill_side(c, &a->sides[place][came]);

    if (!s->repeats && kept) {
        s->repeats = true;
        s->came = (uint8_t)came;
        s->order = (uint8_t)(1 - came);
        return;
    }
    if (kept && s->came != came)
        judge_couple(a, place);
    s->repeats = false;
    s->attempt++;
}

static bool is_reached(const struct pl_strategy_context *c)
{
    const struct pl_board *b = c->board;

    if (is_race(c))
        return b->meeting.happened;
    return b->outcome == PL_OUTCOME_FINDING && pl_driven_shows(&b->goal, &b->finding);
}

static bool is_enough(const struct pl_strategy_context *c, const struct pl_driven *a)
{
    if (a->tries >= c->board->goal.budget)
        return true;
    if (is_race(c))
        return a->couples >= COUPLES || (a->best != 0 && a->effect == PL_DRIVEN_FAILURE);
    return a->reached > 0;
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = state_of(c);
    struct pl_driven *a = &s->answer;

    if (outcome == PL_OUTCOME_LOST || !s->open)
        return !a->finished;
    a->tries++;
    if (is_reached(c) && a->reached++ == 0)
        a->first = a->tries;
    if (is_race(c) && c->board->meeting.happened) {
        after_meeting(c);
    } else {
        s->repeats = false;
        s->attempt++;
    }
    if (is_enough(c, a))
        PL_STORE(a->finished, true);
    PL_STORE(s->open, false);
    return !a->finished;
}

const struct pl_strategy pl_drive = {
    .name = "drive",
    .traits = PL_TRAITS_OF_drive,
    .start = start,
    .begin = begin,
    .choose = choose,
    .takes = takes,
    .observe = observe,
    .end = end,
};
