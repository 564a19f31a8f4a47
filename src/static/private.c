/* SPDX-License-Identifier: MIT */
/*
 * See private.h.  A hook before a plain access goes if
 *
 * - every object that the access may touch is known, and no code without hooks or that may
 * interrupt a thread touches it;
 * - no other site that may conflict with it can be executed by another thread meanwhile, whether or
 *   not a lock keeps them apart: one thread has the object, or creation and join order the two, or
 *   all only read;
 * - a block of the heap that it may touch has not been freed, and the access lies within it;
 * - the loop that it is in, if there is one, cannot be taken for one that waits: a thread that goes
 *   round without a write has done so for nothing, as far as the runtime sees.  So writes stay in
 *   loops in which anything else is seen, and with them reads of what they change.
 */
#include "static/private.h"

#include "base/assert.h"
#include "model/operation.h"
#include "static/wild.h"

#include <llvm-c/Core.h>
#include <stdlib.h>

enum { FREES_MAX = 256 /* from where what follows is looked for; with more, blocks keep theirs */ };

struct finding {
    struct pl_private *to;
    const struct pl_conflicts *c;
    const struct pl_flow *flow;
    struct pl_ir *ir;
    bool *wild;         /* by object: who knows who touches it */
    bool *moving;       /* by object: it is written in a loop that may be taken for a wait */
    bool *seen, *waits; /* by function: the runtime sees something in it; it is in such a loop */
    bool *around;       /* by block: in the loop that is called after it something is seen */
    struct pl_ir_list frees; /* accesses that free */
    uint64_t **after;        /* by free: segments that can be reached from it, once asked for */
};

/* ---- accesses ---- */

static bool is_hook(const struct finding *f, uint32_t call)
{
    const struct pl_model *m = f->ir->calls[call].model;

    return m != NULL && m->does == PL_MODEL_HOOK && pl_operation_is(m->op, PL_ROLES(PLAIN));
}

static bool does(const struct finding *f, uint32_t call, bool write)
{
    uint32_t n;
    const struct pl_flow_access *a = pl_flow_accesses(f->flow, call, &n);

    for (uint32_t i = 0; i < n; i++) {
        if (write ? a[i].writes : a[i].reads)
            return true;
    }
    return false;
}

static const struct pl_solve_location *location(const struct finding *f, uint32_t number)
{
    return pl_solve_location_at(f->flow->solve, number);
}

static struct pl_solve_object *object(const struct finding *f, uint32_t location_number)
{
    return pl_solve_object_at(f->flow->solve, location(f, location_number)->object);
}

/* Whether one of the objects that the call may touch is marked. */
static bool is_among(const struct finding *f, uint32_t call, const bool *marked)
{
    uint32_t n;
    const struct pl_flow_access *a = pl_flow_accesses(f->flow, call, &n);

    for (uint32_t i = 0; i < n; i++) {
        const struct pl_solve_set *set = pl_flow_set(f->flow, a[i].node);

        for (uint32_t k = 0; k < set->n; k++) {
            if (marked[location(f, set->at[k])->object])
                return true;
        }
    }
    return false;
}

/* ---- blocks of the heap ---- */

static void find_frees(struct finding *f)
{
    for (uint32_t i = 0; i < f->flow->n_accesses; i++) {
        const struct pl_flow_access *a = &f->flow->accesses[i];
        const struct pl_model *m = f->ir->calls[a->call].model;
        bool makes = m && (m->op == PL_OP_OBJECT_INIT || m->op == PL_OP_OBJECT_DESTROY);

        if (a->life && !makes)
            pl_ir_add(&f->frees, i);
    }
    f->after = pl_err_must(calloc(f->frees.n + 1, sizeof(*f->after)));
}

/* Whether all threads that may execute the two are one. */
static bool is_one_thread(const struct finding *f, uint32_t a, uint32_t b)
{
    uint64_t in = f->ir->functions[f->ir->calls[a].function].roots |
                  f->ir->functions[f->ir->calls[b].function].roots;

    return in != 0 && (in & (in - 1)) == 0 && !f->c->threads->classes[__builtin_ctzll(in)].many;
}

/* Whether a call may be executed when the object has been freed. */
static bool may_be_freed(struct finding *f, uint32_t call, uint32_t freed)
{
    const struct pl_solve_object *o = pl_solve_object_at(f->flow->solve, freed);
    size_t words = f->ir->n_segments / 64 + 1;

    for (uint32_t i = 0; i < f->frees.n; i++) {
        const struct pl_flow_access *a = &f->flow->accesses[f->frees.at[i]];
        const struct pl_solve_set *set = pl_flow_set(f->flow, a->node);
        bool frees = false;

        for (uint32_t k = 0; k < set->n && !frees; k++)
            frees = location(f, set->at[k])->object == freed;
        if (!frees)
            continue;
        if (f->frees.n > FREES_MAX || (o->escapes && !is_one_thread(f, a->call, call)))
            return true;
        if (f->after[i] == NULL) {
            f->after[i] = pl_err_must(calloc(words, sizeof(uint64_t)));
            pl_threads_reach(f->ir, pl_ir_before(f->ir, a->call) + 1, NULL, f->after[i]);
        }
        if (pl_threads_bit(f->after[i], pl_ir_before(f->ir, call)))
            return true;
    }
    return false;
}

/* Whether what plait says about memory itself needs no look at this access. */
static bool is_sound_memory(struct finding *f, uint32_t call, const struct pl_flow_access *a,
                            uint32_t number)
{
    const struct pl_solve_location *l = location(f, number);
    const struct pl_solve_object *o = object(f, number);
    int64_t offset;

    switch ((enum pl_object_sort)o->sort) {
    case PL_OBJECT_GLOBAL_SORT:
        return true;
    case PL_OBJECT_LOCAL_SORT: /* a frame of a thread that has ended is no memory any more */
        return !o->escapes || (a->address && pl_flow_base(f->ir, a->address, &offset) == o->value);
    case PL_OBJECT_REST_SORT:
        return !o->escapes;
    case PL_OBJECT_HEAP_SORT:
        return l->stride == 0 && l->offset >= 0 && a->size > 0 &&
               l->offset + (int64_t)a->size <= o->size && !may_be_freed(f, call, l->object);
    default:
        return false;
    }
}

static bool is_private(struct finding *f, uint32_t call)
{
    uint32_t n, site = f->c->site_of[call];
    const struct pl_flow_access *a = pl_flow_accesses(f->flow, call, &n);

    if (site == PL_IR_NONE || f->c->sites[site].contested || n == 0 || is_among(f, call, f->wild))
        return false;
    for (uint32_t i = 0; i < n; i++) {
        const struct pl_solve_set *set = pl_flow_set(f->flow, a[i].node);

        if (set->n == 0)
            return false; /* no pointer that is known */
        for (uint32_t k = 0; k < set->n; k++) {
            if (!is_sound_memory(f, call, &a[i], set->at[k]))
                return false;
        }
    }
    return true;
}

/* ---- loops ---- */

/* Whether the runtime looks at the thread here, other than at a write: a loop may seem to wait. */
static bool is_seen(const struct finding *f, uint32_t call)
{
    const struct pl_ir_call *c = &f->ir->calls[call];
    uint32_t n;

    if (is_hook(f, call))
        return !f->to->off[call] && does(f, call, false);
    if (c->unknown)
        return true;
    for (uint32_t k = 0; k < c->callees.n; k++) {
        if (f->seen[c->callees.at[k]])
            return true;
    }
    if (c->model == NULL || c->model->does == PL_MODEL_FRAMES || c->model->does == PL_MODEL_ENDS)
        return false;
    pl_flow_accesses(f->flow, call, &n);
    return n > 0 || c->model->op != PL_OP_NONE;
}

static void find_seen(struct finding *f)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < f->ir->n_calls; i++) {
            uint32_t function = f->ir->calls[i].function;

            if (!f->seen[function] && is_seen(f, i))
                changed = f->seen[function] = true;
        }
    }
    for (uint32_t i = 0; i < f->ir->n_calls; i++) {
        uint32_t loop = f->ir->blocks[f->ir->calls[i].block].loop;

        if (loop != PL_IR_NONE && !f->around[loop] && is_seen(f, i))
            f->around[loop] = true;
    }
}

static bool is_in_wait(const struct finding *f, uint32_t call)
{
    uint32_t loop = f->ir->blocks[f->ir->calls[call].block].loop;

    return f->waits[f->ir->calls[call].function] || (loop != PL_IR_NONE && f->around[loop]) ||
           f->c->threads->jumps;
}

/* Take functions away that nobody left calls, or, with `down`, that call nobody left. */
static void peel(const struct finding *f, bool *left, bool down)
{
    const struct pl_ir *ir = f->ir;
    uint32_t *degree = pl_err_must(calloc(ir->n_functions + 1, sizeof(*degree)));
    struct pl_ir_list todo = {0};

    for (uint32_t i = 0; i < ir->n_calls; i++) {
        for (uint32_t k = 0; k < ir->calls[i].callees.n; k++) {
            uint32_t from = ir->calls[i].function, to = ir->calls[i].callees.at[k];

            if (left[from] && left[to])
                degree[down ? from : to]++;
        }
    }
    for (uint32_t i = 0; i < ir->n_functions; i++) {
        if (left[i] && degree[i] == 0)
            pl_ir_add(&todo, i);
    }
    while (todo.n > 0) {
        uint32_t gone = todo.at[--todo.n];
        const struct pl_ir_function *g = &ir->functions[gone];

        left[gone] = false;
        for (uint32_t c = g->first_call; !down && c < g->first_call + g->n_calls; c++) {
            for (uint32_t k = 0; k < ir->calls[c].callees.n; k++) {
                uint32_t to = ir->calls[c].callees.at[k];

                if (left[to] && --degree[to] == 0)
                    pl_ir_add(&todo, to);
            }
        }
        for (uint32_t k = 0; down && k < g->callers.n; k++) {
            uint32_t from = ir->calls[g->callers.at[k]].function;

            if (left[from] && --degree[from] == 0)
                pl_ir_add(&todo, from);
        }
    }
    free(degree);
    free(todo.at);
}

/* Functions that are called, by whatever way, in a loop in which something is seen. */
static void find_waits(struct finding *f)
{
    struct pl_ir *ir = f->ir;
    bool *left = pl_err_must(malloc(ir->n_functions + 1));

    for (uint32_t i = 0; i < ir->n_functions; i++)
        left[i] = true;
    peel(f, left, false);
    peel(f, left, true);
    for (uint32_t i = 0; i < ir->n_functions; i++)
        f->waits[i] |= left[i] && f->seen[i]; /* recursion is a loop, too */
    free(left);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < ir->n_calls; i++) {
            for (uint32_t k = 0; is_in_wait(f, i) && k < ir->calls[i].callees.n; k++) {
                if (!f->waits[ir->calls[i].callees.at[k]])
                    changed = f->waits[ir->calls[i].callees.at[k]] = true;
            }
        }
    }
}

/* Give back to loops what they are judged by. */
static void keep_for_loops(struct finding *f)
{
    find_seen(f);
    find_waits(f);
    for (uint32_t i = 0; i < f->ir->n_calls; i++) {
        if (!is_hook(f, i) || !does(f, i, true) || !is_in_wait(f, i))
            continue;
        f->to->off[i] = false;
        pl_wild_mark(f->flow, i, f->moving);
    }
    for (uint32_t i = 0; i < f->ir->n_calls; i++) {
        if (f->to->off[i] && is_in_wait(f, i) && is_among(f, i, f->moving))
            f->to->off[i] = false;
    }
}

/* ---- all of it ---- */

static void find(struct finding *f)
{
    pl_wild_find(f->c, f->wild, f->waits);
    find_frees(f);
    for (uint32_t i = 0; i < f->ir->n_calls; i++)
        f->to->off[i] = is_hook(f, i) && is_private(f, i);
    /* A thread that is alone for ever waits for nobody. */
    if (f->c->threads->n > 1 || f->flow->callbacks.n > 0)
        keep_for_loops(f);
}

/* A hook is turned off for all copies of its function or for none. */
static void settle_copies(struct finding *f)
{
    const struct pl_ir *ir = f->ir;
    bool *on = pl_err_must(calloc(ir->n_numbers + 1, sizeof(*on)));

    for (uint32_t i = 0; i < ir->n_calls; i++) {
        if (ir->calls[i].number < ir->n_numbers && !f->to->off[i] &&
            ir->functions[ir->calls[i].function].live)
            on[ir->calls[i].number] = true;
    }
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        if (ir->calls[i].number < ir->n_numbers && on[ir->calls[i].number])
            f->to->off[i] = false;
    }
    free(on);
}

void pl_private_find(struct pl_private *p, const struct pl_conflicts *c)
{
    struct pl_ir *ir = c->ir;
    uint32_t n_objects = pl_solve_n_objects(c->flow->solve);
    struct finding f = {.to = p, .c = c, .flow = c->flow, .ir = ir};

    *p = (struct pl_private){.off = pl_err_must(calloc(ir->n_calls + 1, sizeof(bool)))};
    f.wild = pl_err_must(calloc(n_objects + 1, sizeof(bool)));
    f.moving = pl_err_must(calloc(n_objects + 1, sizeof(bool)));
    f.seen = pl_err_must(calloc(ir->n_functions + 1, sizeof(bool)));
    f.waits = pl_err_must(calloc(ir->n_functions + 1, sizeof(bool)));
    f.around = pl_err_must(calloc(ir->n_blocks + 1, sizeof(bool)));
    if (!c->cut) /* what is beyond the cut has not been looked at */
        find(&f);
    if (ir->n_copies > 0)
        settle_copies(&f);
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        p->n_hooks += is_hook(&f, i);
        p->n_off += p->off[i];
    }
    for (uint32_t i = 0; f.after && i < f.frees.n; i++)
        free(f.after[i]);
    free(f.after);
    free(f.frees.at);
    free(f.wild);
    free(f.moving);
    free(f.seen);
    free(f.waits);
    free(f.around);
}
