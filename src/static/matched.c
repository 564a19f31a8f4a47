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

/* Accesses to memory are one class, however they are compiled; 0: nothing that is a site. */
static uint64_t class_of(const struct pl_model *m, const char *name)
{
    static const uint64_t memory = 1, atomic = 2;

    if (m == NULL || m->does == PL_MODEL_FRAMES)
        return 0;
    if (pl_operation_is(m->op, PL_ROLES(ATOMIC)))
        return atomic;
    if (m->does == PL_MODEL_HOOK || strncmp(name, "__tsan_", 7) == 0 || is_copy(name))
        return memory;
    return pl_hash_text(name) | 4;
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

struct finding {
    struct pl_matched *m;
    const struct pl_conflicts *c;
    const struct group *groups;
    uint32_t module;
};

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
    if (from == f->c->n_sites || f->groups[from].key != key) {
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
    for (f.module = 0; f.module < c->ir->n_modules; f.module++)
        pl_machine_calls(c->ir->paths[f.module], find_call, &f);
    free(g);
}
