/* SPDX-License-Identifier: MIT */
/*
 * What the letter of an argument means (model.h) for what is pointed to and touched, a function for
 * each.  See calls.h.
 */
#include "model/operation.h"
#include "static/calls.h"
#include "static/model.h"

#include <llvm-c/Core.h>
#include <string.h>

struct argument {
    struct pl_flow *f;
    uint32_t call;
    unsigned i;
    char letter;
    const struct pl_model *model;
    LLVMValueRef inst;
    uint32_t node;                 /* what it may point to */
    struct pl_flow_access touched; /* of the memory there, as far as it is the same for all */
};

/* Size of what is touched: the argument that says it; 0: as much as there is. */
static uint32_t length_of(const struct pl_model *m, LLVMValueRef inst)
{
    unsigned n = LLVMGetNumArgOperands(inst);
    int64_t length = -1;

    if (m->size > 0)
        return m->size;
    if (m->does == PL_MODEL_HOOK && n > 1)
        length = pl_calls_constant(LLVMGetOperand(inst, 1));
    else if ((m->does == PL_MODEL_COPIES || strcmp(m->name, "memset") == 0 ||
              strcmp(m->name, "memcmp") == 0 || strcmp(m->name, "bcmp") == 0) &&
             n > 2)
        length = pl_calls_constant(LLVMGetOperand(inst, 2));
    return length > 0 && length < UINT32_MAX ? (uint32_t)length : 0;
}

static void touch(const struct argument *g, bool reads, bool writes, uint32_t size)
{
    struct pl_flow_access a = g->touched;

    a.reads = reads;
    a.writes = writes;
    a.size = size;
    pl_calls_touch(g->f, a);
}

/* Makes it, or ends it: nobody may use it meanwhile. */
static void touch_life(const struct argument *g, uint32_t size)
{
    struct pl_flow_access a = g->touched;

    a.writes = a.life = true;
    a.size = size;
    pl_calls_touch(g->f, a);
}

/* What is found there. */
static uint32_t found_at(const struct argument *g, int64_t size)
{
    uint32_t found = pl_solve_node(g->f->solve);

    pl_solve_load(g->f->solve, g->node, found, size);
    return found;
}

/* ---- memory ---- */

static void accessed(const struct argument *g)
{
    touch(g, g->letter != 'w', g->letter != 'r', g->touched.size);
}

static void accessed_deeply(const struct argument *g)
{
    bool writes = g->letter == 'U';
    uint32_t found = found_at(g, -1);

    pl_calls_touch(g->f, (struct pl_flow_access){
                             .call = g->call, .node = found, .reads = true, .writes = writes});
    touch(g, true, writes, g->touched.size);
}

static void permuted(const struct argument *g)
{
    pl_solve_store(g->f->solve, found_at(g, -1), g->node, -1);
    touch(g, true, true, g->touched.size);
}

static void to_file(const struct argument *g)
{
    if (g->f->channels)
        pl_solve_load(g->f->solve, g->node, g->f->filed, -1);
    touch(g, true, false, g->touched.size);
    pl_library_mapped(g->f, g->call, true);
}

static void from_file(const struct argument *g)
{
    pl_solve_store(g->f->solve, g->f->filed, g->node, -1);
    touch(g, false, true, g->touched.size);
    pl_library_mapped(g->f, g->call, false);
}

/* Gets a pointer into what the first argument points to. */
static void position(const struct argument *g)
{
    uint32_t into = pl_solve_node(g->f->solve);

    pl_solve_index(g->f->solve, pl_flow_node(g->f, LLVMGetOperand(g->inst, 0)), into, 0, 1);
    pl_solve_store(g->f->solve, into, g->node, 8);
    touch(g, false, true, 8);
}

/* Gets a new block. */
static void new_block(const struct argument *g)
{
    uint32_t block = pl_solve_node(g->f->solve);
    uint32_t made = pl_calls_block(g->f, g->call, PL_IR_NONE, g->model->name);

    pl_solve_point(g->f->solve, block, pl_solve_location(g->f->solve, made, 0, 0));
    pl_solve_store(g->f->solve, block, g->node, 8);
    touch(g, false, true, 8);
}

static void thread_name(const struct argument *g)
{
    touch(g, false, true, 8);
}

static void given_back(const struct argument *g)
{
    touch_life(g, 0);
}

/* What was there is where the result points to now. */
static void changed_in_size(const struct argument *g)
{
    uint32_t result = pl_flow_node(g->f, g->inst);

    pl_solve_copy(g->f->solve, g->node, result);
    pl_solve_move(g->f->solve, result, g->node, -1);
    touch_life(g, 0);
}

/* ---- objects ---- */

static void object(const struct argument *g)
{
    g->f->objects[g->call] = g->node;
    if (g->model->op == PL_OP_OBJECT_INIT || g->model->op == PL_OP_OBJECT_DESTROY)
        touch_life(g, g->touched.size);
}

static void object_in_memory(const struct argument *g)
{
    g->f->objects[g->call] = g->node;
    touch(g, true, true, 8);
}

static void mutex(const struct argument *g)
{
    g->f->mutexes[g->call] = g->node;
}

/* A pointer to one. */
static void mutex_behind(const struct argument *g)
{
    g->f->mutexes[g->call] = found_at(g, 8);
}

/* ---- what libraries have ---- */

static void string(const struct argument *g)
{
    pl_library_string(g->f, g->call, g->i, g->letter == 'B');
}

static void node_of(const struct argument *g)
{
    pl_library_node(g->f, g->call, g->i, g->letter == 'l' ? 16 : 32, g->letter != 'n');
}

static void stream(const struct argument *g)
{
    uint32_t found = found_at(g, -1);

    pl_solve_index(g->f->solve, found, found, 0, 1);
    pl_solve_store(g->f->solve, found, g->node, -1);
}

/* ---- values that come out elsewhere ---- */

static void kept(const struct argument *g)
{
    pl_solve_copy(g->f->solve, g->node, g->f->keys);
}

static void window(const struct argument *g)
{
    pl_solve_copy(g->f->solve, g->node, g->f->windows);
}

static void thrown(const struct argument *g)
{
    pl_solve_copy(g->f->solve, g->node, g->f->thrown);
}

static void returned(const struct argument *g)
{
    pl_solve_copy(g->f->solve, g->node, g->f->returned);
}

typedef void meaning(const struct argument *g);

static meaning *const meanings[128] = {
    ['r'] = accessed,        ['w'] = accessed,  ['u'] = accessed,         ['R'] = accessed_deeply,
    ['U'] = accessed_deeply, ['z'] = permuted,  ['y'] = to_file,          ['i'] = from_file,
    ['p'] = position,        ['h'] = new_block, ['t'] = thread_name,      ['d'] = given_back,
    ['c'] = changed_in_size, ['o'] = object,    ['g'] = object_in_memory, ['m'] = mutex,
    ['M'] = mutex_behind,    ['B'] = string,    ['b'] = string,           ['L'] = node_of,
    ['l'] = node_of,         ['n'] = node_of,   ['s'] = stream,           ['k'] = kept,
    ['v'] = window,          ['x'] = thrown,    ['j'] = returned,
};

void pl_arguments_read(struct pl_flow *f, uint32_t call, unsigned i)
{
    const struct pl_ir_call *c = &f->ir->calls[call];
    LLVMValueRef value = LLVMGetOperand(c->inst, i);
    char letter = pl_model_letter(c->model, i);
    meaning *means = letter >= 0 ? meanings[(unsigned char)letter] : NULL;

    if (means == NULL || !pl_flow_carries(value))
        return;
    struct argument g = {f, call, i, letter, c->model, c->inst, pl_flow_node(f, value), {0}};

    g.touched = (struct pl_flow_access){
        .call = call, .address = value, .node = g.node, .size = length_of(c->model, c->inst)};
    means(&g);
}
