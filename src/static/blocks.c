/* SPDX-License-Identifier: MIT */
/* Blocks of the heap; those of a function that returns nothing else are its callers'; see calls.h.
 */
#include "static/calls.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a new block, if the call says so. */
static int64_t block_size(LLVMValueRef inst, const char *name)
{
    unsigned n = LLVMGetNumArgOperands(inst);
    int64_t a = n > 0 ? pl_calls_constant(LLVMGetOperand(inst, 0)) : -1;

    if (strcmp(name, "malloc") == 0 || strncmp(name, "_Zn", 3) == 0 ||
        strcmp(name, "__cxa_allocate_exception") == 0)
        return a;
    if (strcmp(name, "calloc") == 0 && n > 1) {
        int64_t b = pl_calls_constant(LLVMGetOperand(inst, 1));

        return a >= 0 && b >= 0 && a < (1 << 30) && b < (1 << 30) ? a * b : -1;
    }
    return -1;
}

uint32_t pl_calls_block(struct pl_flow *f, uint32_t call, uint32_t caller, const char *name)
{
    const struct pl_ir_call *c = &f->ir->calls[call];

    return pl_solve_object(f->solve, (struct pl_solve_object){.sort = PL_OBJECT_HEAP_SORT,
                                                              .value = c->inst,
                                                              .function = c->function,
                                                              .call = call,
                                                              .caller = caller,
                                                              .size = block_size(c->inst, name)});
}

/* The allocation that a function returns whatever happens, through copies; NULL: there is none. */
static bool returns_block(struct pl_flow *f, LLVMValueRef v, LLVMValueRef *block, unsigned depth)
{
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : (LLVMOpcode)0;

    if (LLVMIsAConstantPointerNull(v) || LLVMIsUndef(v))
        return true;
    if (depth > 8)
        return false;
    if (pl_flow_is_cast(op))
        return returns_block(f, LLVMGetOperand(v, 0), block, depth + 1);
    if (op == LLVMPHI) {
        for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
            if (LLVMGetIncomingValue(v, i) != v &&
                !returns_block(f, LLVMGetIncomingValue(v, i), block, depth + 1))
                return false;
        }
        return true;
    }
    if ((op == LLVMCall || op == LLVMInvoke) && (*block == NULL || *block == v)) {
        LLVMValueRef callee = LLVMGetCalledValue(v);
        size_t n;
        const struct pl_model *m = LLVMIsAFunction(callee) && LLVMCountBasicBlocks(callee) == 0
                                       ? pl_model_find(LLVMGetValueName2(callee, &n))
                                       : NULL;

        *block = v;
        return m != NULL && m->result == PL_MODEL_HEAP &&
               (strchr(m->args, 'c') == NULL || LLVMIsAArgument(LLVMGetOperand(v, 0)));
    }
    return false;
}

/* By function: the allocation that it hands out, or PL_IR_NONE. */
uint32_t *pl_calls_allocators(struct pl_flow *f)
{
    uint32_t *of = pl_err_must(malloc((f->ir->n_functions + 1) * sizeof(*of)));

    for (uint32_t i = 0; i < f->ir->n_functions; i++) {
        const struct pl_ir_function *g = &f->ir->functions[i];
        LLVMValueRef block = NULL;
        bool all = true;

        for (uint32_t b = g->first_block; all && b < g->first_block + g->n_blocks; b++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(f->ir->blocks[b].block);

            if (f->ir->blocks[b].leaves)
                all = LLVMGetNumOperands(end) == 1 &&
                      returns_block(f, LLVMGetOperand(end, 0), &block, 0);
        }
        of[i] = PL_IR_NONE;
        for (uint32_t c = g->first_call; all && block && c < g->first_call + g->n_calls; c++) {
            if (f->ir->calls[c].inst == block)
                of[i] = c;
        }
    }
    return of;
}

/* Blocks of the heap: one for each allocation, or for each call of the function around it. */
static void allocate(struct pl_flow *f, const uint32_t *allocators)
{
    for (uint32_t i = 0; i < f->ir->n_calls; i++) {
        const struct pl_ir_call *c = &f->ir->calls[i];

        if (c->model != NULL && c->model->result == PL_MODEL_HEAP && pl_flow_carries(c->inst) &&
            allocators[c->function] != i)
            pl_solve_point(f->solve, pl_flow_node(f, c->inst),
                           pl_solve_location(
                               f->solve, pl_calls_block(f, i, PL_IR_NONE, c->model->name), 0, 0));
    }
    for (uint32_t i = 0; i < f->ir->n_calls; i++) {
        const struct pl_ir_call *c = &f->ir->calls[i];
        uint32_t inner = c->callees.n == 1 && LLVMIsAFunction(LLVMGetCalledValue(c->inst))
                             ? allocators[c->callees.at[0]]
                             : PL_IR_NONE;

        if (inner == PL_IR_NONE)
            continue;
        uint32_t location = pl_solve_location(
            f->solve, pl_calls_block(f, inner, i, f->ir->calls[inner].model->name), 0, 0);

        pl_solve_point(f->solve, pl_flow_node(f, f->ir->calls[inner].inst), location);
        if (pl_flow_carries(c->inst))
            pl_solve_point(f->solve, pl_flow_node(f, c->inst), location);
    }
}

/* Somebody calls it through a pointer, or nobody does: it has a block of its own, too. */
static void allocate_rest(struct pl_flow *f, const uint32_t *allocators)
{
    for (uint32_t i = 0; i < f->ir->n_functions; i++) {
        uint32_t inner = allocators[i];

        if (inner == PL_IR_NONE)
            continue;
        uint32_t location = pl_solve_location(
            f->solve, pl_calls_block(f, inner, PL_IR_NONE, f->ir->calls[inner].model->name), 0, 0);

        pl_solve_point(f->solve, pl_flow_node(f, f->ir->calls[inner].inst), location);
        pl_solve_point(f->solve, f->results[i], location);
    }
}

void pl_calls_allocate(struct pl_flow *f, const uint32_t *allocators)
{
    allocate(f, allocators);
    allocate_rest(f, allocators);
}
