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
 *
 * A part for another worker is cut off where it is largest, at the shallowest
 * choice with options left: half of them, behind the path that leads there.
 * Choices on that path are not the other's to change: they end at what was
 * taken.
 */
#include "strategy/table.h"

struct frame {
    uint16_t order; /* position in the order of trying, not the option's index */
    uint16_t end;   /* orders from here on are somebody else's, or do not exist */
    uint16_t options;
};

struct state {
    uint64_t n;     /* frames of the path to repeat */
    uint64_t depth; /* choices made in this execution */
    uint64_t capacity;
    bool open;            /* the execution that was begun has not been ended */
    bool adopted;         /* the path is another's: the last execution was not on it */
    uint64_t pending;     /* the next path as one word, while it is being set up */
    uint64_t split_depth; /* what split() has written last: the frame, */
    uint16_t split_end;   /* and where it ends when that is gone */
    struct frame path[];
};

/* Where in `pending` the number of frames is; below it the order of the last one. */
enum { PENDING_SHIFT = 16 };

/* Shares of the tree below this do not show in an estimate. */
#define NEGLIGIBLE 1e-15

/* Nothing that the compiler may reorder: after a death only what was stored counts. */
#define STORE(place, value) __atomic_store_n(&(place), value, __ATOMIC_RELEASE)

static const char *start(struct pl_strategy_context *c)
{
    struct state *s = (struct state *)c->arena;

    s->capacity = (c->arena_size - sizeof(struct state)) / sizeof(struct frame);
    return c->settings->parameters[0] == '\0' ? NULL : "dfs has no parameters: leave them out.";
}

/* Go over to the path that end() has decided on; nothing when it is done. */
static void turn(struct state *s)
{
    if (s->pending == 0)
        return;
    uint64_t n = s->pending >> PENDING_SHIFT;

    s->path[n - 1].order = (uint16_t)s->pending;
    s->n = n;
    s->open = false;
    STORE(s->pending, 0);
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;

    turn(s);
    s->depth = 0;
    s->adopted = false;
    STORE(s->open, true);
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
        *f = (struct frame){0, (uint16_t)view->options, (uint16_t)view->options};
        STORE(s->n, s->depth);
    } else if (f->options != view->options) {
        /* The program did not repeat itself: take what is there, count from here. */
        c->divergence->happened = true;
        if (f->end == f->options || f->end > view->options)
            f->end = (uint16_t)view->options;
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

    turn(s);
    if (outcome == PL_OUTCOME_LOST || !s->open)
        return true; /* the path is kept: the same execution once more */
    if (again) {
        STORE(s->n, 0);
        STORE(s->open, false);
        return true;
    }
    uint64_t n = s->depth; /* an execution that ended early leaves no stale frames behind */

    while (n > 0 && s->path[n - 1].order + 1u >= s->path[n - 1].end)
        n--;
    if (n == 0)
        return false;
    STORE(s->pending, n << PENDING_SHIFT | (s->path[n - 1].order + 1u));
    turn(s);
    return true;
}

static uint64_t split(struct pl_strategy_context *c, unsigned char *part, uint64_t size)
{
    struct state *s = (struct state *)c->arena;
    struct frame *to = (struct frame *)part;
    uint64_t n = 0;

    while (n < s->n && s->path[n].order + 1u >= s->path[n].end)
        n++;
    if (n == s->n || (n + 1) * sizeof(struct frame) > size)
        return 0;
    const struct frame *f = &s->path[n];

    s->split_depth = n;
    s->split_end = (uint16_t)(f->end - (f->end - f->order) / 2);
    for (uint64_t i = 0; i < n; i++) {
        to[i] = s->path[i];
        to[i].end = (uint16_t)(to[i].order + 1);
    }
    to[n] = (struct frame){s->split_end, f->end, f->options};
    return (n + 1) * sizeof(struct frame);
}

static void cut(struct pl_strategy_context *c)
{
    struct state *s = (struct state *)c->arena;

    s->path[s->split_depth].end = s->split_end;
}

static void adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    const struct frame *from = (const struct frame *)part;
    struct state *s = (struct state *)c->arena;
    uint64_t n = size / sizeof(struct frame);

    for (uint64_t i = 0; i < n; i++)
        s->path[i] = from[i];
    STORE(s->pending, 0);
    s->open = false;
    s->adopted = true;
    s->n = n;
}

/* All of the path but the choice that was changed. */
static uint64_t repeats(const struct pl_strategy_context *c)
{
    const struct state *s = (const struct state *)c->arena;

    return s->n > 0 && !s->adopted ? s->n - 1 : 0;
}

static void resume(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;

    s->depth = n;
}

/*
 * At each choice of the path the options that come later are left, at the last
 * one also the option that is next.
 */
static void estimate(const struct pl_strategy_context *c, struct pl_estimate *e)
{
    const struct state *s = (const struct state *)c->arena;
    double share = 1; /* of one option at the choice */

    e->left = s->n == 0 ? 1 : 0;
    for (uint64_t i = 0; i < s->n && share > NEGLIGIBLE; i++) {
        const struct frame *f = &s->path[i];

        share /= f->options;
        e->left += share * (f->end - f->order - (i + 1 < s->n));
    }
}

const struct pl_strategy pl_dfs = {
    .name = "dfs",
    .start = start,
    .begin = begin,
    .choose = choose,
    .end = end,
    .repeats = repeats,
    .resume = resume,
    .split = split,
    .cut = cut,
    .adopt = adopt,
    .estimate = estimate,
    .exhaustive = true,
};
