/* SPDX-License-Identifier: MIT */
/*
 * Selectively uniform random walk (Zhao, Wolff, Mathur and Roychoudhury,
 * "Selectively uniform concurrency testing", ASPLOS 2025).
 *
 * For each execution a location that threads share is drawn; the operations on
 * it are interesting.  All orders of the interesting operations are to be
 * equally likely.  There are as many orders that begin with a thread as are left
 * when it has made its first operation, and so the next interesting operation is
 * the intended thread's, which is drawn in proportion to how many each thread
 * still has to make.  Until it comes to that, other threads wait where they are
 * about to make an interesting operation.  Everything else goes by random
 * priorities of operations.
 *
 * The operations of a thread that has not been created weigh on its creator.
 * When the thread appears it takes them over, and with them, with the due
 * probability, the intention.
 *
 * The counts are those of the profile.  They may be wrong for other executions:
 * whoever is about to make an interesting operation counts for at least one, and
 * when nobody else can go on, the intended thread is drawn anew from those who
 * can.
 *
 * Departures: one location (8 bytes of memory, or a synchronisation object) per
 * execution, each of them equally likely.  A thread counts as created when it is
 * first seen to be able to go on.  Choices of other kinds are uniform.
 */
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"

/* What a thread of the profile has still to do. */
struct task {
    uint32_t stamp;
    bool born;
    uint64_t own;    /* interesting operations */
    uint64_t unborn; /* those of threads that descend from it and have not appeared */
};

struct state {
    uint64_t rng, key;
    uint64_t location; /* 0: none; a random walk then */
    uint32_t stamp;    /* of this execution */
    unsigned n_seen;   /* threads that have appeared */
    pl_tid intended;   /* PL_TID_NONE: to be drawn */
    pl_tid seen[PL_THREADS_MAX], ready[PL_THREADS_MAX];
    struct {
        uint32_t stamp;
        uint32_t task; /* index in tasks[] */
    } threads[PL_THREADS_MAX];
    /* By index in the profile; behind them those of threads that it does not have. */
    struct task tasks[2 * PL_THREADS_MAX];
};

static const char *start(struct pl_strategy_context *c)
{
    return c->settings->parameters[0] == '\0' ? NULL : "surw has no parameters: leave them out.";
}

static struct task *task_of(struct state *s, uint32_t index)
{
    PL_ASSERT(index < sizeof(s->tasks) / sizeof(s->tasks[0]));
    struct task *t = &s->tasks[index];

    if (t->stamp != s->stamp)
        *t = (struct task){.stamp = s->stamp};
    return t;
}

/* The interesting operations of one thread weigh on it, and on all it descends from. */
static void plan(struct state *s, const struct pl_profile *p, const struct pl_profile_count *count)
{
    task_of(s, count->thread)->own = count->n;
    for (pl_tid i = p->threads[count->thread].parent; i != PL_TID_NONE; i = p->threads[i].parent)
        task_of(s, i)->unborn += count->n;
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;
    const struct pl_profile *p = c->profile;

    s->rng = pl_sampling_seed(c, n);
    s->key = pl_rng_next(&s->rng);
    s->stamp++;
    s->n_seen = 0;
    s->intended = PL_TID_NONE;
    s->location = 0;
    if (p == NULL || p->n_locations == 0)
        return;
    const struct pl_profile_location *l = &p->locations[pl_rng_below(&s->rng, p->n_locations)];

    s->location = l->location;
    for (uint32_t i = 0; i < l->n; i++)
        plan(s, p, &p->counts[l->first + i]);
}

static uint64_t below(struct state *s, uint64_t n)
{
    return (uint64_t)(((unsigned __int128)pl_rng_next(&s->rng) * n) >> 64);
}

/* How many interesting operations go by a thread that has appeared. */
static uint64_t weight_of(struct state *s, pl_tid tid)
{
    const struct task *t = task_of(s, s->threads[tid].task);

    return t->own + t->unborn;
}

/* The thread takes over what its nearest ancestor that has appeared did for it. */
static void take_over(struct state *s, const struct pl_profile *p, pl_tid index, pl_tid tid)
{
    struct task *t = task_of(s, index);
    uint64_t mine = t->own + t->unborn;
    pl_tid parent = p->threads[index].parent;

    t->born = true;
    for (; parent != PL_TID_NONE; parent = p->threads[parent].parent) {
        struct task *from = task_of(s, parent);
        uint64_t all = from->own + from->unborn;
        bool intended = s->intended != PL_TID_NONE && s->threads[s->intended].task == parent;

        if (intended && all > 0 && below(s, all) < mine)
            s->intended = tid;
        from->unborn -= mine < from->unborn ? mine : from->unborn;
        if (from->born)
            break;
    }
}

static void appear(struct state *s, const struct pl_profile *p, const struct pl_operation *op)
{
    pl_tid index = pl_profile_thread(p, op->name);

    s->threads[op->tid].stamp = s->stamp;
    s->threads[op->tid].task = index != PL_TID_NONE ? index : (uint32_t)PL_THREADS_MAX + op->tid;
    PL_ASSERT(s->n_seen < PL_THREADS_MAX); /* each appears once */
    s->seen[s->n_seen++] = op->tid;
    if (index != PL_TID_NONE && !task_of(s, index)->born)
        take_over(s, p, index, op->tid);
}

/* Who of these makes the next interesting operation; PL_TID_NONE when none is expected to. */
static pl_tid draw(struct state *s, const pl_tid *tids, unsigned n)
{
    uint64_t total = 0, at;
    unsigned i = 0;

    for (unsigned k = 0; k < n; k++)
        total += weight_of(s, tids[k]);
    if (total == 0)
        return PL_TID_NONE;
    for (at = below(s, total); at >= weight_of(s, tids[i]); i++)
        at -= weight_of(s, tids[i]);
    PL_ASSERT(i < n);
    return tids[i];
}

/* Those that can go on, into ready[]; what they are about to do counts, foreseen or not. */
static void look(struct state *s, const struct pl_view *view)
{
    for (unsigned i = 0; i < view->options; i++) {
        const struct pl_operation *op = view->next[i];
        struct task *t = task_of(s, s->threads[op->tid].task);

        s->ready[i] = op->tid;
        t->own += t->own == 0 && pl_profile_touches(op, s->location);
    }
}

static uint64_t priority_of(const struct state *s, const struct pl_operation *op)
{
    return pl_hash_mix(s->key ^ (op->name + op->ordinal * UINT64_C(0x9e3779b97f4a7c15)));
}

/* The first by priority of those that need not wait; view->options when there is none. */
static unsigned first(const struct state *s, const struct pl_view *view)
{
    unsigned best = view->options;
    uint64_t highest = 0;

    for (unsigned i = 0; i < view->options; i++) {
        const struct pl_operation *op = view->next[i];

        if (op->tid != s->intended && pl_profile_touches(op, s->location))
            continue;
        uint64_t priority = priority_of(s, op);

        if (best == view->options || priority > highest) {
            best = i;
            highest = priority;
        }
    }
    return best;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = (struct state *)c->arena;

    if (view->kind != PL_CHOICE_THREAD || s->location == 0)
        return pl_rng_below(&s->rng, view->options);
    for (unsigned i = 0; i < view->options; i++) {
        if (s->threads[view->next[i]->tid].stamp != s->stamp)
            appear(s, c->profile, view->next[i]);
    }
    if (s->intended == PL_TID_NONE) {
        look(s, view);
        s->intended = draw(s, s->seen, s->n_seen);
    }
    unsigned best = first(s, view);

    if (best == view->options) { /* all are about to make one, and none of them is intended */
        look(s, view);
        s->intended = draw(s, s->ready, view->options);
        best = first(s, view);
    }
    PL_ASSERT(best < view->options);
    return best;
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = (struct state *)c->arena;
    bool touches = s->location != 0 && pl_profile_touches(op, s->location);

    if (touches)
        s->intended = PL_TID_NONE;
    if (s->location == 0 || (!touches && !pl_operation_is(op->kind, PL_ROLE_ENDS)))
        return;
    if (s->threads[op->tid].stamp != s->stamp)
        appear(s, c->profile, op);
    struct task *t = task_of(s, s->threads[op->tid].task);

    if (pl_operation_is(op->kind, PL_ROLE_ENDS))
        t->own = t->unborn = 0; /* it had fewer than was expected */
    else
        t->own -= t->own > 0;
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    return true;
}

const struct pl_strategy pl_surw = {
    .name = "surw",
    .traits = PL_TRAITS_OF_surw,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .end = end,
};
