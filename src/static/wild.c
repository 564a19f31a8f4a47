/* SPDX-License-Identifier: MIT */
/* See wild.h. */
#include "static/wild.h"

#include <llvm-c/Core.h>
#include <stdlib.h>

static void mark_node(const struct pl_flow *f, uint32_t node, bool *objects)
{
    const struct pl_solve_set *set = pl_flow_set(f, node);

    for (uint32_t k = 0; k < set->n; k++)
        objects[pl_solve_location_at(f->solve, set->at[k])->object] = true;
}

void pl_wild_mark(const struct pl_flow *f, uint32_t call, bool *objects)
{
    uint32_t n;
    const struct pl_flow_access *a = pl_flow_accesses(f, call, &n);

    for (uint32_t i = 0; i < n; i++)
        mark_node(f, a[i].node, objects);
}

/* What a function touches that was compiled without hooks. */
static void find_unhooked(const struct pl_conflicts *c, const struct pl_ir_function *g,
                          bool *objects)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("sanitize_thread", 15);
    struct pl_flow *f = (struct pl_flow *)c->flow;

    if (LLVMGetEnumAttributeAtIndex(g->value, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                    kind) != NULL)
        return;
    for (uint32_t b = g->first_block; b < g->first_block + g->n_blocks; b++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(c->ir->blocks[b].block); i;
             i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);

            if (op == LLVMLoad || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg)
                mark_node(f, pl_flow_node(f, LLVMGetOperand(i, 0)), objects);
            if (op == LLVMStore)
                mark_node(f, pl_flow_node(f, LLVMGetOperand(i, 1)), objects);
        }
    }
}

/* What handlers of signals and other functions that are called at any time touch, or call. */
static void find_interrupting(const struct pl_conflicts *c, bool *objects, bool *functions)
{
    const struct pl_ir *ir = c->ir;
    bool *reached = pl_err_must(calloc(ir->n_functions + 1, sizeof(*reached)));
    struct pl_ir_list todo = {0};

    for (uint32_t i = 0; i < c->flow->callbacks.n; i++)
        pl_ir_add(&todo, c->flow->callbacks.at[i]);
    while (todo.n > 0) {
        uint32_t i = todo.at[--todo.n];
        const struct pl_ir_function *g = &ir->functions[i];

        if (reached[i])
            continue;
        reached[i] = functions[i] = true;
        for (uint32_t k = g->first_call; k < g->first_call + g->n_calls; k++) {
            pl_wild_mark(c->flow, k, objects);
            for (uint32_t j = 0; j < ir->calls[k].callees.n; j++)
                pl_ir_add(&todo, ir->calls[k].callees.at[j]);
        }
    }
    free(reached);
    free(todo.at);
}

void pl_wild_find(const struct pl_conflicts *c, bool *objects, bool *functions)
{
    mark_node(c->flow, c->flow->world, objects);
    mark_node(c->flow, c->flow->library, objects);
    for (uint32_t i = 0; i < c->flow->closed.n; i++)
        mark_node(c->flow, c->flow->closed.at[i], objects);
    for (uint32_t i = 0; i < c->ir->n_functions; i++)
        find_unhooked(c, &c->ir->functions[i], objects);
    find_interrupting(c, objects, functions);
}
