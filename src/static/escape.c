/* SPDX-License-Identifier: MIT */
/*
 * Which objects other threads may get hold of: those that globals, unknown code, or what threads
 * are handed or return lead to.  And which there is one of: what is made by code that runs once.
 */
#include "static/conflicts.h"

#include <stdlib.h>

static void come(const struct pl_flow *f, uint32_t node, bool *seen, struct pl_ir_list *todo)
{
    const struct pl_solve_set *set = pl_flow_set(f, node);

    for (uint32_t i = 0; i < set->n; i++) {
        uint32_t object = pl_solve_location_at(f->solve, set->at[i])->object;

        if (!seen[object])
            pl_ir_add(todo, object);
        seen[object] = true;
    }
}

/* What memory of the listed objects leads to. */
static void go_on(const struct pl_flow *f, bool *seen, struct pl_ir_list *todo)
{
    while (todo->n > 0) {
        const struct pl_solve_object *o = pl_solve_object_at(f->solve, todo->at[--todo->n]);

        for (uint32_t k = 0; k < o->cells.n; k++)
            come(f, pl_solve_cell_node(f->solve, o->cells.at[k]), seen, todo);
    }
}

void pl_flow_reach(const struct pl_flow *f, uint32_t node, bool *seen)
{
    struct pl_ir_list todo = {0};

    come(f, node, seen, &todo);
    go_on(f, seen, &todo);
    free(todo.at);
}

static void find_unique(const struct pl_flow *f)
{
    for (uint32_t i = 0; i < pl_solve_n_objects(f->solve); i++) {
        struct pl_solve_object *o = pl_solve_object_at(f->solve, i);
        const struct pl_ir *ir = f->ir;

        if (o->sort == PL_OBJECT_LOCAL_SORT)
            o->unique = !ir->functions[o->function].many;
        if (o->sort != PL_OBJECT_HEAP_SORT)
            continue;
        uint32_t call = o->caller != PL_IR_NONE ? o->caller : o->call;

        o->unique = !ir->calls[o->call].looped && !ir->calls[call].looped &&
                    !ir->functions[ir->calls[call].function].many;
    }
}

void pl_conflicts_escape(const struct pl_threads *threads)
{
    const struct pl_flow *f = threads->flow;
    uint32_t n = pl_solve_n_objects(f->solve);
    bool *seen = pl_err_must(calloc(n + 1, sizeof(*seen)));
    struct pl_ir_list todo = {0};

    find_unique(f);
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_solve_object *o = pl_solve_object_at(f->solve, i);

        seen[i] = (o->sort == PL_OBJECT_GLOBAL_SORT && !o->own) || o->sort == PL_OBJECT_WORLD_SORT;
        if (seen[i])
            pl_ir_add(&todo, i);
    }
    go_on(f, seen, &todo);
    free(todo.at);
    pl_flow_reach(f, f->world, seen);
    pl_flow_reach(f, f->returned, seen);
    for (uint32_t i = 0; i < f->n_threads; i++)
        pl_flow_reach(f, f->arguments[f->threads[i].function], seen);
    for (uint32_t i = 0; i < n; i++)
        pl_solve_object_at(f->solve, i)->escapes |= seen[i];
    free(seen);
}
