/* SPDX-License-Identifier: MIT */
/*
 * See rank.h.  A pair is in the list if nothing speaks against it; whether it can come true depends
 * on what the analysis knows least about:
 *
 * - which object it is: one for sure, one of a few, or whatever many pointers lead to;
 * - whether a thread is still alive, if where it is joined was not found;
 * - locks whose identity is not known, where both hold some.
 *
 * Objects of synchronisation are there to be met by several threads, so their pairs mostly are
 * real, and so are those of elements of one array.  Handlers of signals come seldom, though they
 * may come anywhere.
 */
#include "static/rank.h"

#include "base/assert.h"

#include <stdlib.h>

enum { FEW = 2, SOME = 8 };
/* What a pair begins with, */
enum { SURE = 60, MEETING = 50, OF_FEW = 45, OF_SOME = 30, OF_MANY = 20 };
/* and what is taken from it. */
enum { IF_LOCKED = 20, IF_HANDLED = 15, IF_ENDED = 15 };

struct ranking {
    const struct pl_conflicts *c;
    uint8_t *objects; /* by site: how many it may touch, up to SOME + 1; 0: one that is one only */
    bool *handlers;   /* by function: only handlers of signals and the like lead to it */
    uint64_t endless; /* classes of threads of which it is not known where they have ended */
};

static bool is_memory(unsigned kind)
{
    return kind == PL_PAIR_RW || kind == PL_PAIR_ATOMIC || kind == PL_PAIR_LIFE;
}

static void count_objects(struct ranking *r)
{
    const struct pl_conflicts *c = r->c;

    for (uint32_t i = 0; i < c->n_sites; i++) {
        uint32_t seen[SOME + 1], n = 0;

        for (uint32_t k = 0; k < c->sites[i].n && n <= SOME; k++) {
            uint32_t location = c->touches[c->sites[i].first + k].location;
            uint32_t object = pl_solve_location_at(c->flow->solve, location)->object, j = 0;

            while (j < n && seen[j] != object)
                j++;
            if (j == n)
                seen[n++] = object;
        }
        bool unique = n == 1 && pl_solve_object_at(c->flow->solve, seen[0])->unique;

        r->objects[i] = (uint8_t)(unique ? 0 : n);
        if (n > 0 && pl_solve_object_at(c->flow->solve, seen[0])->sort == PL_OBJECT_MANY_SORT)
            r->objects[i] = SOME + 1;
    }
}

/* Functions that are called by nobody but those that come at any time. */
static void find_handlers(struct ranking *r)
{
    const struct pl_ir *ir = r->c->ir;
    struct pl_ir_list todo = {0};

    for (uint32_t i = 0; i < ir->anytime.n; i++)
        pl_ir_add(&todo, ir->anytime.at[i]);
    while (todo.n > 0) {
        uint32_t f = todo.at[--todo.n];
        const struct pl_ir_function *of = &ir->functions[f];
        bool only = !r->handlers[f] && f != ir->main;

        for (uint32_t k = 0; k < of->callers.n && only; k++)
            only = r->handlers[ir->calls[of->callers.at[k]].function];
        for (uint32_t k = 0; k < r->c->threads->n && only; k++)
            only = r->c->threads->classes[k].function != f;
        if (!only)
            continue;
        r->handlers[f] = true;
        for (uint32_t k = of->first_call; k < of->first_call + of->n_calls; k++) {
            for (uint32_t j = 0; j < ir->calls[k].callees.n; j++)
                pl_ir_add(&todo, ir->calls[k].callees.at[j]);
        }
    }
    free(todo.at);
}

/* Threads that nobody joins are alive for ever: that is known as well. */
static void find_endless(struct ranking *r)
{
    const struct pl_ir *ir = r->c->ir;
    bool joins = false;

    for (uint32_t i = 0; i < ir->n_calls; i++) {
        const struct pl_ir_call *c = &ir->calls[i];

        joins |=
            c->model != NULL && c->model->does == PL_MODEL_JOINS && ir->functions[c->function].live;
    }
    for (uint32_t i = 1; joins && i < r->c->threads->n; i++) {
        if (r->c->threads->classes[i].others || pl_threads_joined(r->c->threads, i) == PL_IR_NONE)
            r->endless |= UINT64_C(1) << i;
    }
}

/* Whether one side is the main thread's alone, and the other may have ended by then. */
static bool may_have_ended(const struct ranking *r, const struct pl_conflicts_pair *p)
{
    return (p->roots_a == 1 && (p->roots_b & ~r->endless) == 0) ||
           (p->roots_b == 1 && (p->roots_a & ~r->endless) == 0);
}

/* The location of lock k of a function, if it is one for sure; PL_IR_NONE. */
static uint32_t lock_at(const struct pl_conflicts *c, const struct pl_locks_function *f, uint32_t k)
{
    const struct pl_solve_set *set = pl_flow_set(c->flow, f->list[k].node);

    if (set->n != 1)
        return PL_IR_NONE;
    const struct pl_solve_location *l = pl_solve_location_at(c->flow->solve, set->at[0]);

    return l->stride == 0 && pl_solve_object_at(c->flow->solve, l->object)->unique ? set->at[0]
                                                                                   : PL_IR_NONE;
}

/* Whether both hold a lock that may be the same, though it was not taken to order them. */
static bool may_be_locked(const struct pl_conflicts *c, uint32_t a, uint32_t b)
{
    const struct pl_locks_function *f = &c->locks->functions[c->ir->calls[a].function];
    const struct pl_locks_function *g = &c->locks->functions[c->ir->calls[b].function];

    for (uint32_t i = 0; i < f->n; i++) {
        for (uint32_t k = 0; (c->locks->held[a] >> i & 1) != 0 && k < g->n; k++) {
            uint32_t x = lock_at(c, f, i), y = lock_at(c, g, k);

            if ((c->locks->held[b] >> k & 1) != 0 && (x == y || x == PL_IR_NONE || y == PL_IR_NONE))
                return true;
        }
    }
    return false;
}

static uint16_t rank_of(const struct ranking *r, const struct pl_conflicts_pair *p)
{
    const struct pl_conflicts *c = r->c;
    uint32_t a = c->sites[p->a].call, b = c->sites[p->b].call;
    unsigned objects = r->objects[p->a] > r->objects[p->b] ? r->objects[p->a] : r->objects[p->b];
    unsigned rank = p->must                               ? SURE
                    : !is_memory(p->kind) || objects == 0 ? MEETING
                    : objects <= FEW                      ? OF_FEW
                    : objects <= SOME                     ? OF_SOME
                                                          : OF_MANY;

    if (is_memory(p->kind) && may_be_locked(c, a, b))
        rank -= IF_LOCKED;
    else if (is_memory(p->kind) && may_have_ended(r, p))
        rank -= IF_ENDED;
    if (r->handlers[c->ir->calls[a].function] || r->handlers[c->ir->calls[b].function])
        rank = rank > IF_HANDLED ? rank - IF_HANDLED : 0;
    return (uint16_t)rank;
}

uint16_t *pl_rank_pairs(const struct pl_conflicts *c)
{
    struct ranking r = {.c = c};
    uint16_t *ranks = pl_err_must(calloc(c->n_pairs + 1, sizeof(*ranks)));

    r.objects = pl_err_must(calloc(c->n_sites + 1, sizeof(*r.objects)));
    r.handlers = pl_err_must(calloc(c->ir->n_functions + 1, sizeof(*r.handlers)));
    count_objects(&r);
    find_handlers(&r);
    find_endless(&r);
    for (uint32_t i = 0; i < c->n_pairs; i++)
        ranks[i] = rank_of(&r, &c->pairs[i]);
    free(r.objects);
    free(r.handlers);
    return ranks;
}
