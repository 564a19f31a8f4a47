/* SPDX-License-Identifier: MIT */
/* Which places a thread may come to from another: calls are matched with returns; see threads.h. */
#include "base/assert.h"
#include "static/threads.h"

#include <stdlib.h>

struct reaching {
    const struct pl_ir *ir;
    const struct pl_threads_ends *ends;
    uint64_t *up,
        *down;    /* segments in functions that the start returns to; in those called since */
    bool *passes; /* by function: it can be gone through without coming to an end */
    struct pl_ir_list todo;
};

static bool ends_with(const struct reaching *r, uint32_t call)
{
    return r->ends != NULL && pl_ir_has(&r->ends->calls, call);
}

static bool ends_at(const struct reaching *r, uint32_t block)
{
    return r->ends != NULL && pl_ir_has(&r->ends->blocks, block);
}

/* Whether a function that is called can return without coming to one of `ends`. */
static bool passes_now(const struct reaching *r, uint32_t function)
{
    const struct pl_ir *ir = r->ir;
    const struct pl_ir_function *f = &ir->functions[function];
    uint64_t *seen = pl_err_must(calloc(f->n_blocks / 64 + 1, sizeof(*seen)));
    struct pl_ir_list todo = {0};
    bool passes = false;

    pl_ir_add(&todo, f->first_block);
    while (todo.n > 0 && !passes) {
        uint32_t b = todo.at[--todo.n];
        const struct pl_ir_block *block = &ir->blocks[b];
        bool through = true;

        if (pl_threads_bit(seen, b - f->first_block) || ends_at(r, b))
            continue;
        seen[(b - f->first_block) / 64] |= UINT64_C(1) << ((b - f->first_block) % 64);
        for (uint32_t c = block->first_call; through && c < block->first_call + block->n_calls;
             c++) {
            const struct pl_ir_call *call = &ir->calls[c];
            bool some = call->callees.n == 0 || call->unknown || call->model != NULL;

            for (uint32_t k = 0; k < call->callees.n; k++)
                some |= r->passes[call->callees.at[k]];
            through = some && call->returns && !ends_with(r, c);
            if (call->unwinds != PL_IR_NONE)
                pl_ir_add(&todo, call->unwinds);
        }
        for (uint32_t k = 0; through && k < block->n_next; k++)
            pl_ir_add(&todo, ir->nexts[block->first_next + k]);
        passes = through && (block->leaves || block->resumes);
    }
    free(seen);
    free(todo.at);
    return passes;
}

static void suspect_of(bool *suspect, struct pl_ir_list *order, uint32_t function)
{
    if (!suspect[function])
        pl_ir_add(order, function);
    suspect[function] = true;
}

/* All pass but for those that lead to an end; found from the ends upwards. */
static void find_passes(struct reaching *r)
{
    const struct pl_ir *ir = r->ir;
    bool *suspect = pl_err_must(calloc(ir->n_functions + 1, sizeof(*suspect)));
    struct pl_ir_list order = {0};

    for (uint32_t i = 0; i < ir->n_functions; i++)
        r->passes[i] = true;
    for (uint32_t i = 0; r->ends && i < r->ends->calls.n; i++)
        suspect_of(suspect, &order, ir->calls[r->ends->calls.at[i]].function);
    for (uint32_t i = 0; r->ends && i < r->ends->blocks.n; i++)
        suspect_of(suspect, &order, ir->blocks[r->ends->blocks.at[i]].function);
    for (uint32_t i = 0; i < order.n; i++) {
        const struct pl_ir_list *callers = &ir->functions[order.at[i]].callers;

        for (uint32_t k = 0; k < callers->n; k++)
            suspect_of(suspect, &order, ir->calls[callers->at[k]].function);
    }
    for (uint32_t i = 0; i < order.n; i++)
        r->passes[order.at[i]] = false;
    for (bool changed = order.n > 0; changed;) {
        changed = false;
        for (uint32_t i = 0; i < order.n; i++) {
            if (!r->passes[order.at[i]] && passes_now(r, order.at[i]))
                changed = r->passes[order.at[i]] = true;
        }
    }
    free(suspect);
    free(order.at);
}

/* Whether the segment is the first of a block that is an end. */
static bool stops_at(const struct reaching *r, uint32_t segment)
{
    for (uint32_t i = 0; r->ends != NULL && i < r->ends->blocks.n; i++) {
        if (r->ir->blocks[r->ends->blocks.at[i]].segment == segment)
            return true;
    }
    return false;
}

static void come(struct reaching *r, uint32_t segment, bool up)
{
    uint64_t *bits = up ? r->up : r->down;

    if (pl_threads_bit(bits, segment) || stops_at(r, segment))
        return;
    bits[segment / 64] |= UINT64_C(1) << (segment % 64);
    pl_ir_add(&r->todo, segment * 2 + up);
}

static bool is_not_behind(const void *row, const void *key)
{
    return ((const struct pl_ir_block *)row)->segment <= *(const uint32_t *)key;
}

uint32_t pl_threads_block(const struct pl_ir *ir, uint32_t segment)
{
    size_t after =
        pl_ir_first(ir->blocks, ir->n_blocks, sizeof(*ir->blocks), &segment, is_not_behind);

    PL_ASSERT(after > 0);
    return (uint32_t)after - 1;
}

/* All that lies behind the end of a function that nobody in the program calls. */
static void go_on_outside(struct reaching *r, uint32_t function)
{
    const struct pl_ir *ir = r->ir;

    /* Constructors come one after the other, in an order that linkers make; then main(). */
    if (pl_ir_has(&ir->starts, function)) {
        for (uint32_t i = 0; i < ir->starts.n; i++)
            come(r, ir->blocks[ir->functions[ir->starts.at[i]].first_block].segment, true);
        if (ir->main != PL_IR_NONE)
            come(r, ir->blocks[ir->functions[ir->main].first_block].segment, true);
    }
    /* A handler goes back to wherever its thread was. */
    if (pl_ir_has(&ir->anytime, function)) {
        for (uint32_t i = 0; i < ir->n_segments; i++)
            r->up[i / 64] |= UINT64_C(1) << (i % 64);
    }
}

static void go_on(struct reaching *r, uint32_t segment, bool up)
{
    const struct pl_ir *ir = r->ir;
    const struct pl_ir_block *b = &ir->blocks[pl_threads_block(ir, segment)];
    uint32_t done = segment - b->segment;

    if (done < b->n_calls) {
        const struct pl_ir_call *c = &ir->calls[b->first_call + done];
        bool through = c->callees.n == 0 || c->unknown || c->model != NULL;

        for (uint32_t k = 0; k < c->callees.n; k++) {
            const struct pl_ir_function *f = &ir->functions[c->callees.at[k]];

            come(r, ir->blocks[f->first_block].segment, false);
            through |= r->passes[c->callees.at[k]];
        }
        if (ends_with(r, b->first_call + done))
            return;
        if (c->unwinds != PL_IR_NONE)
            come(r, ir->blocks[c->unwinds].segment, up);
        if (through && c->returns)
            come(r, segment + 1, up);
        return;
    }
    for (uint32_t k = 0; k < b->n_next; k++)
        come(r, ir->blocks[ir->nexts[b->first_next + k]].segment, up);
    if (up && (b->leaves || b->resumes)) {
        const struct pl_ir_list *callers = &ir->functions[b->function].callers;

        for (uint32_t k = 0; k < callers->n; k++) {
            const struct pl_ir_call *c = &ir->calls[callers->at[k]];

            come(r, pl_ir_before(ir, callers->at[k]) + 1, true);
            if (c->unwinds != PL_IR_NONE)
                come(r, ir->blocks[c->unwinds].segment, true);
        }
        go_on_outside(r, b->function);
    }
}

void pl_threads_reach(const struct pl_ir *ir, uint32_t segment, const struct pl_threads_ends *ends,
                      uint64_t *bits)
{
    size_t words = ir->n_segments / 64 + 1;
    struct reaching r = {.ir = ir,
                         .ends = ends,
                         .up = pl_err_must(calloc(words, sizeof(uint64_t))),
                         .down = pl_err_must(calloc(words, sizeof(uint64_t))),
                         .passes = pl_err_must(calloc(ir->n_functions + 1, sizeof(bool)))};

    find_passes(&r);
    come(&r, segment, true);
    for (uint32_t i = 0; i < ir->landings.n; i++)
        come(&r, ir->landings.at[i], true);
    for (uint32_t i = 0; i < ir->anytime.n; i++)
        come(&r, ir->blocks[ir->functions[ir->anytime.at[i]].first_block].segment, false);
    while (r.todo.n > 0) {
        uint32_t next = r.todo.at[--r.todo.n];

        go_on(&r, next / 2, next % 2);
    }
    for (size_t i = 0; i < words; i++)
        bits[i] |= r.up[i] | r.down[i];
    free(r.up);
    free(r.down);
    free(r.passes);
    free(r.todo.at);
}
