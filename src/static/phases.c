/* SPDX-License-Identifier: MIT */
/* See phases.h. */
#include "static/phases.h"

#include "base/assert.h"
#include "model/operation.h"
#include "static/loops.h"

#include <llvm-c/Core.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- which barriers ---- */

static bool is_about(const struct pl_ir_call *c, unsigned op)
{
    return c->model != NULL && c->model->op == op &&
           strcmp(c->model->name,
                  op == PL_OP_BARRIER_WAIT ? "pthread_barrier_wait" : "pthread_barrier_init") == 0;
}

/* Whether the first argument of a call may be the barrier at a location, or one that overlaps it.
 */
static bool may_be(const struct pl_flow *f, const struct pl_ir_call *c, uint32_t location)
{
    LLVMValueRef address = LLVMGetOperand(c->inst, 0);
    const struct pl_solve_set *set = pl_flow_set(f, pl_flow_node((struct pl_flow *)f, address));
    const struct pl_solve_location *l = pl_solve_location_at(f->solve, location);

    for (uint32_t i = 0; i < set->n; i++) {
        const struct pl_solve_location *m = pl_solve_location_at(f->solve, set->at[i]);

        if (m->object == l->object &&
            pl_solve_overlap(m, sizeof(pthread_barrier_t), l, sizeof(pthread_barrier_t)))
            return true;
    }
    return set->n == 0;
}

/* Whether code that is not known may get hold of the object, and so wait there as well. */
static bool is_known_outside(const struct pl_flow *f, uint32_t object)
{
    bool *seen = pl_err_must(calloc(pl_solve_n_objects(f->solve) + 1, sizeof(*seen)));

    pl_flow_reach(f, f->world, seen);
    bool known = seen[object];

    free(seen);
    return known;
}

/* Whether `to` can be come to from `from` in their function, past `but`. */
static bool leads_to(const struct pl_ir *ir, uint32_t from, uint32_t to, uint32_t but)
{
    const struct pl_ir_function *f = &ir->functions[ir->blocks[from].function];
    bool *seen = pl_err_must(calloc(f->n_blocks + 1, sizeof(*seen)));
    struct pl_ir_list todo = {0};
    bool found = false;

    pl_ir_add(&todo, from);
    while (todo.n > 0 && !found) {
        const struct pl_ir_block *b = &ir->blocks[todo.at[--todo.n]];

        for (uint32_t k = 0; k < b->n_next + b->n_calls; k++) {
            uint32_t next = k < b->n_next ? ir->nexts[b->first_next + k]
                                          : ir->calls[b->first_call + k - b->n_next].unwinds;

            if (next == PL_IR_NONE || next == but || seen[next - f->first_block])
                continue;
            found |= next == to;
            seen[next - f->first_block] = true;
            pl_ir_add(&todo, next);
        }
    }
    free(seen);
    free(todo.at);
    return found;
}

/* How many threads of a class there are at most; 0: not known. */
static uint64_t threads_of(const struct pl_threads *t, unsigned class)
{
    const struct pl_threads_class *k = &t->classes[class];
    const struct pl_ir *ir = t->ir;
    struct pl_loop loop;

    if (k->others)
        return 0;
    if (!k->many)
        return 1;
    const struct pl_ir_call *create = &ir->calls[k->create];

    if (ir->functions[create->function].many || LLVMGetNumArgOperands(create->inst) == 0 ||
        !pl_loops_of(LLVMGetOperand(create->inst, 0), &loop) || !LLVMIsAConstantInt(loop.first) ||
        !LLVMIsAConstantInt(loop.bound))
        return 0;
    uint32_t header = pl_ir_block_of(ir, loop.header), after = pl_ir_block_of(ir, loop.after);
    long long first = LLVMConstIntGetSExtValue(loop.first);
    long long bound = LLVMConstIntGetSExtValue(loop.bound);

    /* It is begun once, and has one thread for each of its counts. */
    if (header == PL_IR_NONE || after == PL_IR_NONE || leads_to(ir, after, header, PL_IR_NONE) ||
        leads_to(ir, create->block, create->block, header) ||
        !leads_to(ir, create->block, header, PL_IR_NONE) || bound <= first)
        return 0;
    return (uint64_t)(bound - first);
}

/* Whether no more threads can wait at the barrier than it is for. */
static bool is_for_all(const struct pl_threads *t, const struct pl_phases_barrier *b)
{
    LLVMValueRef count = LLVMGetOperand(t->ir->calls[b->init].inst, 2);
    uint64_t most = 0;

    if (!LLVMIsAConstantInt(count))
        return false;
    for (unsigned k = 0; k < t->n; k++) {
        uint64_t n = (b->classes >> k & 1) != 0 ? threads_of(t, k) : 0;

        if ((b->classes >> k & 1) != 0 && n == 0)
            return false;
        most += n;
    }
    return most <= LLVMConstIntGetZExtValue(count);
}

/* Whether the call makes the only barrier that those who wait there can mean. */
static bool find_waits(const struct pl_threads *t, struct pl_phases_barrier *b)
{
    const struct pl_ir *ir = t->ir;
    const struct pl_ir_call *init = &ir->calls[b->init];
    uint32_t location = pl_threads_location(t->flow, LLVMGetOperand(init->inst, 0));

    if (location == PL_IR_NONE || init->looped || ir->functions[init->function].many ||
        !LLVMIsNull(LLVMGetOperand(init->inst, 1)))
        return false;
    uint32_t object = pl_solve_location_at(t->flow->solve, location)->object;

    if (pl_solve_object_at(t->flow->solve, object)->broken || is_known_outside(t->flow, object))
        return false;
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        const struct pl_ir_call *c = &ir->calls[i];
        bool waits = is_about(c, PL_OP_BARRIER_WAIT), makes = is_about(c, PL_OP_OBJECT_INIT);

        if (i == b->init || !(waits | makes) || !may_be(t->flow, c, location))
            continue;
        if (makes || pl_threads_location(t->flow, LLVMGetOperand(c->inst, 0)) != location)
            return false;
        pl_ir_add(&b->waits, i);
        b->classes |= ir->functions[c->function].roots;
    }
    return b->waits.n > 0;
}

/* ---- phases ---- */

static uint32_t first_segment(const struct pl_ir *ir, uint32_t function)
{
    return ir->blocks[ir->functions[function].first_block].segment;
}

/* Where threads of a class may be that have passed the barrier never, once, ... */
static void find_class(const struct pl_threads *t, struct pl_phases_barrier *b, unsigned class)
{
    const struct pl_ir *ir = t->ir;
    struct pl_threads_ends ends = {.calls = b->waits};
    size_t words = ir->n_segments / 64 + 1;

    for (unsigned p = 0; p < PL_PHASES_MAX; p++)
        b->at[class][p] = pl_err_must(calloc(words, sizeof(uint64_t)));
    pl_threads_reach(ir, first_segment(ir, t->classes[class].function), &ends, b->at[class][0]);
    for (uint32_t i = 0; class == 0 && i < ir->starts.n; i++)
        pl_threads_reach(ir, first_segment(ir, ir->starts.at[i]), &ends, b->at[class][0]);
    for (unsigned p = 1; p < PL_PHASES_MAX; p++) {
        /* The last is also come to from itself. */
        for (unsigned turn = 0; turn < (p + 1 == PL_PHASES_MAX ? 2 + b->waits.n : 1); turn++) {
            const uint64_t *from = b->at[class][turn == 0 ? p - 1 : p];

            for (uint32_t i = 0; i < b->waits.n; i++) {
                uint32_t before = pl_ir_before(ir, b->waits.at[i]);

                if (pl_threads_bit(from, before))
                    pl_threads_reach(ir, before + 1, &ends, b->at[class][p]);
            }
        }
    }
}

static void free_barrier(struct pl_phases_barrier *b)
{
    free(b->waits.at);
    for (unsigned k = 0; k < PL_THREADS_CLASSES; k++) {
        for (unsigned p = 0; p < PL_PHASES_MAX; p++)
            free(b->at[k][p]);
    }
}

void pl_phases_find(struct pl_phases *p, const struct pl_threads *threads)
{
    const struct pl_ir *ir = threads->ir;

    *p = (struct pl_phases){.threads = threads};
    if (threads->jumps || ir->landings.n > 0)
        return;
    for (uint32_t i = 0; i < ir->n_calls && p->n < PL_PHASES_BARRIERS; i++) {
        struct pl_phases_barrier *b = &p->barriers[p->n];

        if (!is_about(&ir->calls[i], PL_OP_OBJECT_INIT))
            continue;
        *b = (struct pl_phases_barrier){.init = i};
        if (!find_waits(threads, b) || !is_for_all(threads, b)) {
            free_barrier(b);
            continue;
        }
        for (unsigned k = 0; k < threads->n; k++) {
            if ((b->classes >> k & 1) != 0)
                find_class(threads, b, k);
        }
        p->n++;
    }
}

void pl_phases_free(struct pl_phases *p)
{
    for (uint32_t i = 0; i < p->n; i++)
        free_barrier(&p->barriers[i]);
    p->n = 0;
}

/* In which phases of the barrier a thread of the class may be at the call; 0: not known. */
static unsigned phases_at(const struct pl_ir *ir, const struct pl_phases_barrier *b, unsigned class,
                          uint32_t call)
{
    unsigned phases = 0;

    for (unsigned p = 0; p < PL_PHASES_MAX; p++)
        phases |= (unsigned)pl_threads_bit(b->at[class][p], pl_ir_before(ir, call)) << p;
    return phases;
}

uint32_t pl_phases_apart(const struct pl_phases *p, unsigned x, uint32_t a, unsigned y, uint32_t b)
{
    for (uint32_t i = 0; i < p->n; i++) {
        const struct pl_phases_barrier *of = &p->barriers[i];

        if ((of->classes >> x & 1) == 0 || (of->classes >> y & 1) == 0 ||
            pl_ir_has(&of->waits, a) || pl_ir_has(&of->waits, b))
            continue;
        unsigned at_a = phases_at(p->threads->ir, of, x, a);
        unsigned at_b = phases_at(p->threads->ir, of, y, b);

        if (at_a != 0 && at_b != 0 && (at_a & at_b) == 0)
            return of->init;
    }
    return PL_IR_NONE;
}
