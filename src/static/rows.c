/* SPDX-License-Identifier: MIT */
/*
 * See rows.h.  Sets of whole functions first, upwards through the calls; then, function by
 * function, backwards through its blocks.  What may run at any time is in every row.  A function
 * without an entry hook is in no stack that the runtime knows: what comes after a call in it is in
 * all rows of those that it calls.  Where a cancelled thread goes on in a function (its clean-up
 * handlers, in C) it may come from any place of it, and from what that calls.
 */
#include "static/rows.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/operation.h"

#include <stdlib.h>
#include <string.h>

#define WORDS_MAX (UINT64_C(1) << 25) /* of all functions' sets; beyond that there are no rows */

struct sets {
    struct pl_rows *r;
    uint64_t *inside; /* by function */
    uint64_t *always; /* by function: in all of its rows */
    bool *has_always;
    uint64_t *landed; /* of the function that is visited: what is reached where it is landed */
    uint64_t *scratch;
};

static bool join(uint64_t *to, const uint64_t *from, size_t words)
{
    uint64_t more = 0;

    for (size_t i = 0; i < words; i++) {
        more |= from[i] & ~to[i];
        to[i] |= from[i];
    }
    return more != 0;
}

/* ---- targets ---- */

static bool creates(const struct pl_conflicts *c, uint32_t site)
{
    const struct pl_model *m = c->ir->calls[c->sites[site].call].model;

    return m != NULL && m->op == PL_OP_THREAD_CREATE;
}

static void find_targets(struct pl_rows *r)
{
    const struct pl_conflicts *c = r->conflicts;

    r->target_of = pl_err_must(malloc((c->n_sites + 1) * sizeof(*r->target_of)));
    r->targets = pl_err_must(malloc((c->n_sites + 1) * sizeof(*r->targets)));
    for (uint32_t i = 0; i < c->n_sites; i++) {
        bool is = c->sites[i].paired || creates(c, i);

        r->target_of[i] = is ? r->n_targets : PL_PAIR_NONE;
        if (is)
            r->targets[r->n_targets++] = i;
    }
    r->words = (r->n_targets + 63) / 64;
}

static void add_target(const struct pl_rows *r, uint32_t call, uint64_t *row)
{
    uint32_t site = r->conflicts->site_of[call];
    uint32_t target = site != PL_IR_NONE ? r->target_of[site] : PL_PAIR_NONE;

    if (target != PL_PAIR_NONE)
        row[target / 64] |= UINT64_C(1) << (target % 64);
}

/* ---- functions ---- */

static void find_inside(struct sets *s)
{
    struct pl_rows *r = s->r;
    const struct pl_ir *ir = r->ir;
    struct pl_ir_list todo = {0};

    for (uint32_t i = 0; i < ir->n_calls; i++)
        add_target(r, i, s->inside + ir->calls[i].function * r->words);
    for (uint32_t i = 0; i < ir->n_functions; i++)
        pl_ir_add(&todo, i);
    while (todo.n > 0) {
        uint32_t f = todo.at[--todo.n];

        for (uint32_t k = 0; k < ir->functions[f].callers.n; k++) {
            uint32_t g = ir->calls[ir->functions[f].callers.at[k]].function;

            if (g != f && join(s->inside + g * r->words, s->inside + f * r->words, r->words))
                pl_ir_add(&todo, g);
        }
    }
    free(todo.at);
}

/* ---- rows ---- */

static uint32_t keep_row(struct pl_rows *r, const uint64_t *row)
{
    if (2 * ((size_t)r->n + 1) > r->n_slots) {
        size_t n = r->n_slots ? 2 * r->n_slots : 1024;

        free(r->slots);
        r->slots = pl_err_must(calloc(n, sizeof(*r->slots)));
        r->n_slots = n;
        for (uint32_t i = 0; i < r->n; i++) {
            size_t at = pl_hash_words(0, r->rows + i * r->words, r->words) & (n - 1);

            while (r->slots[at] != 0)
                at = (at + 1) & (n - 1);
            r->slots[at] = i + 1;
        }
    }
    size_t at = pl_hash_words(0, row, r->words) & (r->n_slots - 1);

    for (; r->slots[at] != 0; at = (at + 1) & (r->n_slots - 1)) {
        if (memcmp(r->rows + (r->slots[at] - 1) * r->words, row, r->words * sizeof(*row)) == 0)
            return r->slots[at] - 1;
    }
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->rows = pl_err_must(realloc(r->rows, r->room * r->words * sizeof(*r->rows)));
    }
    memcpy(r->rows + r->n * r->words, row, r->words * sizeof(*row));
    r->slots[at] = ++r->n;
    return r->n - 1;
}

/* From the end of a block to its beginning; `row` is what can be reached from its end. */
static void go_back(struct sets *s, uint32_t block, const uint64_t *starts, uint64_t *row,
                    void (*note)(struct sets *, uint32_t call, const uint64_t *row, bool past))
{
    struct pl_rows *r = s->r;
    const struct pl_ir_block *b = &r->ir->blocks[block];
    uint32_t first = r->ir->functions[b->function].first_block;

    for (uint32_t c = b->first_call + b->n_calls; c-- > b->first_call;) {
        const struct pl_ir_call *call = &r->ir->calls[c];

        if (!call->returns)
            memset(row, 0, r->words * sizeof(*row));
        if (call->unwinds != PL_IR_NONE)
            join(row, starts + (call->unwinds - first) * r->words, r->words);
        if (note)
            note(s, c, row, true);
        add_target(r, c, row);
        for (uint32_t k = 0; k < call->callees.n; k++)
            join(row, s->inside + call->callees.at[k] * r->words, r->words);
        if (note)
            note(s, c, row, false);
    }
}

static void end_row(const struct sets *s, uint32_t block, const uint64_t *starts, uint64_t *row)
{
    const struct pl_ir *ir = s->r->ir;
    const struct pl_ir_block *b = &ir->blocks[block];
    uint32_t first = ir->functions[b->function].first_block;

    memset(row, 0, s->r->words * sizeof(*row));
    for (uint32_t k = 0; k < b->n_next; k++)
        join(row, starts + (ir->nexts[b->first_next + k] - first) * s->r->words, s->r->words);
}

/* What is to be in all rows of functions that one without an entry hook calls. */
static void note_always(struct sets *s, uint32_t call, const uint64_t *row, bool past)
{
    const struct pl_ir_call *c = &s->r->ir->calls[call];

    for (uint32_t k = 0; past && k < c->callees.n; k++) {
        uint32_t g = c->callees.at[k];

        join(s->always + g * s->r->words, row, s->r->words);
        join(s->always + g * s->r->words, s->landed, s->r->words);
        join(s->always + g * s->r->words, s->always + c->function * s->r->words, s->r->words);
        s->has_always[g] = true;
    }
}

static void note_row(struct sets *s, uint32_t call, const uint64_t *row, bool past)
{
    const struct pl_ir_call *c = &s->r->ir->calls[call];

    memcpy(s->scratch, row, s->r->words * sizeof(*row));
    join(s->scratch, s->always + c->function * s->r->words, s->r->words);
    join(s->scratch, s->landed, s->r->words);
    (past ? s->r->past : s->r->at)[call] = keep_row(s->r, s->scratch);
}

/* `starts` is what can be reached from the beginnings of its blocks. */
static void find_landed(struct sets *s, uint32_t function, const uint64_t *starts)
{
    const struct pl_ir *ir = s->r->ir;

    memset(s->landed, 0, s->r->words * sizeof(*s->landed));
    for (uint32_t i = 0; i < ir->landings.n; i++) {
        uint32_t block = pl_threads_block(ir, ir->landings.at[i]);
        uint32_t first = ir->functions[function].first_block;

        if (ir->blocks[block].function == function)
            join(s->landed, starts + (block - first) * s->r->words, s->r->words);
    }
}

static void visit(struct sets *s, uint32_t function,
                  void (*note)(struct sets *, uint32_t call, const uint64_t *row, bool past))
{
    struct pl_rows *r = s->r;
    const struct pl_ir_function *f = &r->ir->functions[function];
    uint64_t *starts = pl_err_must(calloc(f->n_blocks * r->words + 1, sizeof(*starts)));
    uint64_t *row = pl_err_must(calloc(r->words + 1, sizeof(*row)));

    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t k = f->n_blocks; k-- > 0;) {
            end_row(s, f->first_block + k, starts, row);
            go_back(s, f->first_block + k, starts, row, NULL);
            changed |= join(starts + k * r->words, row, r->words);
        }
    }
    find_landed(s, function, starts);
    for (uint32_t k = 0; k < f->n_blocks; k++) {
        end_row(s, f->first_block + k, starts, row);
        go_back(s, f->first_block + k, starts, row, note);
    }
    if (note == note_row) {
        memcpy(s->scratch, starts, r->words * sizeof(*starts));
        join(s->scratch, s->always + function * r->words, r->words);
        r->entries[function] = keep_row(r, s->scratch);
    }
    free(starts);
    free(row);
}

/* One row for all calls of a number: a position is known by its number alone. */
static void unite(struct sets *s, const uint32_t *same, uint32_t first, uint32_t *rows)
{
    struct pl_rows *r = s->r;

    memset(s->scratch, 0, r->words * sizeof(*s->scratch));
    for (uint32_t i = first; i != PL_IR_NONE; i = same[i])
        join(s->scratch, r->rows + rows[i] * r->words, r->words);
    uint32_t row = keep_row(r, s->scratch);

    for (uint32_t i = first; i != PL_IR_NONE; i = same[i])
        rows[i] = row;
}

static void unite_copies(struct sets *s)
{
    const struct pl_ir *ir = s->r->ir;
    uint32_t *same = pl_err_must(malloc((ir->n_calls + 1) * sizeof(*same)));
    uint32_t *first = pl_err_must(malloc((ir->n_numbers + 1) * sizeof(*first)));

    memset(first, 0xff, (ir->n_numbers + 1) * sizeof(*first));
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        uint32_t number = ir->calls[i].number;

        if (number >= ir->n_numbers || !ir->functions[ir->calls[i].function].live)
            continue;
        same[i] = first[number];
        first[number] = i;
    }
    for (uint32_t n = 0; n < ir->n_numbers; n++) {
        if (first[n] == PL_IR_NONE || same[first[n]] == PL_IR_NONE)
            continue;
        unite(s, same, first[n], s->r->at);
        unite(s, same, first[n], s->r->past);
    }
    free(same);
    free(first);
}

static void find_rows(struct sets *s)
{
    struct pl_rows *r = s->r;
    uint64_t *any = pl_err_must(calloc(r->words + 1, sizeof(*any)));

    find_inside(s);
    for (uint32_t i = 0; i < r->conflicts->flow->callbacks.n; i++)
        join(any, s->inside + r->conflicts->flow->callbacks.at[i] * r->words, r->words);
    for (uint32_t i = 0; i < r->conflicts->flow->lasts.n; i++) /* from no frame that is known */
        join(any, s->inside + r->conflicts->flow->lasts.at[i] * r->words, r->words);
    for (uint32_t i = 0; i < r->ir->n_functions; i++)
        join(s->always + i * r->words, any, r->words);
    free(any);
    for (unsigned round = 0; round < 4; round++) {
        for (uint32_t i = 0; i < r->ir->n_functions; i++) {
            if (!r->ir->functions[i].framed)
                visit(s, i, note_always);
        }
    }
    for (uint32_t i = 0; i < r->ir->n_functions; i++)
        visit(s, i, note_row);
    if (r->ir->n_copies > 0)
        unite_copies(s);
}

void pl_rows_find(struct pl_rows *r, const struct pl_conflicts *conflicts)
{
    struct sets s = {.r = r};
    uint32_t n;

    *r = (struct pl_rows){.conflicts = conflicts, .ir = conflicts->ir};
    n = r->ir->n_functions + 1;
    find_targets(r);
    r->at = pl_err_must(malloc((r->ir->n_calls + 1) * sizeof(*r->at)));
    r->past = pl_err_must(malloc((r->ir->n_calls + 1) * sizeof(*r->past)));
    r->entries = pl_err_must(malloc(n * sizeof(*r->entries)));
    memset(r->at, 0xff, (r->ir->n_calls + 1) * sizeof(*r->at));
    memset(r->past, 0xff, (r->ir->n_calls + 1) * sizeof(*r->past));
    memset(r->entries, 0xff, n * sizeof(*r->entries));
    /* gcc inlines other calls than clang: what lies below on the stack is not known.  Where not all
       objects are told apart, nearly everything is somebody's target. */
    r->coarse = conflicts->threads->jumps || r->ir->by_place || conflicts->flow->coarse ||
                n * r->words > WORDS_MAX;
    if (r->coarse || r->words == 0)
        return;
    s.inside = pl_err_must(calloc(n * r->words, sizeof(*s.inside)));
    s.always = pl_err_must(calloc(n * r->words, sizeof(*s.always)));
    s.has_always = pl_err_must(calloc(n, sizeof(*s.has_always)));
    s.landed = pl_err_must(calloc(r->words + 1, sizeof(*s.landed)));
    s.scratch = pl_err_must(calloc(r->words + 1, sizeof(*s.scratch)));
    find_rows(&s);
    free(s.inside);
    free(s.always);
    free(s.has_always);
    free(s.landed);
    free(s.scratch);
}
