/* SPDX-License-Identifier: MIT */
/* See analyse.h. */
#include "static/analyse.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/operation.h"
#include "static/clone.h"
#include "static/rank.h"

#include "trace/pairs.h"

#include <llvm-c/Core.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * Variables whose address nobody takes become values, also of code that was not optimised: no hook
 * is about them, no call changes, and what is computed from them can be compared.
 */
static void promote(struct pl_ir *ir)
{
    static const char skipped[] = "optnone"; /* what is not to be optimised would be passed over */
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    unsigned kind = LLVMGetEnumAttributeKindForName(skipped, sizeof(skipped) - 1);

    for (LLVMValueRef f = LLVMGetFirstFunction(ir->module); f; f = LLVMGetNextFunction(f))
        LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);
    LLVMConsumeError(LLVMRunPasses(ir->module, "function(mem2reg)", NULL, options));
    LLVMDisposePassBuilderOptions(options);
}

/* Of calls with the same number, one that is executed. */
static void prefer_live(struct pl_ir *ir)
{
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        if (ir->calls[i].number < ir->n_numbers && ir->functions[ir->calls[i].function].live)
            ir->call_of[ir->calls[i].number] = i;
    }
}

int pl_analyse(struct pl_analysis *a, uint64_t limit, struct pl_err *err)
{
    struct timespec from, to;

    clock_gettime(CLOCK_MONOTONIC, &from);
    promote(&a->ir);
    a->ir.n_copies = pl_clone_helpers(a->ir.module);
    pl_ir_index(&a->ir);
    if (a->ir.main == PL_IR_NONE)
        return pl_err_set(err, PL_ERR_TARGET,
                          "There is no main() in the bitcode that the program carries. Build the "
                          "file that has it with `plait cc --whole`, too.");
    pl_flow_run(&a->flow, &a->ir, limit);
    pl_threads_find(&a->threads, &a->flow);
    prefer_live(&a->ir);
    pl_conflicts_escape(&a->threads);
    pl_locks_find(&a->locks, &a->threads);
    pl_conflicts_find(&a->conflicts, &a->locks);
    a->fixed = pl_fixed_find(&a->conflicts);
    a->names = pl_names_make(&a->flow);
    if (!a->apart)
        pl_matched_merge(&a->conflicts, a->names);
    pl_rows_find(&a->rows, &a->conflicts);
    clock_gettime(CLOCK_MONOTONIC, &to);
    a->milliseconds =
        (uint32_t)((to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000);
    return 0;
}

/* ---- the table ---- */

struct making {
    struct pl_analysis *a;
    struct pl_pairs_parts parts;
    struct pl_matched matched; /* with ir.by_place */
    bool *placed;              /* by site */
    uint32_t *position_of;     /* by call */
};

static void make_positions(struct making *m)
{
    struct pl_ir *ir = &m->a->ir;

    m->position_of = pl_err_must(malloc((ir->n_calls + 1) * sizeof(*m->position_of)));
    m->parts.positions = pl_err_must(calloc(ir->n_calls + 1, sizeof(*m->parts.positions)));
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        m->position_of[i] = PL_PAIR_NONE;
        if (!ir->functions[ir->calls[i].function].live)
            continue;
        m->position_of[i] = m->parts.n_positions;
        m->parts.positions[m->parts.n_positions++] = (struct pl_pair_position){
            .site = m->a->conflicts.site_of[i], .at = m->a->rows.at[i], .past = m->a->rows.past[i]};
    }
}

static void add_place(struct making *m, uint32_t position, uint64_t pc, uint32_t module)
{
    if (position != PL_PAIR_NONE)
        m->parts.places[m->parts.n_places++] =
            (struct pl_pair_place){.pc = pc, .position = position, .module = module};
}

static void make_places(struct making *m)
{
    struct pl_ir *ir = &m->a->ir;

    if (ir->by_place)
        pl_matched_find(&m->matched, &m->a->conflicts, m->a->names);
    m->placed = pl_err_must(calloc(m->a->conflicts.n_sites + 1, sizeof(*m->placed)));
    m->parts.places =
        pl_err_must(calloc(ir->n_places + m->matched.n + 1, sizeof(*m->parts.places)));
    for (uint32_t i = 0; i < m->matched.n; i++) {
        const struct pl_matched_place *p = &m->matched.places[i];

        m->placed[p->site] = true;
        add_place(m, m->position_of[m->a->conflicts.sites[p->site].call], p->pc, p->module);
    }
    for (uint32_t i = 0; i < ir->n_places && !ir->by_place; i++) {
        uint32_t call = ir->call_of[ir->places[i].number];

        if (call == PL_IR_NONE)
            continue;
        if (m->a->conflicts.site_of[call] != PL_PAIR_NONE)
            m->placed[m->a->conflicts.site_of[call]] = true;
        add_place(m, m->position_of[call], ir->places[i].pc, ir->places[i].module);
    }
    m->parts.n_lost = m->matched.n_lost;
    m->parts.modules = pl_err_must(calloc(ir->n_modules + 1, sizeof(*m->parts.modules)));
    m->parts.n_modules = ir->n_modules;
    for (uint32_t i = 0; i < ir->n_modules; i++)
        m->parts.modules[i].name = ir->modules[i];
}

static bool is_before_number(const void *row, const void *key)
{
    return ((const struct pl_ir_place *)row)->number < *(const uint32_t *)key;
}

/* One of the places of a call; NULL: it has none. */
static const struct pl_ir_place *place_of(const struct pl_ir *ir, uint32_t call)
{
    uint32_t number = ir->calls[call].number;
    size_t i =
        pl_ir_first(ir->places, ir->n_places, sizeof(*ir->places), &number, is_before_number);

    return i < ir->n_places && ir->places[i].number == number ? &ir->places[i] : NULL;
}

/* Where it was inlined, or the one call of its function. */
static char *caller_of(struct pl_analysis *a, const struct pl_conflicts_site *s,
                       const struct pl_name_place *p)
{
    const struct pl_ir_function *f = &a->ir.functions[a->ir.calls[s->call].function];
    const char *file = p->inlined_file;
    uint32_t line = p->inlined_line;
    char *text = NULL;

    if (line == 0 && f->callers.n == 1 && !s->several) {
        struct pl_name_place q = pl_names_place(a->names, a->ir.calls[f->callers.at[0]].inst);

        file = q.file;
        line = q.line;
    }
    if (line == 0 || asprintf(&text, "%s:%u", file, line) < 0)
        return NULL;
    return text;
}

/* The kinds of threads that are created at a site. */
static uint64_t creates(const struct pl_analysis *a, uint32_t site)
{
    uint32_t call = a->conflicts.sites[site].call;
    uint64_t bits = 0;

    for (uint32_t i = 1; i < a->threads.n; i++) {
        uint32_t create = a->threads.classes[i].create;

        if ((create != PL_IR_NONE && a->conflicts.site_of[create] == site) ||
            a->threads.classes[i].others)
            bits |= UINT64_C(1) << i;
    }
    return a->ir.calls[call].model && a->ir.calls[call].model->does == PL_MODEL_CREATES ? bits : 0;
}

static uint8_t site_flags(const struct making *m, const struct pl_conflicts_site *s)
{
    const struct pl_analysis *a = m->a;
    const struct pl_ir_call *c = &a->ir.calls[s->call];
    unsigned op = c->model ? c->model->op : PL_OP_NONE;
    uint8_t flags = 0;

    for (uint32_t i = 0; i < s->n; i++) {
        uint8_t role = a->conflicts.touches[s->first + i].role;

        flags |= role == PL_CONFLICTS_READS ? PL_PAIR_READS : PL_PAIR_WRITES;
    }
    flags |= s->writes ? PL_PAIR_WRITES : 0;
    flags |= s->more ? PL_PAIR_MORE : 0;
    flags |= pl_operation_is(op, PL_ROLES(ATOMIC)) ? PL_PAIR_IS_ATOMIC : 0;
    flags |= c->model && c->model->does == PL_MODEL_HOOK ? PL_PAIR_HOOKED : 0;
    flags |= c->looped || s->several || a->ir.functions[c->function].many ? PL_PAIR_MANY : 0;
    if (!m->placed[s - a->conflicts.sites])
        return flags | PL_PAIR_UNPLACED;
    const struct pl_ir_place *place = place_of(&a->ir, s->call);

    return place != NULL && place->off ? flags | PL_PAIR_UNHOOKED : flags;
}

/* What its address is computed from, if that is settled; or 0. */
static uint32_t base_of(const struct pl_analysis *a, uint32_t call, int32_t *offset)
{
    uint32_t number = a->ir.calls[call].number;

    *offset = 0;
    if (a->fixed == NULL || number >= a->ir.n_numbers || a->fixed[number].base == PL_IR_NONE)
        return 0;
    *offset = a->fixed[number].offset;
    return a->fixed[number].base + 1;
}

/* Sites at one place in the source are told apart by their order in the function. */
static uint64_t site_key(const struct pl_name_place *p, unsigned op, uint32_t ordinal)
{
    uint64_t h = pl_hash_add(pl_hash_text(p->function), pl_hash_text(p->file));

    h = pl_hash_add(pl_hash_add(h, p->line), p->column);
    h = pl_hash_add(pl_hash_add(h, op), pl_hash_text(p->inlined_file));
    return pl_hash_add(pl_hash_add(h, p->inlined_line), ordinal);
}

static void make_sites(struct making *m)
{
    struct pl_analysis *a = m->a;
    const struct pl_conflicts *c = &a->conflicts;
    uint64_t last = 0;
    uint32_t ordinal = 0;

    m->parts.n_sites = c->n_sites;
    m->parts.sites = pl_err_must(calloc(c->n_sites + 1, sizeof(*m->parts.sites)));
    for (uint32_t i = 0; i < c->n_sites; i++) {
        const struct pl_ir_call *call = &a->ir.calls[c->sites[i].call];
        struct pl_name_place p = pl_names_place(a->names, call->inst);
        unsigned op = call->model ? call->model->op : PL_OP_NONE;
        uint64_t key = site_key(&p, op, 0);
        struct pl_pairs_site *to = &m->parts.sites[i];

        ordinal = key == last ? ordinal + 1 : 0;
        last = key;
        to->site = (struct pl_pair_site){.key = site_key(&p, op, ordinal),
                                         .op = (uint8_t)op,
                                         .flags = site_flags(m, &c->sites[i]),
                                         .size = call->model ? call->model->size : 0,
                                         .line = p.line,
                                         .column = p.column,
                                         .position = m->position_of[c->sites[i].call],
                                         .target = a->rows.target_of[i],
                                         .roots = a->ir.functions[call->function].roots |
                                                  c->sites[i].roots,
                                         .creates = creates(a, i)};
        to->site.base = base_of(a, c->sites[i].call, &to->site.offset);
        to->file = p.file;
        to->function = p.function;
        to->caller = caller_of(a, &c->sites[i], &p);
        m->parts.n_unmatched += (to->site.flags & PL_PAIR_UNPLACED) != 0;
    }
    m->parts.n_targets = a->rows.n_targets;
    m->parts.targets = a->rows.targets;
    m->parts.rows = a->rows.rows;
    m->parts.n_rows = a->rows.n;
}

/* The locks that are held at a call, with commas between them. */
static char *locks_at(struct pl_analysis *a, uint32_t call)
{
    const struct pl_locks_function *f = &a->locks.functions[a->ir.calls[call].function];
    char *text = NULL;

    for (uint32_t k = 0; k < f->n; k++) {
        const struct pl_solve_set *set = pl_flow_set(&a->flow, f->list[k].node);
        char *more = NULL;

        if ((a->locks.held[call] >> k & 1) == 0 || set->n != 1)
            continue;
        char *name = pl_names_location(a->names, set->at[0]);

        if (text == NULL) {
            text = name;
        } else if (strstr(text, name) == NULL && asprintf(&more, "%s, %s", text, name) >= 0) {
            free(text);
            free(name);
            text = more;
        } else {
            free(name);
        }
    }
    return text;
}

static uint16_t priority_of(const struct pl_conflicts_pair *p)
{
    return (uint16_t)(2 * pl_pair_priority(p->kind) + p->must);
}

enum { FEW = 100 }; /* pairs, which are all read: the most suspicious first */

/* Where in the list a pair comes. */
struct ranked {
    const struct pl_conflicts_pair *pair;
    uint16_t rank;
};

/* The most likely first, of these the most suspicious, then in the order of the code. */
static int by_rank(const void *x, const void *y)
{
    const struct ranked *r = x, *s = y;
    const struct pl_conflicts_pair *p = r->pair, *q = s->pair;

    if (r->rank != s->rank)
        return r->rank > s->rank ? -1 : 1;
    if (priority_of(p) != priority_of(q))
        return priority_of(p) > priority_of(q) ? -1 : 1;
    if (p->a != q->a)
        return p->a > q->a ? 1 : -1;
    return (p->b > q->b) - (p->b < q->b);
}

static struct ranked *rank_pairs(const struct pl_conflicts *c)
{
    struct ranked *ranked = pl_err_must(calloc(c->n_pairs + 1, sizeof(*ranked)));
    uint16_t *ranks = pl_rank_pairs(c);

    for (uint32_t i = 0; i < c->n_pairs; i++)
        ranked[i] = (struct ranked){.pair = &c->pairs[i], .rank = c->n_pairs > FEW ? ranks[i] : 0};
    qsort(ranked, c->n_pairs, sizeof(*ranked), by_rank);
    free(ranks);
    return ranked;
}

static uint8_t pair_flags(const struct making *m, const struct pl_conflicts_pair *p)
{
    bool fixed = m->parts.sites[p->a].site.base != 0 && m->parts.sites[p->b].site.base != 0;

    return (uint8_t)((p->must ? PL_PAIR_MUST : 0) | (fixed ? PL_PAIR_FIXED : 0) |
                     (p->held ? 0 : PL_PAIR_PERMUTED));
}

static void make_pairs(struct making *m)
{
    struct pl_analysis *a = m->a;
    const struct pl_conflicts *c = &a->conflicts;
    struct ranked *ranked = rank_pairs(c);

    m->parts.n_pairs = c->n_pairs;
    m->parts.pairs = pl_err_must(calloc(c->n_pairs + 1, sizeof(*m->parts.pairs)));
    for (uint32_t i = 0; i < c->n_pairs; i++) {
        const struct pl_conflicts_pair *p = ranked[i].pair;
        struct pl_pairs_pair *to = &m->parts.pairs[i];

        to->pair = (struct pl_pair){.a = p->a,
                                    .b = p->b,
                                    .kind = p->kind,
                                    .flags = pair_flags(m, p),
                                    .priority = priority_of(p),
                                    .roots_a = p->roots_a,
                                    .roots_b = p->roots_b};
        to->object = pl_names_location(a->names, p->location);
        to->locks_a = locks_at(a, c->sites[p->a].call);
        to->locks_b = locks_at(a, c->sites[p->b].call);
    }
    free(ranked);
}

static void make_roots(struct making *m)
{
    struct pl_analysis *a = m->a;

    m->parts.n_roots = a->threads.n;
    m->parts.roots = pl_err_must(calloc(a->threads.n + 1, sizeof(*m->parts.roots)));
    for (uint32_t i = 0; i < a->threads.n; i++) {
        const struct pl_threads_class *k = &a->threads.classes[i];
        struct pl_pairs_root *to = &m->parts.roots[i];

        to->root.created =
            k->create != PL_IR_NONE && !k->others ? a->conflicts.site_of[k->create] : PL_PAIR_NONE;
        to->root.row = k->others ? PL_PAIR_NONE : a->rows.entries[k->function];
        to->root.many = k->many;
        to->function =
            k->others ? "others" : pl_names_function(a->names, a->ir.functions[k->function].value);
    }
}

struct pl_pair_table *pl_analyse_table(struct pl_analysis *a)
{
    struct making m = {.a = a};

    make_positions(&m);
    make_places(&m);
    make_sites(&m);
    make_pairs(&m);
    make_roots(&m);
    m.parts.build = a->ir.build;
    m.parts.milliseconds = a->milliseconds;
    m.parts.lacks = (a->flow.coarse ? PL_PAIR_COARSE_POINTERS : 0) |
                    (a->rows.coarse ? PL_PAIR_COARSE_ROWS : 0) |
                    (a->conflicts.cut ? PL_PAIR_CUT : 0) | (a->ir.partly ? PL_PAIR_PARTLY : 0) |
                    (a->ir.by_place ? PL_PAIR_BY_PLACE : 0);
    return pl_pairs_pack(&m.parts);
}
