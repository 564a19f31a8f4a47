/* SPDX-License-Identifier: MIT */
/*
 * All threads in step, as if each had a processor of its own: who has performed the
 * fewest operations goes on, and of several the one that was created last.
 *
 * That is a good first execution, because it is so unlike those
 * that the program has when left alone, where a thread gets on before the next one is
 * created: here all threads are created first, they are in the same part of their work at
 * the same time, so that what is not atomic is interrupted, and wherever they compete the
 * one that was created last comes first.
 *
 * Every further execution is the opposite in one respect: of all that threads compete for,
 * the one with the most changes from thread to thread is taken, and what came to it first in the
 * first execution waits until nobody else can go on.
 *
 * In the first execution accesses to any memory may be operations.  Those that a thread
 * makes between creating one thread and the next are not to keep it from that.
 */
#include "base/rng.h"
#include "strategy/shared/table.h"

enum {
    LOCATIONS = 1 << 10, /* of others no count is kept */
    PATIENCE = 8,        /* operations between creating a thread and creating the next one */
    CONTESTED = 2,       /* changes from which on somebody is kept back */
};

/* Something that threads compete for. */
struct location {
    uint64_t location, pc; /* where it was come to first */
    pl_tid last;
    uint32_t changes;
};

struct state {
    uint32_t stamp; /* of this execution */
    bool known;     /* there was one before */
    uint64_t late;  /* who comes to this place waits; 0: nobody */
    uint64_t first; /* where the location with the most changes was come to first */
    uint32_t most;  /* that is so many */
    pl_tid creator; /* who has created a thread, and may be about to create another one */
    uint32_t since; /* its operations since then */
    struct location locations[LOCATIONS];
    uint64_t rng; /* for what is not about threads */
    struct {
        uint32_t stamp;
        uint32_t performed;
    } threads[PL_THREADS_MAX];
};

static struct state *state_of(const struct pl_strategy_context *c)
{
    return (struct state *)c->arena;
}

static const char *start(struct pl_strategy_context *c)
{
    return c->settings->parameters[0] == '\0' ? NULL
                                              : "lockstep has no parameters: leave them out.";
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = state_of(c);

    s->stamp++;
    s->creator = PL_TID_NONE;
    s->rng = pl_hash_add(c->settings->seed, n);
}

static uint32_t *performed_by(struct state *s, pl_tid tid)
{
    PL_ASSERT(tid < PL_THREADS_MAX);
    if (s->threads[tid].stamp != s->stamp) {
        s->threads[tid].stamp = s->stamp;
        s->threads[tid].performed = 0;
    }
    return &s->threads[tid].performed;
}

/* Who creates threads comes before all others, who is late behind them. */
static uint64_t behind(struct state *s, const struct pl_operation *op)
{
    uint64_t steps = (uint64_t)*performed_by(s, op->tid) + 1;

    if (pl_operation_is(op->kind, PL_ROLE_CREATES) || op->tid == s->creator)
        return 0;
    if (op->pc == s->late)
        steps += UINT32_MAX;
    return steps * PL_THREADS_MAX - op->tid;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = state_of(c);
    unsigned best = 0;

    if (view->kind != PL_CHOICE_THREAD)
        return pl_rng_below(&s->rng, view->options);
    for (unsigned i = 1; i < view->options; i++) {
        if (behind(s, view->next[i]) < behind(s, view->next[best]))
            best = i;
    }
    return best;
}

/* Who comes to the same as another one before it. */
static void note(struct state *s, const struct pl_operation *op)
{
    uint64_t location = pl_profile_location(op);
    struct location *l = &s->locations[pl_hash_mix(location) % LOCATIONS];

    if (l->location == 0)
        *l = (struct location){.location = location, .pc = op->pc, .last = op->tid};
    if (l->location != location || l->last == op->tid)
        return;
    l->last = op->tid;
    if (++l->changes > s->most) {
        s->most = l->changes;
        s->first = l->pc;
    }
}

static void observe(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = state_of(c);

    if (op->noted)
        return;
    ++*performed_by(s, op->tid);
    if (pl_operation_is(op->kind, PL_ROLE_CREATES) && !s->known) {
        s->creator = op->tid;
        s->since = 0;
    } else if (op->tid == s->creator && ++s->since == PATIENCE) {
        s->creator = PL_TID_NONE;
    }
    if (!s->known && pl_profile_counts(op))
        note(s, op);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = state_of(c);

    if (outcome == PL_OUTCOME_LOST)
        return true;
    s->known = true;
    s->late = s->most >= CONTESTED ? s->first : 0;
    return true;
}

const struct pl_strategy pl_lockstep = {
    .name = "lockstep",
    .traits = PL_TRAITS_OF_lockstep,
    .start = start,
    .begin = begin,
    .choose = choose,
    .observe = observe,
    .end = end,
};
