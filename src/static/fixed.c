/* SPDX-License-Identifier: MIT */
/*
 * See fixed.h.  A computation is known by a hash of its structure, so that two loads of the same
 * field through the same pointer, at different lines, are one.
 *
 * A load is settled if its address is and nobody writes there, or frees it, while a thread that has
 * it is alive: no thread of the same class, none that such a thread creates, and no other one
 * that may run beside it.  Then it gives what was there when the thread was created.
 */
#include "static/fixed.h"

#include "base/hash.h"
#include "model/operation.h"
#include "static/wild.h"

#include <llvm-c/Core.h>
#include <stdlib.h>

enum {
    DEPTH_MAX = 24,   /* of a computation */
    WRITES_MAX = 256, /* to an object that are looked at: one with more is taken to change */
    SIZE_MAX_FIXED = 8
};

struct finding {
    const struct pl_conflicts *c;
    struct pl_flow *flow;
    struct pl_ir *ir;
    bool *wild;                /* by object */
    bool *anytime;             /* by function */
    struct pl_ir_list *writes; /* by object: accesses */
    struct pl_ir_map *steady;  /* loads that were asked about: 0 or 1 */
    struct pl_ir_map *bases;
    uint32_t n_bases;
    uint32_t call; /* the statement that is looked at */
};

/* A computation; key 0: it is not settled. */
struct computed {
    uint64_t key;
    int64_t offset;
};

static struct computed compute(struct finding *f, LLVMValueRef v, unsigned depth);

static const void *as_key(uint64_t hash)
{
    return (const void *)(uintptr_t)hash;
}

/* ---- memory that does not change ---- */

static void find_writes(struct finding *f)
{
    for (uint32_t i = 0; i < f->flow->n_accesses; i++) {
        const struct pl_flow_access *a = &f->flow->accesses[i];

        if (!a->writes || !f->ir->functions[f->ir->calls[a->call].function].live)
            continue;
        const struct pl_solve_set *set = pl_flow_set(f->flow, a->node);

        for (uint32_t k = 0; k < set->n; k++) {
            struct pl_ir_list *of =
                &f->writes[pl_solve_location_at(f->flow->solve, set->at[k])->object];

            if (of->n <= WRITES_MAX && (of->n == 0 || of->at[of->n - 1] != i))
                pl_ir_add(of, i);
        }
    }
}

/* Whether threads of class x may be among those who have created class y. */
static bool may_descend(const struct pl_threads *t, unsigned y, unsigned x)
{
    for (unsigned n = 0; n < PL_THREADS_CLASSES && y != 0; n++) {
        if (t->classes[y].parent == PL_IR_NONE || t->classes[y].others)
            return true;
        y = t->classes[y].parent;
        if (y == x)
            return true;
    }
    return x == 0 || y != 0;
}

/* Whether call w may be executed while a thread that executes the statement is alive. */
static bool may_come(const struct finding *f, uint32_t w)
{
    const struct pl_threads *t = f->c->threads;
    uint64_t in = f->ir->functions[f->ir->calls[f->call].function].roots;
    uint64_t other = f->ir->functions[f->ir->calls[w].function].roots;

    if (in == 0 || other == 0 || (in & other) != 0)
        return true;
    for (unsigned x = 0; x < t->n; x++) {
        if ((in >> x & 1) == 0)
            continue;
        if (t->classes[x].others)
            return true;
        for (unsigned y = 0; y < t->n; y++) {
            if ((other >> y & 1) != 0 &&
                ((y != 0 && may_descend(t, y, x)) || pl_threads_parallel(t, x, f->call, y, w)))
                return true;
        }
    }
    return false;
}

static bool is_steady_at(const struct finding *f, uint32_t location, uint32_t size)
{
    const struct pl_solve *solve = f->flow->solve;
    const struct pl_solve_location *l = pl_solve_location_at(solve, location);
    const struct pl_solve_object *o = pl_solve_object_at(solve, l->object);
    const struct pl_ir_list *writes = &f->writes[l->object];

    if (o->constant && o->sort == PL_OBJECT_GLOBAL_SORT)
        return true;
    if (f->wild[l->object] || o->own || !o->escapes || o->sort > PL_OBJECT_HEAP_SORT ||
        writes->n > WRITES_MAX)
        return false;
    for (uint32_t i = 0; i < writes->n; i++) {
        const struct pl_flow_access *a = &f->flow->accesses[writes->at[i]];
        const struct pl_solve_set *set = pl_flow_set(f->flow, a->node);
        bool meets = false;

        for (uint32_t k = 0; k < set->n && !meets; k++)
            meets = pl_solve_overlap(pl_solve_location_at(solve, set->at[k]), a->life ? 0 : a->size,
                                     l, size);
        if ((meets || a->life) && may_come(f, a->call))
            return false;
    }
    return true;
}

static bool is_steady(struct finding *f, LLVMValueRef address, uint32_t size)
{
    uint32_t node = pl_flow_node(f->flow, address);
    const struct pl_solve_set *set = pl_flow_set(f->flow, node);
    uint64_t roots = f->ir->functions[f->ir->calls[f->call].function].roots;
    const void *key = as_key(pl_hash_add(pl_hash_add(roots, node), size) | 1);
    uint32_t known = pl_ir_map_get(f->steady, key);
    bool steady = set->n > 0;

    if (known != PL_IR_NONE)
        return known != 0;
    for (uint32_t i = 0; i < set->n && steady; i++)
        steady = is_steady_at(f, set->at[i], size);
    pl_ir_map_set(f->steady, key, steady);
    return steady;
}

/* ---- computations ---- */

/* Whether the library, or code that is not known, may call the function. */
static bool is_called_back(const struct finding *f, uint32_t function)
{
    return function == f->ir->main || f->anytime[function] ||
           pl_ir_has(&f->flow->lasts, function) || pl_ir_has(&f->flow->foreign, function) ||
           pl_ir_has(&f->ir->starts, function) || pl_ir_has(&f->ir->finals, function);
}

/* Whether threads begin with the function. */
static bool begins(const struct finding *f, uint32_t function)
{
    const struct pl_threads *t = f->c->threads;

    for (unsigned i = 1; i < t->n; i++) {
        if (t->classes[i].function == function)
            return true;
    }
    return false;
}

/* What the one who calls a function hands it, or who creates the thread. */
static struct computed parameter(struct finding *f, LLVMValueRef v, unsigned depth)
{
    LLVMValueRef parent = LLVMGetParamParent(v);
    uint32_t function = pl_ir_function_of(f->ir, parent);
    unsigned i = 0;

    while (i < LLVMCountParams(parent) && LLVMGetParam(parent, i) != v)
        i++;
    if (function == PL_IR_NONE || is_called_back(f, function))
        return (struct computed){0};
    const struct pl_ir_function *g = &f->ir->functions[function];

    if (begins(f, function))
        return (struct computed){.key = g->callers.n == 0 ? pl_hash_add(1, i) | 1 : 0};
    if (g->taken || g->callers.n != 1)
        return (struct computed){0};
    LLVMValueRef call = f->ir->calls[g->callers.at[0]].inst;

    if (LLVMGetNumArgOperands(call) <= i)
        return (struct computed){0};
    return compute(f, LLVMGetOperand(call, i), depth + 1);
}

static bool is_arithmetic(LLVMOpcode op)
{
    return op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMUDiv || op == LLVMSDiv ||
           op == LLVMURem || op == LLVMSRem || op == LLVMShl || op == LLVMLShr || op == LLVMAShr ||
           op == LLVMAnd || op == LLVMOr || op == LLVMXor || op == LLVMTrunc || op == LLVMZExt ||
           op == LLVMSExt || op == LLVMSelect || op == LLVMICmp || op == LLVMGetElementPtr;
}

/* The same is computed from the same. */
static struct computed combine(struct finding *f, LLVMValueRef v, LLVMOpcode op, unsigned depth)
{
    uint64_t h = pl_hash_add(pl_hash_add(2, op), (uintptr_t)LLVMTypeOf(v));

    if (op == LLVMICmp)
        h = pl_hash_add(h, LLVMGetICmpPredicate(v));
    if (op == LLVMGetElementPtr)
        h = pl_hash_add(h, (uintptr_t)LLVMGetGEPSourceElementType(v));
    for (int i = 0; i < LLVMGetNumOperands(v); i++) {
        struct computed of = compute(f, LLVMGetOperand(v, (unsigned)i), depth + 1);

        if (of.key == 0)
            return of;
        h = pl_hash_add(pl_hash_add(h, of.key), (uint64_t)of.offset);
    }
    return (struct computed){.key = h | 1};
}

static struct computed load(struct finding *f, LLVMValueRef v, unsigned depth)
{
    LLVMValueRef address = LLVMGetOperand(v, 0);
    uint64_t size = LLVMABISizeOfType(f->ir->layout, LLVMTypeOf(v));

    if (LLVMGetVolatile(v) || LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic || size == 0 ||
        size > SIZE_MAX_FIXED)
        return (struct computed){0};
    struct computed from = compute(f, address, depth + 1);

    if (from.key == 0 || !is_steady(f, address, (uint32_t)size))
        return (struct computed){0};
    return (struct computed){
        .key = pl_hash_add(pl_hash_add(pl_hash_add(3, from.key), (uint64_t)from.offset), size) | 1};
}

static struct computed compute(struct finding *f, LLVMValueRef v, unsigned depth)
{
    LLVMOpcode op = pl_flow_opcode(v);
    int64_t by = 0, stride = 0;

    if (depth > DEPTH_MAX || LLVMIsUndef(v))
        return (struct computed){0};
    if (LLVMIsAArgument(v))
        return parameter(f, v, depth);
    if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64)
        return (struct computed){.key = pl_hash_add(4, LLVMConstIntGetZExtValue(v)) | 1};
    if (LLVMIsAConstantPointerNull(v))
        return (struct computed){.key = 5};
    if (LLVMIsAGlobalVariable(v) && !LLVMIsThreadLocal(v))
        return (struct computed){.key = pl_hash_add(6, (uintptr_t)v) | 1};
    if (pl_flow_is_cast(op))
        return compute(f, LLVMGetOperand(v, 0), depth + 1);
    if (op == LLVMGetElementPtr)
        pl_flow_address(f->ir, v, &by, &stride);
    if (op == LLVMGetElementPtr && stride == 0) {
        struct computed of = compute(f, LLVMGetOperand(v, 0), depth + 1);

        of.offset += by;
        return of;
    }
    if (op == LLVMLoad)
        return load(f, v, depth);
    return is_arithmetic(op) ? combine(f, v, op, depth) : (struct computed){0};
}

/* ---- statements ---- */

/* The address that a statement is about, if that is one and of a known size; or NULL. */
static LLVMValueRef address_of(const struct finding *f, uint32_t call)
{
    const struct pl_ir_call *k = &f->ir->calls[call];
    uint32_t n;
    const struct pl_flow_access *a = pl_flow_accesses(f->flow, call, &n);

    if (k->model == NULL || f->flow->mutexes[call] != PL_IR_NONE)
        return NULL;
    if (k->model->does == PL_MODEL_HOOK)
        return n == 1 && k->model->size > 0 && k->model->size <= SIZE_MAX_FIXED ? a[0].address
                                                                                : NULL;
    if (n > 0 || f->flow->objects[call] == PL_IR_NONE ||
        !pl_operation_is(k->model->op, PL_ROLES(ACQUIRES, RELEASES)))
        return NULL;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(k->inst); i++) {
        if (pl_model_letter(k->model, i) == 'o')
            return LLVMGetOperand(k->inst, i);
    }
    return NULL;
}

static struct pl_fixed_place place_of(struct finding *f, uint32_t call)
{
    static const struct pl_fixed_place none = {.base = PL_IR_NONE};
    LLVMValueRef address = address_of(f, call);

    f->call = call;
    if (address == NULL)
        return none;
    struct computed of = compute(f, address, 0);

    if (of.key == 0 || of.offset != (int32_t)of.offset)
        return none;
    uint32_t base = pl_ir_map_get(f->bases, as_key(of.key));

    if (base == PL_IR_NONE) {
        base = f->n_bases++;
        pl_ir_map_set(f->bases, as_key(of.key), base);
    }
    return (struct pl_fixed_place){.base = base, .offset = (int32_t)of.offset};
}

/* Copies of a function have its numbers: all of them must have the same address. */
static void note(struct pl_fixed_place *of, struct pl_fixed_place place, bool *seen)
{
    if (*seen && (of->base != place.base || of->offset != place.offset))
        of->base = PL_IR_NONE;
    else if (!*seen)
        *of = place;
    *seen = true;
}

static void find(struct finding *f, struct pl_fixed_place *places)
{
    bool *seen = pl_err_must(calloc(f->ir->n_numbers + 1, sizeof(*seen)));

    find_writes(f);
    for (uint32_t i = 0; i < f->ir->n_calls; i++) {
        uint32_t number = f->ir->calls[i].number, site = f->c->site_of[i];

        if (number < f->ir->n_numbers && site != PL_IR_NONE && f->c->sites[site].paired)
            note(&places[number], place_of(f, i), &seen[number]);
        else if (number < f->ir->n_numbers && site != PL_IR_NONE)
            note(&places[number], (struct pl_fixed_place){.base = PL_IR_NONE}, &seen[number]);
    }
    free(seen);
}

struct pl_fixed_place *pl_fixed_find(const struct pl_conflicts *c)
{
    struct finding f = {.c = c, .flow = (struct pl_flow *)c->flow, .ir = c->ir};
    uint32_t n_objects = pl_solve_n_objects(c->flow->solve);

    if (c->ir->by_place || c->flow->coarse)
        return NULL;
    struct pl_fixed_place *places = pl_err_must(calloc(c->ir->n_numbers + 1, sizeof(*places)));

    for (uint32_t i = 0; i <= c->ir->n_numbers; i++)
        places[i].base = PL_IR_NONE;
    f.wild = pl_err_must(calloc(n_objects + 1, sizeof(bool)));
    f.anytime = pl_err_must(calloc(c->ir->n_functions + 1, sizeof(bool)));
    f.writes = pl_err_must(calloc(n_objects + 1, sizeof(*f.writes)));
    f.steady = pl_ir_map_make();
    f.bases = pl_ir_map_make();
    pl_wild_find(c, f.wild, f.anytime);
    find(&f, places);
    for (uint32_t i = 0; i < n_objects; i++)
        free(f.writes[i].at);
    free(f.writes);
    free(f.wild);
    free(f.anytime);
    pl_ir_map_free(f.steady);
    pl_ir_map_free(f.bases);
    return places;
}
