/* SPDX-License-Identifier: MIT */
/* See path.h. */
#include "strategy/shared/path.h"

#include "strategy/shared/parameters.h"

/* Where in `pending` the number of frames is; below it the order of the last one. */
enum { PENDING_SHIFT = 16 };

void pl_path_start(struct pl_strategy_context *c)
{
    PL_ASSERT(c->arena_size > sizeof(struct pl_path));
    pl_path_of(c)->capacity =
        (c->arena_size - sizeof(struct pl_path)) / sizeof(struct pl_path_frame);
}

const char *pl_path_start_bounded(struct pl_strategy_context *c, const char *refusal)
{
    static const char *const keys[] = {"bound"};
    uint64_t last = PL_PATH_ROUNDS;

    pl_path_start(c);
    if (!pl_parameters_known(c->settings->parameters, keys, 1, true) ||
        !pl_parameter_number(c->settings->parameters, keys[0], true, &last) ||
        last > PL_PATH_ROUNDS)
        return refusal;
    pl_path_of(c)->last_round = last;
    return NULL;
}

/* Go over to the path that end() has decided on; nothing when it is done. */
static void turn(struct pl_path *s)
{
    if (s->pending == 0)
        return;
    uint64_t n = s->pending >> PENDING_SHIFT;

    PL_ASSERT(n > 0 && n <= s->capacity);
    s->path[n - 1].order = (uint16_t)s->pending;
    PL_ASSERT(s->path[n - 1].order < s->path[n - 1].end);
    s->n = n;
    s->open = false;
    PL_STORE(s->pending, 0);
}

void pl_path_begin(struct pl_strategy_context *c, uint64_t n)
{
    struct pl_path *s = pl_path_of(c);

    turn(s);
    s->depth = 0;
    s->used = 0;
    s->adopted = false;
    PL_STORE(s->open, true);
}

void pl_path_stray(struct pl_strategy_context *c, struct pl_path_frame *f,
                   const struct pl_view *view, unsigned end)
{
    struct pl_path *s = pl_path_of(c);
    unsigned options = view->options;
    char why[128];

    pl_text_format(why, sizeof(why), "did not repeat another: %u ways to go on instead of %u",
                   options, f->options);
    pl_strategy_stray_at(c, why, NULL, &view->at);
    if (f->end == f->options || f->end > end)
        f->end = (uint16_t)end;
    PL_ASSERT(options > 0 && end > 0 && end <= options && s->depth > 0);
    f->options = (uint16_t)options;
    f->risky = 0;
    if (f->order >= f->options)
        f->order = (uint16_t)(f->options - 1);
    s->n = s->depth;
}

uint32_t pl_path_risky(const struct pl_strategy_context *c, const struct pl_view *view,
                       unsigned end, pl_path_option *option)
{
    uint32_t risky = 0;

    if (view->kind != PL_CHOICE_THREAD)
        return 0;
    for (unsigned i = 0; i < end && i < PL_PATH_RISKY; i++) {
        if (c->risk(view->next[option(view, i)]) != 0)
            risky |= UINT32_C(1) << i;
    }
    return risky;
}

void pl_path_weigh(struct pl_path *s, struct pl_path_frame *f, const struct pl_view *view,
                   pl_path_option *option)
{
    f->weighed = view->options <= PL_PATH_WEIGHED;
    for (unsigned i = 0; i < view->options && f->weighed; i++) {
        const struct pl_operation *op = view->next[option(view, i)];

        f->weighed = op->tid < PL_PATH_LONGEST;
        f->threads[i] = (uint8_t)op->tid;
        f->events[i] = op->ordinal;
        if (f->weighed && s->longest[op->tid] <= op->ordinal)
            s->longest[op->tid] = op->ordinal + 1;
    }
}

/* The way that is the order-th to be tried. */
static unsigned way_at(const struct pl_path_frame *f, unsigned order)
{
    unsigned left = order, way = 0;

    for (uint32_t risky = f->risky; risky != 0; risky &= risky - 1) {
        if (left-- == 0)
            return (unsigned)__builtin_ctz(risky);
    }
    /* `left` of those that are not risky come before it. */
    for (;; way++) {
        PL_ASSERT(way < f->options);
        bool risky = way < PL_PATH_RISKY && (f->risky >> way & 1) != 0;

        if (!risky && left-- == 0)
            return way;
    }
}

unsigned pl_path_way(const struct pl_path_frame *f)
{
    return way_at(f, f->order);
}

bool pl_path_end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct pl_path *s = pl_path_of(c);

    turn(s);
    if (outcome == PL_OUTCOME_LOST || !s->open)
        return true; /* the path is kept: the same execution once more */
    if (again) {
        s->left_out = false;
        PL_STORE(s->n, 0);
        PL_STORE(s->open, false);
        return true;
    }
    PL_ASSERT(s->depth <= s->capacity);
    uint64_t n = s->depth; /* an execution that ended early leaves no stale frames behind */

    while (n > 0 && s->path[n - 1].order + 1u >= s->path[n - 1].end)
        n--;
    if (n == 0)
        return false;
    PL_STORE(s->pending, n << PENDING_SHIFT | (s->path[n - 1].order + 1u));
    turn(s);
    return true;
}

static uint64_t split(struct pl_strategy_context *c, unsigned char *part, uint64_t size)
{
    struct pl_path *s = pl_path_of(c);
    struct pl_path_frame *to = (struct pl_path_frame *)part;
    uint64_t n = 0;

    while (n < s->n && s->path[n].order + 1u >= s->path[n].end)
        n++;
    if (n == s->n || (n + 1) * sizeof(struct pl_path_frame) > size)
        return 0;
    const struct pl_path_frame *f = &s->path[n];

    s->split_depth = n;
    s->split_end = (uint16_t)(f->end - (f->end - f->order) / 2);
    PL_ASSERT(f->order < s->split_end && s->split_end < f->end); /* both have something left */
    for (uint64_t i = 0; i < n; i++) {
        to[i] = s->path[i];
        to[i].end = (uint16_t)(to[i].order + 1);
    }
    to[n] = *f;
    to[n].order = s->split_end;
    return (n + 1) * sizeof(struct pl_path_frame);
}

static void cut(struct pl_strategy_context *c)
{
    struct pl_path *s = pl_path_of(c);

    PL_ASSERT(s->split_depth < s->n && s->path[s->split_depth].order < s->split_end);
    s->path[s->split_depth].end = s->split_end;
}

static void adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size)
{
    const struct pl_path_frame *from = (const struct pl_path_frame *)part;
    struct pl_path *s = pl_path_of(c);
    uint64_t n = size / sizeof(struct pl_path_frame);

    PL_ASSERT(n * sizeof(struct pl_path_frame) == size && n <= s->capacity);
    PL_ASSERT(c->round <= PL_PATH_ROUNDS);
    for (uint64_t i = 0; i < n; i++)
        s->path[i] = from[i];
    PL_STORE(s->pending, 0);
    s->open = false;
    s->adopted = true;
    s->left_out = false;
    s->bound = (uint16_t)c->round;
    s->n = n;
}

/* All of the path but the choice that was changed. */
static uint64_t repeats(const struct pl_strategy_context *c)
{
    const struct pl_path *s = pl_path_of(c);

    return s->n > 0 && !s->adopted ? s->n - 1 : 0;
}

static void resume(struct pl_strategy_context *c, uint64_t n, uint64_t place)
{
    struct pl_path *s = pl_path_of(c);

    PL_ASSERT(n < s->n || n == 0); /* less than the path is repeated, so the frame is there */
    s->depth = n;
    s->used = s->path[n].spent;
}

bool pl_path_left_out(const struct pl_strategy_context *c)
{
    return pl_path_of(c)->left_out;
}

uint64_t pl_path_last_round(const struct pl_strategy_context *c)
{
    return pl_path_of(c)->last_round;
}

/*
 * How much of what lies behind the choice begins with the order-th way.  Of the interleavings of
 * threads that nothing keeps apart as many begin with a thread as it has events left, in proportion
 * to those of all.
 */
static double weight(const struct pl_path *s, const struct pl_path_frame *f, unsigned order)
{
    if (!f->weighed)
        return 1;
    unsigned way = f->risky == 0 ? order : way_at(f, order);
    uint32_t longest = s->longest[f->threads[way]], done = f->events[way];

    return longest > done ? (double)(longest - done) : 1;
}

/*
 * At each choice of the path the options that come later are left, at the last
 * one also the option that is next.
 */
static void estimate(const struct pl_strategy_context *c, struct pl_estimate *e)
{
    const struct pl_path *s = pl_path_of(c);
    double share = 1, weighed = 1; /* of one option at the choice, and of the one that was taken */

    e->left = e->weighed = s->n == 0 ? 1 : 0;
    for (uint64_t i = 0; i < s->n && share > PL_ESTIMATE_NEGLIGIBLE; i++) {
        const struct pl_path_frame *f = &s->path[i];
        unsigned first = f->order + (i + 1 < s->n ? 1u : 0u);
        double all = 0, later = 0;

        PL_ASSERT(f->options > 0 && f->end <= f->options);
        for (unsigned k = 0; k < f->options; k++) {
            all += weight(s, f, k);
            later += k >= first && k < f->end ? weight(s, f, k) : 0;
        }
        share /= f->options;
        e->left += share * (f->end > first ? f->end - first : 0);
        e->weighed += weighed * later / all;
        weighed *= weight(s, f, f->order) / all;
    }
}

const struct pl_strategy_resumes pl_path_resumes = {.repeats = repeats, .resume = resume};
const struct pl_strategy_divides pl_path_divides = {.split = split, .cut = cut};
const struct pl_strategy_search pl_path_search = {.adopt = adopt};
const struct pl_strategy_search pl_path_estimating = {.adopt = adopt, .estimate = estimate};
