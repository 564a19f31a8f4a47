/* SPDX-License-Identifier: MIT */
/* See threads.h. */
#include "static/threads.h"

#include "base/assert.h"
#include "model/operation.h"
#include "static/loops.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* ---- who calls whom ---- */

static void find_callers(struct pl_ir *ir)
{
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        bool live = ir->functions[ir->calls[i].function].live;

        for (uint32_t k = 0; live && k < ir->calls[i].callees.n; k++)
            pl_ir_add_new(&ir->functions[ir->calls[i].callees.at[k]].callers, i);
    }
}

/* Whether a call may return: of a function that never does, it does not. */
static void find_returns(struct pl_ir *ir)
{
    bool *returns = pl_err_must(calloc(ir->n_functions + 1, sizeof(*returns)));

    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < ir->n_functions; i++) {
            const struct pl_ir_function *f = &ir->functions[i];
            uint64_t *seen = NULL;
            struct pl_ir_list todo = {0};

            if (returns[i])
                continue;
            seen = pl_err_must(calloc(f->n_blocks / 64 + 1, sizeof(*seen)));
            pl_ir_add(&todo, f->first_block);
            while (todo.n > 0 && !returns[i]) {
                uint32_t b = todo.at[--todo.n];
                const struct pl_ir_block *block = &ir->blocks[b];
                bool through = true;

                if (pl_threads_bit(seen, b - f->first_block))
                    continue;
                seen[(b - f->first_block) / 64] |= UINT64_C(1) << ((b - f->first_block) % 64);
                for (uint32_t c = block->first_call;
                     through && c < block->first_call + block->n_calls; c++) {
                    const struct pl_ir_call *call = &ir->calls[c];
                    bool some = call->callees.n == 0 || call->unknown || call->model != NULL;

                    for (uint32_t k = 0; k < call->callees.n; k++)
                        some |= returns[call->callees.at[k]];
                    if (call->unwinds != PL_IR_NONE)
                        pl_ir_add(&todo, call->unwinds);
                    through = some && (call->callees.n > 0 || call->returns);
                }
                for (uint32_t k = 0; through && k < block->n_next; k++)
                    pl_ir_add(&todo, ir->nexts[block->first_next + k]);
                returns[i] = through && (block->leaves || block->resumes);
            }
            changed |= returns[i];
            free(seen);
            free(todo.at);
        }
    }
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        struct pl_ir_call *c = &ir->calls[i];
        bool some = c->callees.n == 0 || c->unknown || c->model != NULL;

        for (uint32_t k = 0; k < c->callees.n; k++)
            some |= returns[c->callees.at[k]];
        if (c->callees.n > 0 || c->model == NULL)
            c->returns = some && c->returns;
    }
    free(returns);
}

/* ---- joins ---- */

/* The one location that an address is, of an array any element; -1: not one. */
static uint32_t any_location(const struct pl_flow *f, LLVMValueRef address)
{
    const struct pl_solve_set *set = pl_flow_set(f, pl_flow_node((struct pl_flow *)f, address));

    if (set->n != 1)
        return PL_IR_NONE;
    const struct pl_solve_location *l = pl_solve_location_at(f->solve, set->at[0]);
    const struct pl_solve_object *o = pl_solve_object_at(f->solve, l->object);
    bool fixed = o->sort == PL_OBJECT_LOCAL_SORT || o->sort == PL_OBJECT_GLOBAL_SORT;

    return fixed && !o->own ? set->at[0] : PL_IR_NONE;
}

uint32_t pl_threads_location(const struct pl_flow *f, LLVMValueRef address)
{
    uint32_t location = any_location(f, address);

    if (location == PL_IR_NONE || pl_solve_location_at(f->solve, location)->stride != 0)
        return PL_IR_NONE;
    return location;
}

static bool is_join(const struct pl_ir_call *c)
{
    return c->model != NULL && c->model->does == PL_MODEL_JOINS &&
           c->model->op == PL_OP_THREAD_JOIN;
}

/* Where the thread that a join is for was noted: the memory that its name was loaded from; NULL. */
static LLVMValueRef joined_address(const struct pl_ir_call *c)
{
    LLVMValueRef name = LLVMGetOperand(c->inst, 0);

    if (strncmp(c->model->name, "_Z", 2) == 0)
        return name;
    while (LLVMIsAInstruction(name) && (LLVMGetInstructionOpcode(name) == LLVMBitCast ||
                                        LLVMGetInstructionOpcode(name) == LLVMIntToPtr ||
                                        LLVMGetInstructionOpcode(name) == LLVMPtrToInt))
        name = LLVMGetOperand(name, 0);
    if (!LLVMIsAInstruction(name) || LLVMGetInstructionOpcode(name) != LLVMLoad)
        return NULL;
    return LLVMGetOperand(name, 0);
}

static uint32_t joined_location(const struct pl_flow *f, const struct pl_ir_call *c)
{
    LLVMValueRef address = joined_address(c);

    return address ? pl_threads_location(f, address) : PL_IR_NONE;
}

/* Whether an access of the call may write to this location. */
static bool writes(const struct pl_flow *f, const struct pl_flow_access *a, uint32_t location)
{
    const struct pl_solve_set *set = pl_solve_groups(f->solve, a->node);

    for (uint32_t i = 0; a->writes && i < set->n; i++) {
        if (pl_solve_meet(f->solve, set->at[i], a->size, location, 8))
            return true;
    }
    return false;
}

/* Whether nothing but this call ever changes what is noted there: no store without a hook, either.
 */
static bool is_noted_once(const struct pl_flow *f, uint32_t location, uint32_t create)
{
    const struct pl_solve_location *l = pl_solve_location_at(f->solve, location);
    const struct pl_solve_set *world = pl_flow_set(f, f->world);

    for (uint32_t i = 0; i < world->n; i++) {
        if (pl_solve_location_at(f->solve, world->at[i])->object == l->object)
            return false;
    }
    for (uint32_t i = 0; i < f->n_accesses; i++) {
        const struct pl_flow_access *a = &f->accesses[i];

        if (a->call != create && writes(f, a, location))
            return false;
    }
    for (uint32_t i = 0; i < f->ir->n_blocks; i++) {
        for (LLVMValueRef s = LLVMGetFirstInstruction(f->ir->blocks[i].block); s;
             s = LLVMGetNextInstruction(s)) {
            if (LLVMGetInstructionOpcode(s) != LLVMStore)
                continue;
            struct pl_flow_access a = {
                .node = pl_flow_node((struct pl_flow *)f, LLVMGetOperand(s, 1)),
                .size =
                    (uint32_t)LLVMABISizeOfType(f->ir->layout, LLVMTypeOf(LLVMGetOperand(s, 0))),
                .writes = true};

            if (writes(f, &a, location))
                return false;
        }
    }
    return true;
}

/* Calls that return only once the thread of this class, of which there is one, has ended. */
static void find_single_joins(const struct pl_threads *t, const struct pl_threads_class *k,
                              struct pl_threads_ends *ends)
{
    const struct pl_ir *ir = t->ir;
    /* A local of a function that may be called again is another one then. */
    uint32_t noted = pl_threads_location(t->flow, LLVMGetOperand(ir->calls[k->create].inst, 0));

    if (noted == PL_IR_NONE || !is_noted_once(t->flow, noted, k->create))
        return;
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        if (is_join(&ir->calls[i]) && joined_location(t->flow, &ir->calls[i]) == noted)
            pl_ir_add(&ends->calls, i);
    }
}

/*
 * Threads that a loop creates, each noted in an element of an array, have all ended behind a loop
 * that joins as many elements of it; unless the first loop can be come to again before that, when
 * it would note others there.
 */
static void find_loop_joins(const struct pl_threads *t, const struct pl_threads_class *k,
                            struct pl_threads_ends *ends, uint32_t *first)
{
    const struct pl_ir *ir = t->ir;
    const struct pl_ir_call *create = &ir->calls[k->create];
    LLVMValueRef at = LLVMGetOperand(create->inst, 0);
    uint32_t noted = any_location(t->flow, at);
    struct pl_loop creating, joining;

    if (ir->functions[create->function].many || noted == PL_IR_NONE ||
        !pl_loops_of(at, &creating) || !is_noted_once(t->flow, noted, k->create))
        return;
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        const struct pl_ir_call *c = &ir->calls[i];
        LLVMValueRef from = is_join(c) ? joined_address(c) : NULL;
        uint32_t after = PL_IR_NONE;

        if (from != NULL && c->function == create->function && pl_loops_alike(at, from) &&
            pl_loops_of(from, &joining) && pl_loops_within(&creating, &joining) &&
            pl_loops_always(&joining, ir->blocks[c->block].block))
            after = pl_ir_block_of(ir, joining.after);
        if (after == PL_IR_NONE)
            continue;
        pl_ir_add_new(&ends->blocks, after);
        *first = *first == PL_IR_NONE ? i : *first;
    }
    uint32_t outside = ends->blocks.n > 0 ? pl_ir_block_of(ir, creating.outside) : PL_IR_NONE;
    uint64_t *bits = pl_err_must(calloc(ir->n_segments / 64 + 1, sizeof(*bits)));

    if (outside != PL_IR_NONE)
        pl_threads_reach(ir, pl_ir_before(ir, k->create) + 1, ends, bits);
    if (outside == PL_IR_NONE ||
        pl_threads_bit(bits, ir->blocks[outside].segment + ir->blocks[outside].n_calls))
        ends->blocks.n = 0;
    free(bits);
}

/* Where the threads of this class have all ended; returns a call that joins one, or PL_IR_NONE. */
static uint32_t find_joins(const struct pl_threads *t, const struct pl_threads_class *k,
                           struct pl_threads_ends *ends)
{
    uint32_t first = PL_IR_NONE;

    if (LLVMGetNumArgOperands(t->ir->calls[k->create].inst) == 0)
        return PL_IR_NONE;
    if (!k->many) {
        find_single_joins(t, k, ends);
        return ends->calls.n > 0 ? ends->calls.at[0] : PL_IR_NONE;
    }
    find_loop_joins(t, k, ends, &first);
    return ends->blocks.n > 0 ? first : PL_IR_NONE;
}

/* ---- jumps ---- */

/* Where setjmp() goes on if it has been jumped to: it is not 0 then, which a branch may ask. */
static uint32_t landing_of(const struct pl_ir *ir, uint32_t call)
{
    const struct pl_ir_call *c = &ir->calls[call];
    const struct pl_ir_block *b = &ir->blocks[c->block];
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b->block);
    LLVMValueRef condition =
        end && LLVMGetInstructionOpcode(end) == LLVMBr && LLVMIsConditional(end)
            ? LLVMGetCondition(end)
            : NULL;
    uint32_t after = pl_ir_before(ir, call) + 1;

    if (condition == NULL || call + 1 != b->first_call + b->n_calls ||
        !LLVMIsAICmpInst(condition) || LLVMGetOperand(condition, 0) != c->inst ||
        !LLVMIsNull(LLVMGetOperand(condition, 1)))
        return after;
    LLVMIntPredicate asks = LLVMGetICmpPredicate(condition);

    if (asks != LLVMIntEQ && asks != LLVMIntNE)
        return after;
    /* The first successor is where it goes if the condition holds. */
    uint32_t to = pl_ir_block_of(ir, LLVMGetSuccessor(end, asks == LLVMIntEQ ? 1 : 0));

    return to != PL_IR_NONE ? ir->blocks[to].segment : after;
}

/* What can be come to from there in its function may be executed again. */
static void mark_again(struct pl_ir *ir, uint32_t landing)
{
    uint32_t first = pl_threads_block(ir, landing);
    const struct pl_ir_function *f = &ir->functions[ir->blocks[first].function];
    bool *seen = pl_err_must(calloc(f->n_blocks + 1, sizeof(*seen)));
    struct pl_ir_list todo = {0};

    pl_ir_add(&todo, first);
    while (todo.n > 0) {
        const struct pl_ir_block *b = &ir->blocks[todo.at[--todo.n]];

        if (seen[b - &ir->blocks[f->first_block]])
            continue;
        seen[b - &ir->blocks[f->first_block]] = true;
        for (uint32_t c = b->first_call; c < b->first_call + b->n_calls; c++) {
            ir->calls[c].looped = true;
            if (ir->calls[c].unwinds != PL_IR_NONE)
                pl_ir_add(&todo, ir->calls[c].unwinds);
        }
        for (uint32_t k = 0; k < b->n_next; k++)
            pl_ir_add(&todo, ir->nexts[b->first_next + k]);
    }
    free(seen);
    free(todo.at);
}

/* Those of cancellation, which cleanup handlers of C are made of, are jumped to as well. */
static void find_landings(struct pl_ir *ir)
{
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        if (ir->calls[i].model != NULL && ir->calls[i].model->does == PL_MODEL_LANDS)
            pl_ir_add_new(&ir->landings, landing_of(ir, i));
    }
    for (uint32_t i = 0; i < ir->landings.n; i++)
        mark_again(ir, ir->landings.at[i]);
}

/* ---- classes ---- */

static void run_in(struct pl_ir *ir, uint32_t root, unsigned class)
{
    struct pl_ir_list todo = {0};
    uint64_t bit = UINT64_C(1) << class;

    pl_ir_add(&todo, root);
    while (todo.n > 0) {
        uint32_t i = todo.at[--todo.n];
        struct pl_ir_function *f = &ir->functions[i];

        if ((f->roots & bit) != 0)
            continue;
        f->roots |= bit;
        f->live = true;
        for (uint32_t c = f->first_call; c < f->first_call + f->n_calls; c++) {
            for (uint32_t k = 0; k < ir->calls[c].callees.n; k++)
                pl_ir_add(&todo, ir->calls[c].callees.at[k]);
        }
    }
    free(todo.at);
}

/* Which functions may be called more than once in an execution. */
static void find_many(struct pl_threads *t)
{
    struct pl_ir *ir = t->ir;
    uint8_t *times = pl_err_must(calloc(ir->n_functions + 1, sizeof(*times)));

    for (uint32_t i = 0; i < t->flow->callbacks.n; i++)
        times[t->flow->callbacks.at[i]] = 2;
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < ir->n_functions; i++) {
            unsigned n = times[i] >= 2 ? 2 : 0;
            const struct pl_ir_function *f = &ir->functions[i];

            n += i == ir->main || pl_ir_has(&ir->starts, i);
            for (uint32_t k = 0; k < f->callers.n && n < 2; k++) {
                const struct pl_ir_call *c = &ir->calls[f->callers.at[k]];
                unsigned outer = times[c->function];

                n += c->looped && outer > 0 ? 2 : outer;
            }
            for (uint32_t k = 0; k < t->flow->n_threads && n < 2; k++) {
                const struct pl_flow_thread *th = &t->flow->threads[k];
                unsigned outer = times[ir->calls[th->call].function];

                if (th->function == i)
                    n += ir->calls[th->call].looped && outer > 0 ? 2 : outer;
            }
            n = n > 2 ? 2 : n;
            if (n > times[i]) {
                times[i] = (uint8_t)n;
                changed = true;
            }
        }
    }
    for (uint32_t i = 0; i < ir->n_functions; i++)
        ir->functions[i].many = times[i] >= 2;
    free(times);
}

static bool mark_live(struct pl_ir *ir, uint32_t root)
{
    struct pl_ir_list todo = {0};

    if (ir->functions[root].live)
        return false;
    pl_ir_add(&todo, root);
    while (todo.n > 0) {
        struct pl_ir_function *f = &ir->functions[todo.at[--todo.n]];

        if (f->live)
            continue;
        f->live = true;
        for (uint32_t c = f->first_call; c < f->first_call + f->n_calls; c++) {
            for (uint32_t k = 0; k < ir->calls[c].callees.n; k++)
                pl_ir_add(&todo, ir->calls[c].callees.at[k]);
        }
    }
    free(todo.at);
    return true;
}

/* What may be executed at all: copies are called in place of what they were made of. */
static void find_live(struct pl_threads *t)
{
    struct pl_ir *ir = t->ir;
    const struct pl_flow *flow = t->flow;

    if (ir->main != PL_IR_NONE)
        mark_live(ir, ir->main);
    for (uint32_t i = 0; i < ir->starts.n; i++)
        mark_live(ir, ir->starts.at[i]);
    for (uint32_t i = 0; i < flow->callbacks.n; i++)
        mark_live(ir, flow->callbacks.at[i]);
    for (uint32_t i = 0; i < flow->foreign.n; i++)
        mark_live(ir, flow->foreign.at[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < flow->n_threads; i++) {
            if (ir->functions[ir->calls[flow->threads[i].call].function].live)
                changed |= mark_live(ir, flow->threads[i].function);
        }
    }
}

static void add_class(struct pl_threads *t, uint32_t create, uint32_t function)
{
    if (t->n == PL_THREADS_CLASSES) {
        struct pl_threads_class *last = &t->classes[PL_THREADS_CLASSES - 1];

        last->many = last->others = true;
        last->parent = PL_IR_NONE;
        run_in(t->ir, function, PL_THREADS_CLASSES - 1);
        return;
    }
    t->classes[t->n] =
        (struct pl_threads_class){.create = create, .function = function, .parent = PL_IR_NONE};
    run_in(t->ir, function, t->n);
    t->n++;
}

/* Threads that unknown code may have made: they run what it may call. */
static void add_foreign(struct pl_threads *t)
{
    if (t->flow->foreign.n == 0)
        return;
    if (t->n < PL_THREADS_CLASSES)
        t->classes[t->n++] = (struct pl_threads_class){
            .create = PL_IR_NONE, .function = PL_IR_NONE, .parent = PL_IR_NONE};
    t->classes[t->n - 1].many = t->classes[t->n - 1].others = true;
    t->classes[t->n - 1].parent = PL_IR_NONE;
    for (uint32_t i = 0; i < t->flow->foreign.n; i++)
        run_in(t->ir, t->flow->foreign.at[i], t->n - 1);
}

static void find_parents(struct pl_threads *t)
{
    for (uint32_t i = 1; i < t->n; i++) {
        struct pl_threads_class *k = &t->classes[i];

        if (k->others)
            continue;
        const struct pl_ir_call *c = &t->ir->calls[k->create];
        uint64_t roots = t->ir->functions[c->function].roots;

        k->many = c->looped || t->ir->functions[c->function].many;
        if (roots != 0 && (roots & (roots - 1)) == 0)
            k->parent = (uint32_t)__builtin_ctzll(roots);
        if (k->parent == i || (k->parent != PL_IR_NONE && t->classes[k->parent].others))
            k->parent = PL_IR_NONE;
    }
}

static void free_ends(struct pl_threads_ends *ends)
{
    free(ends->calls.at);
    free(ends->blocks.at);
}

static void find_lives(struct pl_threads *t)
{
    size_t words = t->ir->n_segments / 64 + 1;

    for (uint32_t i = 1; i < t->n; i++) {
        struct pl_threads_class *k = &t->classes[i];
        struct pl_threads_ends ends = {0};

        if (k->parent == PL_IR_NONE)
            continue;
        /* The creator is beside its thread once the call may have created it: in the call, too. */
        uint32_t from = pl_ir_before(t->ir, k->create);

        k->alive = pl_err_must(calloc(words, sizeof(uint64_t)));
        k->after = pl_err_must(calloc(words, sizeof(uint64_t)));
        pl_threads_reach(t->ir, from + 1, NULL, k->after);
        if (find_joins(t, k, &ends) != PL_IR_NONE)
            pl_threads_reach(t->ir, from + 1, &ends, k->alive);
        else
            memcpy(k->alive, k->after, words * sizeof(uint64_t));
        free_ends(&ends);
    }
}

/* Handlers, and whatever else may be called at any time, run in any thread. */
static void spread_callbacks(struct pl_threads *t)
{
    for (uint32_t i = 0; i < t->flow->callbacks.n; i++) {
        for (uint32_t k = 0; k < t->n; k++)
            run_in(t->ir, t->flow->callbacks.at[i], k);
    }
}

/* ---- what may happen in parallel ---- */

/* The child of `ancestor` that the class is or descends from; PL_IR_NONE: it does not. */
static uint32_t child_of(const struct pl_threads *t, uint32_t ancestor, uint32_t class)
{
    for (unsigned steps = 0; steps < PL_THREADS_CLASSES; steps++) {
        uint32_t parent = t->classes[class].parent;

        if (parent == ancestor)
            return class;
        if (parent == PL_IR_NONE)
            return PL_IR_NONE;
        class = parent;
    }
    return PL_IR_NONE;
}

/* Whether a thread of class x at call a may be beside one of its descendants of class y. */
static bool beside_descendant(const struct pl_threads *t, uint32_t a, uint32_t child, uint32_t y)
{
    const struct pl_threads_class *k = &t->classes[child];
    const uint64_t *bits = child == y ? k->alive : k->after;

    /* In the call that creates it, it may already run. */
    return a == k->create || pl_threads_bit(bits, pl_ir_before(t->ir, a));
}

/* Whether threads that come of two different children of one class may be alive at a time. */
static bool siblings(const struct pl_threads *t, uint32_t c, bool c_itself, uint32_t d,
                     bool d_itself)
{
    const struct pl_threads_class *x = &t->classes[c], *y = &t->classes[d];
    const uint64_t *while_x = c_itself ? x->alive : x->after;
    const uint64_t *while_y = d_itself ? y->alive : y->after;

    return pl_threads_bit(while_x, pl_ir_before(t->ir, y->create)) ||
           pl_threads_bit(while_y, pl_ir_before(t->ir, x->create));
}

static struct pl_threads_relation always_if(bool may)
{
    return (struct pl_threads_relation){.way = may ? PL_THREADS_ALWAYS : PL_THREADS_NEVER};
}

static struct pl_threads_relation relation_of(const struct pl_threads *t, uint32_t x, uint32_t y)
{
    if (x == y)
        return always_if(t->classes[x].many);
    uint32_t down = child_of(t, x, y), up = child_of(t, y, x);

    if (down != PL_IR_NONE && !t->classes[x].many)
        return (struct pl_threads_relation){.way = PL_THREADS_BELOW, .child = (uint8_t)down};
    if (down == PL_IR_NONE && up != PL_IR_NONE && !t->classes[y].many)
        return (struct pl_threads_relation){.way = PL_THREADS_ABOVE, .child = (uint8_t)up};
    for (uint32_t z = 0; down == PL_IR_NONE && up == PL_IR_NONE && z < t->n; z++) {
        uint32_t c = child_of(t, z, x), d = child_of(t, z, y);

        if (c != PL_IR_NONE && d != PL_IR_NONE && c != d)
            return always_if(t->classes[z].many || siblings(t, c, c == x, d, d == y));
    }
    return always_if(true);
}

/* Once, since every two sites of the program are asked about. */
static void find_relations(struct pl_threads *t)
{
    for (uint32_t x = 0; x < t->n; x++) {
        for (uint32_t y = 0; y < t->n; y++)
            t->relations[x][y] = relation_of(t, x, y);
    }
}

void pl_threads_find(struct pl_threads *t, const struct pl_flow *flow)
{
    struct pl_ir *ir = flow->ir;

    *t = (struct pl_threads){.flow = flow, .ir = ir};
    find_live(t);
    find_callers(ir);
    find_returns(ir);
    find_landings(ir);
    find_many(t);
    for (uint32_t i = 0; i < flow->callbacks.n; i++)
        pl_ir_add_new(&ir->anytime, flow->callbacks.at[i]);
    for (uint32_t i = 0; i < ir->n_calls; i++)
        t->jumps |= ir->calls[i].model != NULL && ir->calls[i].model->does == PL_MODEL_JUMPS;
    t->classes[t->n++] =
        (struct pl_threads_class){.create = PL_IR_NONE, .function = ir->main, .parent = PL_IR_NONE};
    if (ir->main != PL_IR_NONE)
        run_in(ir, ir->main, 0);
    for (uint32_t i = 0; i < ir->starts.n; i++)
        run_in(ir, ir->starts.at[i], 0);
    for (uint32_t i = 0; i < flow->n_threads; i++) {
        if (ir->functions[ir->calls[flow->threads[i].call].function].live)
            add_class(t, flow->threads[i].call, flow->threads[i].function);
    }
    add_foreign(t);
    spread_callbacks(t);
    find_parents(t);
    find_lives(t);
    find_relations(t);
}

void pl_threads_free(struct pl_threads *t)
{
    for (uint32_t i = 0; i < t->n; i++) {
        free(t->classes[i].alive);
        free(t->classes[i].after);
    }
}

bool pl_threads_parallel(const struct pl_threads *t, unsigned x, uint32_t a, unsigned y, uint32_t b)
{
    const struct pl_threads_relation *r = &t->relations[x][y];

    switch ((enum pl_threads_way)r->way) {
    case PL_THREADS_BELOW:
        return beside_descendant(t, a, r->child, y);
    case PL_THREADS_ABOVE:
        return beside_descendant(t, b, r->child, x);
    case PL_THREADS_ALWAYS:
        return true;
    case PL_THREADS_NEVER:
        break;
    }
    return false;
}

uint32_t pl_threads_joined(const struct pl_threads *t, unsigned class)
{
    struct pl_threads_ends ends = {0};
    uint32_t first = PL_IR_NONE;

    if (class > 0 && class < t->n && t->classes[class].parent != PL_IR_NONE)
        first = find_joins(t, &t->classes[class], &ends);
    free_ends(&ends);
    return first;
}
