/* SPDX-License-Identifier: MIT */
/* See plan.h. */
#include "strategy/shared/plan.h"

#include "base/claimed.h"
#include "base/hash.h"
#include "strategy/shared/view.h"

#define NOWHERE UINT64_MAX

static uint64_t place(uint64_t name, uint32_t ordinal, uint8_t kind)
{
    return pl_hash_mix(name ^ ((uint64_t)ordinal << 8) ^ kind);
}

/* The stop of a thread, or the free one that it would get: there are more than threads. */
static struct pl_plan_stop *stop_of(struct pl_plan *plan, uint64_t name)
{
    PL_ASSERT(plan->n_stops < PL_PLAN_STOPS); /* there is a free slot */
    return pl_claimed_slot(PL_CLAIMED_ALONE(plan->stops), pl_hash_mix(name), name);
}

/* The first step of each thread. */
static void note_stops(struct pl_plan *plan)
{
    for (unsigned i = 0; i < PL_PLAN_STOPS; i++)
        plan->stops[i].name = 0;
    plan->n_stops = 0;
    for (uint64_t i = 0; i < plan->n && plan->n_stops < PL_THREADS_MAX; i++) {
        const struct pl_step *step = &plan->steps[i];
        struct pl_plan_stop *stop = stop_of(plan, step->at);

        if (step->kind != PL_CHOICE_THREAD || stop->name != 0)
            continue;
        *stop = (struct pl_plan_stop){step->at, step->ordinal};
        plan->n_stops++;
    }
}

/* Steps at the same place are found in the order of the plan. */
static void build_index(struct pl_plan *plan)
{
    uint32_t size = 16;

    PL_ASSERT(plan->n <= PL_MINIMAL_CHOICES);
    while (size < 2 * plan->n)
        size *= 2;
    PL_ASSERT(size <= 2 * PL_MINIMAL_CHOICES);
    for (uint32_t i = 0; i < size; i++)
        plan->slots[i] = 0;
    pl_table_start(&plan->table, plan->slots, size, size);
    for (uint32_t i = 0; i < plan->n; i++) {
        const struct pl_step *s = &plan->steps[i];

        pl_table_add(&plan->table, place(s->at, s->ordinal, s->kind), i);
        plan->used[i] = 0;
    }
    plan->execution = 0;
    plan->from = plan->to = 0;
    if (plan->faithful)
        note_stops(plan);
}

bool pl_plan_read(struct pl_plan *plan, const struct pl_step *steps, uint64_t n)
{
    if (n > PL_MINIMAL_CHOICES)
        return false;
    plan->n = 0;
    for (uint64_t i = 0; i < n; i++) {
        if (!pl_operation_is(steps[i].op, PL_ROLE_BEGINS)) /* new threads begin by themselves */
            plan->steps[plan->n++] = steps[i];
    }
    plan->faithful = true;
    build_index(plan);
    return true;
}

void pl_plan_adopt(struct pl_plan *plan, const struct pl_kept *kept, bool faithful)
{
    plan->n = 0;
    plan->faithful = faithful;
    for (uint64_t i = 0; i < kept->n_choices; i++) {
        const struct pl_choice *c = &kept->choices[i];

        if (c->is_default || (c->options < 2 && !faithful) ||
            pl_operation_is(c->op, PL_ROLE_BEGINS))
            continue; /* what was no choice is needed only where it might be one now */
        PL_ASSERT(c->tid < kept->n_threads);
        PL_ASSERT(c->target < kept->n_threads || c->target == PL_TID_NONE);
        plan->steps[plan->n++] = (struct pl_step){
            .at = kept->threads[c->tid].name,
            .target = c->target == PL_TID_NONE ? 0 : kept->threads[c->target].name,
            .digest = c->digest,
            .ordinal = c->ordinal,
            .taken = c->taken,
            .kind = c->kind,
            .op = c->op,
        };
    }
    build_index(plan);
}

void pl_plan_begin(struct pl_plan *plan, pl_tid n_threads)
{
    plan->n_old = n_threads;
    plan->cursor = 0;
    plan->execution++;
    PL_ASSERT(plan->execution > 0); /* 0 is what has not been taken */
}

/* Whether the thread of a step goes on after it. */
static bool comes_again(const struct pl_plan *plan, uint64_t i)
{
    uint64_t name = plan->steps[i].at;

    for (uint64_t k = i + 1; k < plan->n; k++) {
        if (plan->steps[k].at == name || plan->steps[k].target == name)
            return true;
    }
    return false;
}

/*
 * Whether a step is to be taken before the operation announced at its place.  Who goes on after a
 * thread's exit is asked where it was asked whether the thread exits now.  As long as the execution
 * is the one that the plan was made from, the digest tells them apart; later, a thread that had not
 * exited is one that comes again.
 */
static bool comes_before(const struct pl_plan *plan, uint64_t i, uint64_t digest)
{
    const struct pl_step *s = &plan->steps[i];

    return !pl_operation_is(s->op, PL_ROLE_ENDS) || s->digest == digest || comes_again(plan, i);
}

/*
 * The step at the place where this operation is announced, unless it was taken.  `before`: the
 * operation has not happened.  Afterwards the last step of the place is the one.
 */
static uint64_t find(const struct pl_plan *plan, const struct pl_operation *at, uint8_t kind,
                     uint64_t digest, bool before)
{
    uint64_t found = NOWHERE;

    PL_TABLE_EACH(i, &plan->table, place(at->name, at->ordinal, kind))
    {
        const struct pl_step *s = &plan->steps[i];

        PL_ASSERT(i < plan->n);

        if (s->at != at->name || s->ordinal != at->ordinal || s->kind != kind ||
            plan->used[i] == plan->execution)
            continue;
        if (!pl_operation_is(at->kind, PL_ROLE_ENDS) || (before && comes_before(plan, i, digest)))
            return i;
        if (!before)
            found = i;
    }
    return found;
}

static int find_thread(const struct pl_view *view, uint64_t name)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->name == name)
            return (int)i;
    }
    return -1;
}

static bool is_left_out(const struct pl_plan *plan, uint64_t i)
{
    return i >= plan->from && i < plan->to;
}

/* Nothing is planned here.  Who must move on for the next step to come? */
static unsigned toward_next(const struct pl_plan *plan, const struct pl_view *view)
{
    uint64_t next = plan->cursor;

    if (view->kind != PL_CHOICE_THREAD || (view->running >= 0 && !view->next[view->running]->early))
        return pl_view_default(view);
    while (next < plan->n && is_left_out(plan, next))
        next++;
    int i = next < plan->n ? find_thread(view, plan->steps[next].at) : -1;

    return i >= 0 && pl_view_is_usual(view, (unsigned)i) ? (unsigned)i : pl_view_default(view);
}

/* A new thread that has stopped sooner than it did when the plan was made, or -1. */
static int newcomer(struct pl_plan *plan, const struct pl_view *view)
{
    for (unsigned i = 0; view->kind == PL_CHOICE_THREAD && i < view->options; i++) {
        const struct pl_operation *op = view->next[i];

        const struct pl_plan_stop *stop = stop_of(plan, op->name);

        /* One that has no step at all went on to the end. */
        if (op->tid >= plan->n_old && (stop->name == 0 || op->ordinal < stop->ordinal))
            return (int)i;
    }
    return -1;
}

static bool is_stop(struct pl_plan *plan, const struct pl_step *step)
{
    const struct pl_plan_stop *stop = stop_of(plan, step->at);

    return stop->name == step->at && stop->ordinal == step->ordinal;
}

/*
 * A newcomer has come to its stop, and its creator would go on.  That is at a
 * point already, where the newcomer went before it: it is not asked again, so its
 * own step there is taken now.
 */
static unsigned pass_on(struct pl_plan *plan, const struct pl_view *view, unsigned option)
{
    for (unsigned n = 0; n < view->options; n++) {
        uint64_t i = find(plan, view->next[option], PL_CHOICE_THREAD, view->digest, true);
        int target = i != NOWHERE ? find_thread(view, plan->steps[i].target) : -1;

        if (target < 0)
            break;
        PL_ASSERT(plan->used[i] != plan->execution);
        plan->used[i] = plan->execution;
        plan->cursor = i + 1;
        option = (unsigned)target;
    }
    return option;
}

bool pl_plan_takes(const struct pl_plan *plan, const struct pl_operation *op)
{
    return !plan->faithful || find(plan, op, PL_CHOICE_WAY, 0, true) != NOWHERE;
}

unsigned pl_plan_choose(struct pl_plan *plan, const struct pl_view *view)
{
    int new = plan->faithful ? newcomer(plan, view) : -1;
    uint64_t i =
        new < 0 ? find(plan, &view->at, view->kind, view->digest, view->running >= 0) : NOWHERE;

    if (new >= 0)
        return (unsigned)new;
    if (i == NOWHERE)
        return toward_next(plan, view);
    const struct pl_step *step = &plan->steps[i];

    plan->used[i] = plan->execution;
    plan->cursor = i + 1;
    if (is_left_out(plan, i))
        return toward_next(plan, view);
    if (step->kind == PL_CHOICE_THREAD || step->kind == PL_CHOICE_WAITER) {
        int target = find_thread(view, step->target);

        if (target < 0)
            return toward_next(plan, view);
        return plan->faithful && view->at.tid >= plan->n_old && is_stop(plan, step)
                   ? pass_on(plan, view, (unsigned)target)
                   : (unsigned)target;
    }
    return step->taken < view->options ? step->taken : 0;
}
