/* SPDX-License-Identifier: MIT */
/* See locks.h. */
#include "static/locks.h"

#include "base/assert.h"
#include "model/operation.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

enum { GIVES_MAX = 128, ROUNDS = 4 };

/* ---- locks of a function by number ---- */

/* PL_LOCKS_MAX: there is no room, and it counts as not held. */
static unsigned intern(struct pl_locks_function *f, struct pl_locks_lock lock)
{
    for (uint32_t i = 0; i < f->n; i++) {
        const struct pl_locks_lock *k = &f->list[i];

        if (k->object == lock.object && k->value == lock.value && k->offset == lock.offset &&
            k->shared == lock.shared)
            return i;
    }
    if (f->n == PL_LOCKS_MAX)
        return PL_LOCKS_MAX;
    if (f->list == NULL)
        f->list = pl_err_must(calloc(PL_LOCKS_MAX, sizeof(*f->list)));
    f->list[f->n] = lock;
    return f->n++;
}

static uint64_t bit_of(unsigned number)
{
    return number < PL_LOCKS_MAX ? UINT64_C(1) << number : 0;
}

static LLVMValueRef lock_argument(const struct pl_ir_call *c)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(c->inst); i++) {
        if (pl_model_letter(c->model, i) == 'o')
            return LLVMGetOperand(c->inst, i);
    }
    return NULL;
}

/* The lock that a call takes, in both forms. */
static uint64_t taken_by(const struct pl_locks *l, uint32_t call)
{
    const struct pl_ir_call *c = &l->ir->calls[call];
    struct pl_locks_function *f = &l->functions[c->function];
    LLVMValueRef address = lock_argument(c);
    uint32_t node = l->flow->objects[call];
    struct pl_locks_lock lock = {.object = PL_IR_NONE,
                                 .node = node,
                                 .shared = pl_operation_is(c->model->op, PL_ROLES(SHARES))};
    uint64_t bits;

    if (address == NULL || node == PL_IR_NONE)
        return 0;
    lock.value = pl_flow_base(l->ir, address, &lock.offset);
    bits = bit_of(intern(f, lock));
    const struct pl_solve_set *set = pl_flow_set(l->flow, node);

    if (set->n == 1) {
        const struct pl_solve_location *at = pl_solve_location_at(l->flow->solve, set->at[0]);
        const struct pl_solve_object *o = pl_solve_object_at(l->flow->solve, at->object);

        if (at->stride == 0 && o->unique && !o->own) {
            lock.object = at->object;
            lock.value = NULL;
            lock.offset = at->offset;
            bits |= bit_of(intern(f, lock));
        }
    }
    return bits;
}

/* ---- what is given back ---- */

static bool may_be(const struct pl_locks *l, const struct pl_locks_lock *lock, uint32_t group)
{
    const struct pl_solve_set *set = pl_solve_groups(l->flow->solve, lock->node);

    for (uint32_t i = 0; i < set->n; i++) {
        if (pl_solve_group(l->flow->solve, set->at[i]) == group)
            return true;
    }
    return set->n == 0; /* nothing is known of it */
}

/* Those of the function's locks that may be one of the objects a pointer points into. */
static uint64_t aliases(const struct pl_locks *l, uint32_t function, uint32_t node)
{
    const struct pl_locks_function *f = &l->functions[function];
    const struct pl_solve_set *set = pl_solve_groups(l->flow->solve, node);
    uint64_t bits = 0;

    if (set->n == 0)
        return UINT64_MAX;
    for (uint32_t k = 0; k < f->n; k++) {
        for (uint32_t i = 0; i < set->n && (bits >> k & 1) == 0; i++)
            bits |= (uint64_t)may_be(l, &f->list[k], pl_solve_group(l->flow->solve, set->at[i]))
                    << k;
    }
    return bits;
}

static void add_given(struct pl_locks_function *f, uint32_t group)
{
    if (f->gives.n >= GIVES_MAX)
        f->gives_all = true;
    else
        pl_ir_add_new(&f->gives, group);
}

/* Objects whose locks a function gives back itself. */
static void find_given(struct pl_locks *l, uint32_t function)
{
    const struct pl_ir_function *g = &l->ir->functions[function];
    struct pl_locks_function *f = &l->functions[function];

    for (uint32_t c = g->first_call; c < g->first_call + g->n_calls; c++) {
        const struct pl_model *m = l->ir->calls[c].model;
        const struct pl_solve_set *set = NULL;

        if (m != NULL && m->does == PL_MODEL_UNLOCKS && l->flow->objects[c] != PL_IR_NONE)
            set = pl_solve_groups(l->flow->solve, l->flow->objects[c]);
        else if (l->ir->calls[c].unknown)
            set = pl_solve_groups(l->flow->solve, l->flow->world);
        for (uint32_t i = 0; set && i < set->n; i++)
            add_given(f, pl_solve_group(l->flow->solve, set->at[i]));
        f->gives_all |= set && set->n == 0;
    }
}

/* And those that its callees do. */
static void spread_given(struct pl_locks *l)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < l->ir->n_functions; i++) {
            struct pl_locks_function *from = &l->functions[i];

            for (uint32_t k = 0; k < l->ir->functions[i].callers.n; k++) {
                uint32_t caller = l->ir->calls[l->ir->functions[i].callers.at[k]].function;
                struct pl_locks_function *to = &l->functions[caller];
                uint32_t before = to->gives.n + to->gives_all;

                to->gives_all |= from->gives_all;
                for (uint32_t o = 0; !to->gives_all && o < from->gives.n; o++)
                    add_given(to, from->gives.at[o]);
                changed |= to->gives.n + to->gives_all != before;
            }
        }
    }
}

/* ---- from caller to callee and back ---- */

/* The argument and the distance that a value of the caller is handed on with; -1: not at all. */
static int argument_of(const struct pl_ir *ir, LLVMValueRef inst, LLVMValueRef value,
                       int64_t *distance)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(inst); i++) {
        LLVMValueRef argument = LLVMGetOperand(inst, i);

        if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
            pl_flow_base(ir, argument, distance) == value)
            return (int)i;
    }
    return -1;
}

/* What is held at a call, as the callee knows it. */
static uint64_t hand_down(const struct pl_locks *l, uint32_t call, uint32_t callee, uint64_t held)
{
    const struct pl_ir_call *c = &l->ir->calls[call];
    const struct pl_locks_function *from = &l->functions[c->function];
    LLVMValueRef g = l->ir->functions[callee].value;
    uint64_t bits = 0;

    for (uint32_t k = 0; k < from->n; k++) {
        struct pl_locks_lock lock = from->list[k];
        int64_t distance = 0;

        if ((held >> k & 1) == 0)
            continue;
        if (lock.object == PL_IR_NONE) {
            int i = LLVMIsAConstant(lock.value)
                        ? -2
                        : argument_of(l->ir, c->inst, lock.value, &distance);

            if (i == -1 || (i >= 0 && (unsigned)i >= LLVMCountParams(g)))
                continue;
            if (i >= 0) {
                lock.value = LLVMGetParam(g, (unsigned)i);
                lock.offset -= distance;
            }
        }
        bits |= bit_of(intern(&l->functions[callee], lock));
    }
    return bits;
}

/* What a callee has taken and still holds, as the caller knows it. */
static uint64_t hand_up(const struct pl_locks *l, uint32_t call, uint32_t callee)
{
    const struct pl_ir_call *c = &l->ir->calls[call];
    const struct pl_locks_function *from = &l->functions[callee];
    LLVMValueRef g = l->ir->functions[callee].value;
    uint64_t bits = 0;

    for (uint32_t k = 0; k < from->n; k++) {
        struct pl_locks_lock lock = from->list[k];

        if ((from->gains >> k & 1) == 0)
            continue;
        if (lock.object == PL_IR_NONE && !LLVMIsAConstant(lock.value)) {
            unsigned i = 0, n = LLVMCountParams(g);
            int64_t distance;

            while (i < n && LLVMGetParam(g, i) != lock.value)
                i++;
            if (i == n || i >= LLVMGetNumArgOperands(c->inst))
                continue;
            lock.value = pl_flow_base(l->ir, LLVMGetOperand(c->inst, i), &distance);
            lock.offset += distance;
        }
        bits |= bit_of(intern(&l->functions[c->function], lock));
    }
    return bits;
}

/* ---- the flow through a function ---- */

static uint64_t through_call(const struct pl_locks *l, uint32_t call, uint64_t held)
{
    const struct pl_ir_call *c = &l->ir->calls[call];
    const struct pl_locks_function *f = &l->functions[c->function];

    if (c->model != NULL && c->model->does == PL_MODEL_LOCKS)
        return held | taken_by(l, call);
    if (c->model != NULL && c->model->does == PL_MODEL_UNLOCKS)
        return held & ~aliases(l, c->function, l->flow->objects[call]);
    if (c->model != NULL && c->model->does == PL_MODEL_LANDS)
        return 0; /* whoever jumps there may have given them back */
    if (c->unknown)
        held &= ~aliases(l, c->function, l->flow->world);
    uint64_t gained = UINT64_MAX;

    for (uint32_t k = 0; k < c->callees.n; k++) {
        const struct pl_locks_function *g = &l->functions[c->callees.at[k]];

        if (g->gives_all)
            held = 0;
        for (uint32_t o = 0; o < g->gives.n; o++) {
            for (uint32_t i = 0; i < f->n; i++) {
                if (may_be(l, &f->list[i], g->gives.at[o]))
                    held &= ~(UINT64_C(1) << i);
            }
        }
    }
    for (uint32_t k = 0; k < c->callees.n; k++)
        gained &= hand_up(l, call, c->callees.at[k]);
    if (c->callees.n > 0 && !c->unknown && c->model == NULL)
        held |= gained;
    return held;
}

/* A value that is computed anew is another one: what was known by it is not any more. */
static uint64_t forget(const struct pl_locks_function *f, LLVMValueRef inst, uint64_t held)
{
    for (uint32_t k = 0; k < f->n; k++) {
        if (f->list[k].value != NULL && pl_flow_depends(f->list[k].value, inst))
            held &= ~(UINT64_C(1) << k);
    }
    return held;
}

static uint64_t through_block(const struct pl_locks *l, uint32_t block, uint64_t held, bool note)
{
    const struct pl_ir_block *b = &l->ir->blocks[block];
    const struct pl_locks_function *f = &l->functions[b->function];
    uint32_t call = b->first_call;

    for (LLVMValueRef i = LLVMGetFirstInstruction(b->block); i; i = LLVMGetNextInstruction(i)) {
        held = forget(f, i, held);
        if ((LLVMGetInstructionOpcode(i) != LLVMCall &&
             LLVMGetInstructionOpcode(i) != LLVMInvoke) ||
            !pl_ir_is_call(i))
            continue;
        if (note)
            l->held[call] = held;
        held = through_call(l, call++, held);
    }
    return held;
}

static void meet(uint64_t *in, bool *known, uint32_t at, uint64_t held, struct pl_ir_list *todo,
                 uint32_t block)
{
    uint64_t now = known[at] ? in[at] & held : held;

    if (known[at] && now == in[at])
        return;
    known[at] = true;
    in[at] = now;
    pl_ir_add(todo, block);
}

/* To the fixpoint; returns what is held wherever it returns. */
static uint64_t flow_through(const struct pl_locks *l, uint32_t function, uint64_t entry, bool note)
{
    const struct pl_ir_function *g = &l->ir->functions[function];
    uint64_t *in = pl_err_must(calloc(g->n_blocks + 1, sizeof(*in)));
    bool *known = pl_err_must(calloc(g->n_blocks + 1, sizeof(*known)));
    struct pl_ir_list todo = {0};
    uint64_t out = UINT64_MAX;

    meet(in, known, 0, entry, &todo, g->first_block);
    while (todo.n > 0) {
        uint32_t block = todo.at[--todo.n];
        const struct pl_ir_block *b = &l->ir->blocks[block];
        uint64_t held = through_block(l, block, in[block - g->first_block], false);

        for (uint32_t k = 0; k < b->n_next; k++) {
            uint32_t to = l->ir->nexts[b->first_next + k];

            meet(in, known, to - g->first_block, held, &todo, to);
        }
        if (b->n_calls > 0) {
            uint32_t to = l->ir->calls[b->first_call + b->n_calls - 1].unwinds;

            if (to != PL_IR_NONE)
                meet(in, known, to - g->first_block, held & in[block - g->first_block], &todo, to);
        }
    }
    for (uint32_t k = 0; k < g->n_blocks; k++) {
        uint32_t block = g->first_block + k;

        if (!known[k])
            continue;
        uint64_t held = through_block(l, block, in[k], note);

        if (l->ir->blocks[block].leaves || l->ir->blocks[block].resumes)
            out &= held;
    }
    free(in);
    free(known);
    free(todo.at);
    return out == UINT64_MAX ? 0 : out;
}

/* ---- all functions ---- */

static void enter(struct pl_locks *l, uint32_t function, uint64_t held, struct pl_ir_list *todo)
{
    struct pl_locks_function *f = &l->functions[function];
    uint64_t now = f->reached ? f->entry & held : held;

    if (f->reached && now == f->entry)
        return;
    f->reached = true;
    f->entry = now;
    pl_ir_add(todo, function);
}

/* From where threads begin down to all that they call. */
static void go_down(struct pl_locks *l)
{
    struct pl_ir_list todo = {0};

    for (uint32_t i = 0; i < l->threads->n; i++) {
        if (l->threads->classes[i].function != PL_IR_NONE)
            enter(l, l->threads->classes[i].function, 0, &todo);
    }
    for (uint32_t i = 0; i < l->flow->n_threads; i++)
        enter(l, l->flow->threads[i].function, 0, &todo);
    for (uint32_t i = 0; i < l->flow->callbacks.n; i++)
        enter(l, l->flow->callbacks.at[i], 0, &todo);
    for (uint32_t i = 0; i < l->ir->starts.n; i++)
        enter(l, l->ir->starts.at[i], 0, &todo);
    while (todo.n > 0) {
        uint32_t i = todo.at[--todo.n];
        const struct pl_ir_function *g = &l->ir->functions[i];

        flow_through(l, i, l->functions[i].entry, true);
        for (uint32_t c = g->first_call; c < g->first_call + g->n_calls; c++) {
            for (uint32_t k = 0; k < l->ir->calls[c].callees.n; k++) {
                uint32_t callee = l->ir->calls[c].callees.at[k];

                enter(l, callee, hand_down(l, c, callee, l->held[c]), &todo);
            }
        }
    }
    free(todo.at);
}

void pl_locks_find(struct pl_locks *l, const struct pl_threads *threads)
{
    *l = (struct pl_locks){.threads = threads, .flow = threads->flow, .ir = threads->ir};
    l->functions = pl_err_must(calloc(l->ir->n_functions + 1, sizeof(*l->functions)));
    l->held = pl_err_must(calloc(l->ir->n_calls + 1, sizeof(*l->held)));
    for (uint32_t i = 0; i < l->ir->n_functions; i++)
        find_given(l, i);
    spread_given(l);
    /* From nothing upwards: what is not known yet is not gained. */
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (uint32_t i = 0; i < l->ir->n_functions; i++)
            l->functions[i].gains = flow_through(l, i, 0, false);
    }
    go_down(l);
}

/* ---- two calls ---- */

/* Whether both know the lock by the same object, or at the same distance from what they access. */
static bool is_same(const struct pl_locks_lock *x, LLVMValueRef x_base, int64_t x_offset,
                    const struct pl_locks_lock *y, LLVMValueRef y_base, int64_t y_offset,
                    bool aligned)
{
    if (x->shared && y->shared)
        return false;
    if (x->object != PL_IR_NONE || y->object != PL_IR_NONE)
        return x->object == y->object && x->offset == y->offset;
    return aligned && x_base != NULL && y_base != NULL && x->value == x_base &&
           y->value == y_base && x->offset - x_offset == y->offset - y_offset;
}

static bool is_broken(const struct pl_locks *l, const struct pl_locks_lock *lock)
{
    const struct pl_solve_set *set = pl_solve_groups(l->flow->solve, lock->node);

    for (uint32_t i = 0; i < set->n; i++) {
        const struct pl_solve_location *at = pl_solve_location_at(l->flow->solve, set->at[i]);

        if (pl_solve_object_at(l->flow->solve, at->object)->broken)
            return true;
    }
    return false;
}

bool pl_locks_exclude(const struct pl_locks *l, uint32_t a, LLVMValueRef a_at, uint32_t a_size,
                      uint32_t b, LLVMValueRef b_at, uint32_t b_size,
                      const struct pl_locks_lock **by)
{
    const struct pl_locks_function *f = &l->functions[l->ir->calls[a].function];
    const struct pl_locks_function *g = &l->functions[l->ir->calls[b].function];
    int64_t a_offset = 0, b_offset = 0;
    LLVMValueRef a_base = a_at ? pl_flow_base(l->ir, a_at, &a_offset) : NULL;
    LLVMValueRef b_base = b_at ? pl_flow_base(l->ir, b_at, &b_offset) : NULL;
    /* Accesses of one size that overlap begin at one address, as compilers lay memory out. */
    bool aligned = a_size == b_size && a_size > 0 && (a_size & (a_size - 1)) == 0;

    for (uint32_t i = 0; i < f->n; i++) {
        for (uint32_t k = 0; k < g->n; k++) {
            if ((l->held[a] >> i & 1) == 0 || (l->held[b] >> k & 1) == 0 ||
                !is_same(&f->list[i], a_base, a_offset, &g->list[k], b_base, b_offset, aligned) ||
                is_broken(l, &f->list[i]) || is_broken(l, &g->list[k]))
                continue;
            if (by)
                *by = &f->list[i];
            return true;
        }
    }
    return false;
}
