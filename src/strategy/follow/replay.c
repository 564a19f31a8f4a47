/* SPDX-License-Identifier: MIT */
/*
 * Follow a recorded schedule.
 *
 * A step says at which thread and after how many of its events a choice was
 * made, and what was taken.  Where no step fits, the running thread goes on,
 * which is what was left unwritten.  A step that cannot be taken, or a choice
 * that the schedule should have made and did not, is a divergence: it is noted
 * once, with the operation found, and the execution goes on by the default.
 *
 * With the parameter tries=1 it is what comes behind the steps that is of interest: when they are
 * at their end, or cannot be taken, the rest of the execution is drawn, another one each time.
 */
#include "base/text.h"
#include "strategy/shared/parameters.h"
#include "strategy/shared/sampling.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"

enum { PATIENCE = 10 }; /* interruptions by the clock at one place */

struct state {
    uint64_t next; /* index of the step to take next */
    /* The next way of a thread, as it was looked up last; see takes(). */
    uint64_t way_of, way;
    uint64_t tries, rng;
    uint64_t late_by; /* the thread that the clock interrupted last, */
    uint32_t late_at; /* before which of its events, */
    uint32_t late;    /* and how often there */
    bool drawn;       /* the rest of this execution */
};

static const char *start(struct pl_strategy_context *c)
{
    struct state *s = (struct state *)c->arena;

    return pl_parameter_number(c->settings->parameters, "tries", false, &s->tries)
               ? NULL
               : "replay takes tries=1.";
}

static void begin(struct pl_strategy_context *c, uint64_t n)
{
    struct state *s = (struct state *)c->arena;

    s->next = 0;
    s->way_of = 0;
    s->late = 0;
    s->drawn = false;
    s->rng = pl_sampling_seed(c, n);
    c->replaying = true;
    c->following = c->n_steps > 0;
}

static void diverge(struct pl_strategy_context *c, const struct pl_view *view, const char *text)
{
    struct pl_divergence *d = c->divergence;

    if (((struct state *)c->arena)->tries != 0) {
        ((struct state *)c->arena)->drawn = true;
        return;
    }
    if (d->happened)
        return;
    PL_ASSERT(((struct state *)c->arena)->next <= c->n_steps);
    d->happened = true;
    d->step = ((struct state *)c->arena)->next;
    d->actual = view->at;
    pl_text_copy(d->text, sizeof(d->text), text);
}

/* No later step can come to pass either: the rest is as if there were no schedule, so that it is
 * fair, and ends. */
static void give_up(struct pl_strategy_context *c, const struct pl_view *view, const char *text)
{
    diverge(c, view, text);
    ((struct state *)c->arena)->next = c->n_steps;
    c->following = false;
}

/* The index of the option that means thread `name`, or -1. */
static int find_target(const struct pl_view *view, uint64_t name)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->name == name)
            return (int)i;
    }
    return -1;
}

static unsigned take(struct pl_strategy_context *c, const struct pl_view *view,
                     const struct pl_step *step)
{
    if (step->op == PL_OP_NONE)
        ; /* a recording of free threads knows neither */
    else if (step->op != view->at.kind && !pl_operation_is(step->op, PL_ROLE_LATE))
        diverge(c, view, "another operation is about to happen here");
    else if (step->digest != 0 && step->digest != view->digest)
        diverge(c, view, "the operations before this one were different");
    if (step->kind == PL_CHOICE_THREAD || step->kind == PL_CHOICE_WAITER) {
        int i = find_target(view, step->target);

        if (i >= 0)
            return (unsigned)i;
        diverge(c, view, "the thread that went on here cannot go on now");
        return pl_view_unwritten(view);
    }
    if (step->taken < view->options)
        return step->taken;
    diverge(c, view, "the value chosen here is out of range now");
    return pl_view_unwritten(view);
}

/*
 * Whether the step is to be taken here.  One recorded while threads ran freely may
 * be placed at an event that is no point: then it is taken at the next that is.
 */
static bool is_here(const struct pl_step *step, const struct pl_view *view, bool stays)
{
    if (step->at != view->at.name || step->kind != view->kind)
        return false;
    /* Interrupted by the clock, a thread goes on, or what it does would depend on how busy the
     * machine is; unless it was there, or others must go on before it can get any further. */
    if (pl_operation_is(view->at.kind, PL_ROLE_LATE) && !pl_operation_is(step->op, PL_ROLE_LATE) &&
        !(stays && step->op == PL_OP_NONE))
        return false;
    if (pl_operation_is(step->op, PL_ROLE_BEGINS) != pl_operation_is(view->at.kind, PL_ROLE_BEGINS))
        return false; /* new threads begin before what is announced at the same place */
    /* Who goes on after a thread's exit is asked at the same place as whether it exits now. */
    if (pl_operation_is(view->at.kind, PL_ROLE_ENDS) && view->running >= 0 &&
        step->op == view->at.kind && step->digest != view->digest)
        return false;
    return step->ordinal == view->at.ordinal ||
           (step->op == PL_OP_NONE && step->ordinal < view->at.ordinal);
}

/*
 * Where new threads may begin: a schedule made when they ran inside of pthread_create() does not
 * say that they do, but the thread that is to take the next step has not begun.  -1: not so.
 */
static int unstarted(const struct pl_step *step, const struct pl_view *view)
{
    int i = pl_operation_is(view->at.kind, PL_ROLE_BEGINS) ? find_target(view, step->at) : -1;

    return i >= 0 && pl_operation_is(view->next[i]->kind, PL_ROLE_BEGINS) ? i : -1;
}

/* Whether the clock has interrupted the thread so often at this place that it will not leave it. */
static bool stays(struct state *s, const struct pl_view *view)
{
    if (!pl_operation_is(view->at.kind, PL_ROLE_LATE))
        return false;
    bool again = s->late_by == view->at.name && s->late_at == view->at.ordinal;

    s->late = again ? s->late + 1 : 1;
    s->late_by = view->at.name;
    s->late_at = view->at.ordinal;
    return s->late >= PATIENCE;
}

static unsigned follow(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = (struct state *)c->arena;
    bool late = stays(s, view);

    PL_ASSERT(s->next <= c->n_steps);
    c->took = false;
    if (s->next < c->n_steps) {
        const struct pl_step *step = &c->steps[s->next];

        if (is_here(step, view, late)) {
            unsigned taken = take(c, view, step);

            s->next++;
            c->took = true;
            c->following = s->next < c->n_steps;
            return taken;
        }
        if (unstarted(step, view) >= 0)
            return (unsigned)unstarted(step, view);
        if (step->at == view->at.name && step->ordinal < view->at.ordinal &&
            !pl_operation_is(view->at.kind, PL_ROLE_LATE))
            give_up(c, view, "the thread went past the place of the next choice");
    }
    if (view->running < 0 && view->options > 1)
        diverge(c, view, "a choice is due that the schedule does not have");
    return pl_view_unwritten(view);
}

static unsigned choose(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct state *s = (struct state *)c->arena;
    unsigned taken = s->drawn ? 0 : follow(c, view);

    if (s->tries == 0)
        return taken;
    if (!s->drawn && c->took)
        return taken;
    if (s->drawn || s->next >= c->n_steps) {
        s->drawn = true;
        s->next = c->n_steps;
        c->following = c->took = false;
        return pl_rng_below(&s->rng, view->options);
    }
    return taken;
}

static uint64_t wants(const struct pl_strategy_context *c, const struct pl_view *view)
{
    const struct state *s = (const struct state *)c->arena;

    if (s->drawn || s->next >= c->n_steps)
        return 0;
    return is_here(&c->steps[s->next], view, false) ? c->steps[s->next].target : view->at.name;
}

static bool takes(struct pl_strategy_context *c, const struct pl_operation *op)
{
    struct state *s = (struct state *)c->arena;

    if (s->drawn)
        return true;
    if (s->way_of != op->name || s->way < s->next) {
        s->way_of = op->name;
        s->way = s->next;
        while (s->way < c->n_steps &&
               (c->steps[s->way].at != op->name || c->steps[s->way].kind != PL_CHOICE_WAY))
            s->way++;
    }
    return s->way < c->n_steps && c->steps[s->way].ordinal == op->ordinal;
}

static bool end(struct pl_strategy_context *c, enum pl_outcome outcome, bool again)
{
    struct state *s = (struct state *)c->arena;
    struct pl_divergence *d = c->divergence;

    if (s->tries != 0)
        return true;
    /* A recording of free threads also has what the others did while the failure came about. */
    if (!d->happened && s->next < c->n_steps && c->steps[s->next].op != PL_OP_NONE) {
        d->happened = true;
        d->step = s->next;
        d->actual = (struct pl_operation){0};
        pl_text_copy(d->text, sizeof(d->text), "the execution ended before the schedule did");
    }
    return false;
}

const struct pl_strategy pl_replay = {
    .name = "replay",
    .traits = PL_TRAITS_OF_replay,
    .start = start,
    .begin = begin,
    .choose = choose,
    .takes = takes,
    .wants = wants,
    .end = end,
};
