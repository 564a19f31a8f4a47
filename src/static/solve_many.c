/* SPDX-License-Identifier: MIT */
/*
 * What is done when sets grow too large: all pointers that may point to more than so many locations
 * become one, the *many*, and so does all memory that they point to.  Nothing is told apart there:
 * what is loaded from the many is the many, what is moved on stays where it is, and what is stored
 * is in it.  So each pointer and each object comes to it once, and the rest takes time in
 * proportion (Steensgaard 1996).  What few things lead to stays as exact as before.
 *
 * Nodes are not joined where they are found, since somebody may be going through their lists, but
 * between two steps of the fixpoint.
 */
#include "base/assert.h"
#include "static/solve_inner.h"

#include <stdlib.h>

enum {
    MOST = 256, /* locations of a pointer that is not one of the many, at first */
    NARROWER = 4,
};

const struct pl_solve_set *pl_solve_groups(const struct pl_solve *s, uint32_t node)
{
    return pl_solve_find(s, node) == s->many ? &s->many_set : pl_solve_set(s, node);
}

uint32_t pl_solve_group(const struct pl_solve *s, uint32_t location)
{
    uint32_t object = s->locations[location].object;

    return s->objects[object].many ? s->locations[s->many_location].object : object;
}

bool pl_solve_meet(const struct pl_solve *s, uint32_t a, uint32_t a_size, uint32_t b,
                   uint32_t b_size)
{
    if (s->most != 0 && (a == s->many_location || b == s->many_location))
        return pl_solve_group(s, a) == pl_solve_group(s, b);
    return pl_solve_overlap(&s->locations[a], a_size, &s->locations[b], b_size);
}

void pl_solve_blend(struct pl_solve *s, uint32_t node)
{
    pl_ir_add(&s->blended, node);
}

void pl_solve_take_in(struct pl_solve *s, uint32_t location)
{
    uint32_t object = s->locations[location].object;

    if (s->objects[object].many)
        return;
    s->objects[object].many = true;
    pl_ir_add(&s->taken, object);
}

void pl_solve_absorb(struct pl_solve *s, uint32_t rule)
{
    const struct rule *r = &s->rules[rule];

    switch ((enum rule_kind)r->kind) {
    case RULE_OFFSET:
    case RULE_INDEX:
    case RULE_LOAD:
        pl_solve_blend(s, r->node);
        break;
    case RULE_STORE:
    case RULE_SPILL:
        pl_solve_copy(s, r->node, s->many);
        break;
    case RULE_CALL:
        pl_ir_add(&s->many_calls, rule);
        for (uint32_t i = 0; i < s->called.n; i++)
            s->found(s->context, s->rules[rule].node, s->called.at[i]);
        break;
    }
}

/* What an object is part of from now on. */
static void take(struct pl_solve *s, uint32_t object)
{
    struct pl_solve_object *o = &s->objects[object];
    uint32_t all = pl_solve_location(s, object, 0, 1), cells[CELLS_MAX];

    o = &s->objects[object];
    s->work += o->cells.n + 1;
    pl_solve_add(&s->nodes[s->many].all, all);
    if (o->sort == PL_OBJECT_FUNCTION_SORT || (o->sort == PL_OBJECT_WORLD_SORT && !o->sealed)) {
        pl_ir_add(&s->called, object);
        for (uint32_t i = 0; i < s->many_calls.n; i++)
            s->found(s->context, s->rules[s->many_calls.at[i]].node, object);
    }
    o = &s->objects[object];
    if (o->sort == PL_OBJECT_FUNCTION_SORT)
        return;
    if (o->constant) { /* it has what it had; all of it may be loaded */
        PL_ASSERT(pl_solve_cells(s, all, -1, cells) == 1);
        pl_solve_copy(s, s->cells[cells[0]].loaded, s->many);
        return;
    }
    for (uint32_t i = 0; i < o->cells.n; i++) {
        pl_solve_blend(s, s->cells[o->cells.at[i]].stored);
        pl_solve_blend(s, s->cells[o->cells.at[i]].loaded);
    }
    pl_ir_add(&o->cells, s->many_cell);
}

/* The node becomes the many. */
static void blend(struct pl_solve *s, uint32_t number)
{
    uint32_t n = pl_solve_find(s, number);

    if (n == s->many)
        return;
    struct node was = s->nodes[n];

    s->nodes[n] = (struct node){.parent = s->many, .queued = was.queued};
    s->work += was.all.n + was.copies.n + was.rules.n + 1;
    for (uint32_t i = 0; i < was.all.n; i++)
        pl_solve_take_in(s, was.all.at[i]);
    for (uint32_t i = 0; i < was.copies.n; i++)
        pl_solve_blend(s, was.copies.at[i]);
    for (uint32_t i = 0; i < was.rules.n; i++)
        pl_solve_absorb(s, was.rules.at[i]);
    free(was.all.at);
    free(was.fresh.at);
    free(was.copies.at);
    free(was.rules.at);
}

void pl_solve_mix(struct pl_solve *s)
{
    while (s->blended.n > 0 || s->taken.n > 0) {
        if (s->blended.n > 0)
            blend(s, s->blended.at[--s->blended.n]);
        else
            take(s, s->taken.at[--s->taken.n]);
    }
}

bool pl_solve_is_too_much(const struct pl_solve *s, uint32_t n)
{
    return s->most != 0 && n != s->many && s->nodes[n].all.n > s->most;
}

static void make_many(struct pl_solve *s)
{
    uint32_t object = pl_solve_object(s, (struct pl_solve_object){.sort = PL_OBJECT_MANY_SORT,
                                                                  .many = true,
                                                                  .escapes = true,
                                                                  .function = PL_IR_NONE,
                                                                  .call = PL_IR_NONE,
                                                                  .caller = PL_IR_NONE,
                                                                  .size = -1});

    s->many_location = pl_solve_location(s, object, 0, 1);
    pl_solve_add(&s->many_set, s->many_location);
    s->many = pl_solve_node(s);
    s->many_cell = s->n_cells;
    GROW(s, cells);
    s->cells[s->n_cells++] =
        (struct cell){.stored = s->many, .loaded = s->many, .at = s->locations[s->many_location]};
    pl_ir_add(&s->objects[object].cells, s->many_cell);
}

void pl_solve_narrow(struct pl_solve *s)
{
    if (s->most == 0)
        make_many(s);
    s->most = s->most == 0 ? MOST : s->most > NARROWER ? s->most / NARROWER : 1;
    for (uint32_t i = 0; i < s->n_nodes; i++) {
        if (pl_solve_find(s, i) == i && pl_solve_is_too_much(s, i))
            pl_solve_blend(s, i);
    }
    pl_solve_mix(s);
}
