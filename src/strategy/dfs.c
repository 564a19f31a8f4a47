/* SPDX-License-Identifier: MIT */
/*
 * Depth-first search over all choices: the reference for everybody else.
 *
 * The path to the current execution is kept as a stack of choices.  An
 * execution repeats the stack, then takes the first option of every new
 * choice: the running thread first, so that the first execution has no
 * preemption.  Afterwards the deepest choice with an option left takes it.
 *
 * When an execution shows that more memory is shared than was known, choices
 * were missing from earlier ones, so the search starts over.  The set of shared
 * memory only grows, so this ends.
 */
#include "strategy/table.h"

struct frame {
    uint16_t order; /* position in the order of trying, not the option's index */
    uint16_t options;
};

struct state {
    uint64_t n;     /* frames of the path to repeat */
    uint64_t depth; /* choices made in this execution */
    uint64_t capacity;
    struct frame path[];
};

static const char *start(struct pl_strategy_context *c)
{
    struct state *s = (struct state *)c->arena;

    s->capacity = (c->arena_size - sizeof(struct state)) / sizeof(struct frame);
    return c->settings->parameters[0] == '\0' ? NULL : "dfs has no parameters: leave them out.";
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;

    s->depth = 0;
}

/* The option tried as the order-th: the running one first, then ascending. */
static unsigned option_at(const struct pl_view *view, unsigned order)
{
    if (view->running < 0)
        return order;
    if (order == 0)
        return (unsigned)view->running;
    return order <= (unsigned)view->running ? order - 1 : order;
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = (struct state *)c->arena;

    if (s->depth >= s->capacity)
        return option_at(view, 0);
    struct frame *f = &s->path[s->depth++];

    if (s->depth > s->n) {
        f->order = 0;
        f->options = (uint16_t)view->options;
        s->n = s->depth;
    } else if (f->options != view->options) {
        /* The program did not repeat itself: take what is there, count from here. */
        c->divergence->happened = true;
        f->options = (uint16_t)view->options;
        if (f->order >= f->options)
            f->order = (uint16_t)(f->options - 1);
        s->n = s->depth;
    }
    return option_at(view, f->order);
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = (struct state *)c->arena;

    if (outcome == PL_OUTCOME_LOST)
        return true; /* the path is kept: the same execution once more */
    if (again) {
        s->n = 0;
        return true;
    }
    s->n = s->depth; /* an execution that ended early leaves no stale frames behind */
    while (s->n > 0) {
        struct frame *f = &s->path[s->n - 1];

        if (f->order + 1u < f->options) {
            f->order++;
            return true;
        }
        s->n--;
    }
    return false;
}

/* All of the path but the choice that was changed. */
static uint64_t repeats(const struct pl_strategy_context *c)
{
    const struct state *s = (const struct state *)c->arena;

    return s->n > 0 ? s->n - 1 : 0;
}

static void resume(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;

    s->depth = n;
}

const struct pl_strategy pl_dfs = {
    .name = "dfs",
    .start = start,
    .begin = begin,
    .choose = choose,
    .end = end,
    .repeats = repeats,
    .resume = resume,
    .exhaustive = true,
};
