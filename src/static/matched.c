/* SPDX-License-Identifier: MIT */
/* See matched.h. */
#include "static/matched.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/operation.h"
#include "static/machine.h"

#include <llvm-c/Core.h>
#include <stdlib.h>
#include <string.h>

/* What a line has of one class. */
struct group {
    uint64_t key;
    uint32_t site;
};

/* ---- classes ---- */

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* What compilers make of assignments, and make into accesses. */
static bool is_copy(const char *name)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "memcmp", NULL};

    for (unsigned i = 0; names[i] != NULL; i++) {
        if (strcmp(name, names[i]) == 0)
            return true;
    }
    return false;
}

/* Compilers replace functions that write text by each other: all to one stream are one. */
static const char *family_of(const char *name)
{
    static const char *const families[][6] = {
        {"printf", "puts", "putchar", NULL}, {"fprintf", "fputs", "fwrite", "fputc", "putc", NULL}};

    for (unsigned i = 0; i < sizeof(families) / sizeof(families[0]); i++) {
        for (unsigned k = 0; families[i][k] != NULL; k++) {
            if (strcmp(families[i][k], name) == 0)
                return families[i][0];
        }
    }
    return name;
}

/* Accesses to memory are one class, however they are compiled; 0: nothing that is a site. */
static uint64_t class_of(const struct pl_model *m, const char *name)
{
    static const uint64_t memory = 1, atomic = 2;

    if (m == NULL || m->does == PL_MODEL_FRAMES)
        return 0;
    /* What the runtime is not told of, as the beginning of it all, is looked for by nobody. */
    if (m->op == PL_OP_NONE && strpbrk(m->args, "rwuURiyzodcgh~") == NULL)
        return 0;
    if (pl_operation_is(m->op, PL_ROLES(ATOMIC)))
        return atomic;
    if (m->does == PL_MODEL_HOOK || strncmp(name, "__tsan_", 7) == 0 || is_copy(name))
        return memory;
    return pl_hash_text(family_of(name)) | 4;
}

static uint64_t key_of(const char *file, uint32_t line, uint64_t class)
{
    return pl_hash_add(pl_hash_add(pl_hash_text(last_name(file)), line), class);
}

static uint64_t key_of_site(const struct pl_conflicts *c, struct pl_names *names, uint32_t site)
{
    const struct pl_ir_call *call = &c->ir->calls[c->sites[site].call];

    if (!c->ir->by_place) /* copies of a function have its numbers */
        return call->number != PL_IR_NONE ? call->number : PL_IR_NONE + UINT64_C(1) + site;
    struct pl_name_place p = pl_names_place(names, call->inst);
    size_t n;
    const char *name = call->declared ? LLVMGetValueName2(call->declared, &n) : "";

    return key_of(p.file, p.line, class_of(call->model, name));
}

static int by_key(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? 1 : -1;
    return (x->site > y->site) - (x->site < y->site);
}

static struct group *sort_sites(const struct pl_conflicts *c, struct pl_names *names)
{
    struct group *g = pl_err_must(calloc(c->n_sites + 1, sizeof(*g)));

    for (uint32_t i = 0; i < c->n_sites; i++)
        g[i] = (struct group){key_of_site(c, names, i), i};
    if (c->n_sites > 1)
        qsort(g, c->n_sites, sizeof(*g), by_key);
    return g;
}

/* ---- merging ---- */

static int by_sites(const void *a, const void *b)
{
    const struct pl_conflicts_pair *x = a, *y = b;

    if (x->a != y->a)
        return x->a > y->a ? 1 : -1;
    if (x->b != y->b)
        return x->b > y->b ? 1 : -1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static void merge_pairs(struct pl_conflicts *c, const uint32_t *to)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_pairs; i++) {
        struct pl_conflicts_pair *p = &c->pairs[i];

        p->a = to[p->a];
        p->b = to[p->b];
        p->must &= c->ir->by_place || (!c->sites[p->a].several && !c->sites[p->b].several);
        if (p->a <= p->b)
            continue;
        struct pl_conflicts_pair q = *p;

        p->a = q.b;
        p->b = q.a;
        p->roots_a = q.roots_b;
        p->roots_b = q.roots_a;
    }
    if (c->n_pairs > 1)
        qsort(c->pairs, c->n_pairs, sizeof(*c->pairs), by_sites);
    for (uint32_t i = 0; i < c->n_pairs; i++) {
        struct pl_conflicts_pair *p = &c->pairs[i], *last = n > 0 ? &c->pairs[n - 1] : NULL;

        if (last == NULL || by_sites(last, p) != 0) {
            c->pairs[n++] = *p;
            continue;
        }
        last->roots_a |= p->roots_a;
        last->roots_b |= p->roots_b;
        last->must &= p->must && p->location == last->location;
        last->held &= p->held;
    }
    c->n_pairs = n;
}

void pl_matched_merge(struct pl_conflicts *c, struct pl_names *names)
{
    if (!c->ir->by_place && c->ir->n_copies == 0)
        return;
    struct group *g = sort_sites(c, names);
    uint32_t *first = pl_err_must(calloc(c->n_sites + 1, sizeof(*first)));
    uint32_t *to = pl_err_must(calloc(c->n_sites + 1, sizeof(*to)));
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_sites; i++)
        first[g[i].site] = i > 0 && g[i].key == g[i - 1].key ? first[g[i - 1].site] : g[i].site;
    for (uint32_t i = 0; i < c->n_sites; i++) { /* the first one of each has the lowest number */
        struct pl_conflicts_site *s = &c->sites[i];

        PL_ASSERT(first[i] <= i);
        to[i] = first[i] == i ? n++ : to[first[i]];
        for (uint32_t k = 0; k < s->n; k++)
            s->writes |= c->touches[s->first + k].role != PL_CONFLICTS_READS;
        s->roots |= c->ir->functions[c->ir->calls[s->call].function].roots;
        if (first[i] == i) {
            c->sites[to[i]] = *s;
            continue;
        }
        struct pl_conflicts_site *of = &c->sites[to[i]];

        of->several = true;
        of->paired |= s->paired;
        of->contested |= s->contested;
        of->writes |= s->writes;
        of->more |= s->more;
        of->roots |= s->roots;
    }
    for (uint32_t i = 0; i < c->ir->n_calls; i++) {
        if (c->site_of[i] != PL_IR_NONE)
            c->site_of[i] = to[c->site_of[i]];
    }
    c->n_sites = n;
    merge_pairs(c, to);
    free(g);
    free(first);
    free(to);
}

/* ---- finding ---- */

/* Hashes, sorted. */
struct hashes {
    uint64_t *at;
    uint32_t n;
};

struct finding {
    struct pl_matched *m;
    const struct pl_conflicts *c;
    const struct group *groups;
    struct hashes functions; /* that have sites, in a file; */
    struct hashes lines;     /* keys of lines together with a function that has it */
    uint32_t module;
};

static int by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

static bool has(const struct hashes *h, uint64_t x)
{
    return h->n > 0 && bsearch(&x, h->at, h->n, sizeof(x), by_value) != NULL;
}

static uint64_t function_key(const char *file, const char *function)
{
    return pl_hash_add(pl_hash_text(last_name(file)), pl_hash_text(function));
}

/* Which functions have which lines, by what clang made of them. */
static void find_functions(struct finding *f, struct pl_names *names)
{
    const struct pl_ir *ir = f->c->ir;

    f->functions.at = pl_err_must(calloc(ir->n_calls + 1, sizeof(uint64_t)));
    f->lines.at = pl_err_must(calloc(ir->n_calls + 1, sizeof(uint64_t)));
    for (uint32_t i = 0; i < ir->n_calls; i++) {
        const struct pl_ir_call *call = &ir->calls[i];
        size_t n;

        if (f->c->site_of[i] == PL_IR_NONE)
            continue;
        struct pl_name_place p = pl_names_place(names, call->inst);
        const char *name = call->declared ? LLVMGetValueName2(call->declared, &n) : "";
        uint64_t key = key_of(p.file, p.line, class_of(call->model, name));

        f->functions.at[f->functions.n++] = function_key(p.file, p.function);
        f->lines.at[f->lines.n++] = pl_hash_add(key, pl_hash_text(p.function));
    }
    qsort(f->functions.at, f->functions.n, sizeof(uint64_t), by_value);
    qsort(f->lines.at, f->lines.n, sizeof(uint64_t), by_value);
}

/*
 * Whether the line is that of another function: gcc has the line of a lambda for what is done with
 * its captures, wherever that is, and clang that of the statement.
 */
static bool is_astray(const struct finding *f, const struct pl_machine_call *call, uint64_t key)
{
    return call->function != NULL && has(&f->functions, function_key(call->file, call->function)) &&
           !has(&f->lines, pl_hash_add(key, pl_hash_text(call->function)));
}

static bool is_before_key(const void *row, const void *key)
{
    return ((const struct group *)row)->key < *(const uint64_t *)key;
}

static void find_call(const struct pl_machine_call *call, void *context)
{
    struct finding *f = context;
    const struct pl_model *model = pl_model_find(call->name);
    uint64_t class = class_of(model, call->name);
    uint64_t key = key_of(call->file, call->line, class);
    size_t from = pl_ir_first(f->groups, f->c->n_sites, sizeof(*f->groups), &key, is_before_key);

    if (class == 0)
        return;
    if (from == f->c->n_sites || f->groups[from].key != key || is_astray(f, call, key)) {
        f->m->n_lost++;
        return;
    }
    if (f->m->n == f->m->room) {
        f->m->room = f->m->room ? 2 * f->m->room : 1024;
        f->m->places = pl_err_must(realloc(f->m->places, f->m->room * sizeof(*f->m->places)));
    }
    f->m->places[f->m->n++] =
        (struct pl_matched_place){call->after, f->module, f->groups[from].site};
}

void pl_matched_find(struct pl_matched *m, const struct pl_conflicts *c, struct pl_names *names)
{
    struct group *g = sort_sites(c, names);
    struct finding f = {.m = m, .c = c, .groups = g};

    *m = (struct pl_matched){0};
    find_functions(&f, names);
    for (f.module = 0; f.module < c->ir->n_modules; f.module++)
        pl_machine_calls(c->ir->paths[f.module], find_call, &f);
    free(f.functions.at);
    free(f.lines.at);
    free(g);
}
