/* SPDX-License-Identifier: MIT */
/* See covered.h.  Tables of indices by key are JSON objects, which are hash tables. */
#include "trace/covered.h"

#include "base/assert.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct indices {
    json_t *campaigns, *functions, *switches, *statements, *threads, *ran, *together;
#define PL_COVERED_LIST(list, one, version) json_t *list;
#include "trace/covered.def"
#undef PL_COVERED_LIST
};

static struct indices *indices_of(struct pl_covered *c)
{
    struct indices *i = c->indices;

    if (i != NULL)
        return i;
    c->indices = i = pl_err_must(calloc(1, sizeof(*i)));
    i->campaigns = pl_err_must(json_object());
    i->functions = pl_err_must(json_object());
    i->switches = pl_err_must(json_object());
    i->statements = pl_err_must(json_object());
    i->threads = pl_err_must(json_object());
    i->ran = pl_err_must(json_object());
    i->together = pl_err_must(json_object());
#define PL_COVERED_LIST(list, one, version) i->list = pl_err_must(json_object());
#include "trace/covered.def"
#undef PL_COVERED_LIST
    return i;
}

/* The index of the key, which is `next` when it is new, as *is_new says. */
static uint32_t find(json_t *index, const char *key, size_t next, bool *is_new)
{
    const json_t *value = json_object_get(index, key);

    *is_new = value == NULL;
    if (value != NULL)
        return (uint32_t)json_integer_value(value);
    PL_ASSERT(next < UINT32_MAX);
    json_object_set_new_nocheck(index, key, json_integer((json_int_t)next));
    return (uint32_t)next;
}

/* Room for one more: lists grow by doubling. */
static void *one_more(void *list, size_t n, size_t size)
{
    return n == 0 || (n >= 16 && (n & (n - 1)) == 0)
               ? pl_err_must(realloc(list, (n < 16 ? 16 : 2 * n) * size))
               : list;
}

static char *copy(const char *text)
{
    return pl_err_must(strdup(text ? text : ""));
}

uint32_t pl_covered_campaign(struct pl_covered *c, const char *id, uint64_t started_ms)
{
    bool is_new;
    uint32_t i = find(indices_of(c)->campaigns, id, c->n_campaigns, &is_new);

    if (is_new) {
        c->campaigns = one_more(c->campaigns, c->n_campaigns, sizeof(*c->campaigns));
        c->campaigns[c->n_campaigns++] =
            (struct pl_covered_campaign){.id = copy(id), .started_ms = started_ms};
    }
    return i;
}

uint32_t pl_covered_function(struct pl_covered *c, const char *module, const char *name,
                             const char *file)
{
    bool is_new;
    char *key;

    if (asprintf(&key, "%s\n%s\n%s", module, name, file) < 0)
        abort();
    uint32_t i = find(indices_of(c)->functions, key, c->n_functions, &is_new);

    free(key);
    if (is_new) {
        c->functions = one_more(c->functions, c->n_functions, sizeof(*c->functions));
        c->functions[c->n_functions++] = (struct pl_covered_function){
            .module = copy(module), .name = copy(name), .file = copy(file)};
    }
    return i;
}

/* Of two places of one statement the one of the greater build stays, whoever comes first. */
static void place(struct pl_covered_statement *to, const struct pl_covered_statement *s)
{
    int order = strcmp(s->build ? s->build : "", to->build);

    if (order < 0 ||
        (order == 0 && (s->pc < to->pc || (s->pc == to->pc && s->caller_pc <= to->caller_pc))))
        return;
    free(to->build);
    to->build = copy(s->build);
    to->pc = s->pc;
    to->caller_pc = s->caller_pc;
}

static char *statement_key(const struct pl_covered_statement *s)
{
    char *key;

    if (asprintf(&key, "%u\n%s\n%s\n%s", s->function, s->place, s->operation, s->caller) < 0)
        abort();
    return key;
}

bool pl_covered_has_statement(struct pl_covered *c, const struct pl_covered_statement *s)
{
    char *key = statement_key(s);
    bool has = json_object_get(indices_of(c)->statements, key) != NULL;

    free(key);
    return has;
}

uint32_t pl_covered_statement(struct pl_covered *c, const struct pl_covered_statement *s)
{
    bool is_new;
    char *key = statement_key(s);
    uint32_t i = find(indices_of(c)->statements, key, c->n_statements, &is_new);

    free(key);
    if (is_new) {
        c->statements = one_more(c->statements, c->n_statements, sizeof(*c->statements));
        c->statements[c->n_statements++] = (struct pl_covered_statement){
            .function = s->function,
            .place = copy(s->place),
            .operation = copy(s->operation),
            .caller = copy(s->caller),
            .build = copy(""),
        };
    }
    PL_ASSERT(i < c->n_statements && s->function < c->n_functions);
    place(&c->statements[i], s);
    return i;
}

uint32_t pl_covered_thread(struct pl_covered *c, uint64_t name)
{
    bool is_new;
    char key[20];

    snprintf(key, sizeof(key), "%llx", (unsigned long long)name);
    uint32_t i = find(indices_of(c)->threads, key, c->n_threads, &is_new);

    if (is_new) {
        c->threads = one_more(c->threads, c->n_threads, sizeof(*c->threads));
        c->threads[c->n_threads++] = (struct pl_covered_thread){.name = name};
    }
    return i;
}

/* ---- tasks ---- */

bool pl_covered_earlier(const struct pl_covered *c, struct pl_covered_first a,
                        struct pl_covered_first b)
{
    const struct pl_covered_campaign *x, *y;

    if (a.execution == 0 || b.execution == 0)
        return a.execution != 0;
    if (a.campaign == b.campaign)
        return a.execution < b.execution;
    PL_ASSERT(a.campaign < c->n_campaigns && b.campaign < c->n_campaigns);
    x = &c->campaigns[a.campaign];
    y = &c->campaigns[b.campaign];
    return x->started_ms != y->started_ms ? x->started_ms < y->started_ms
                                          : strcmp(x->id, y->id) < 0;
}

static bool show(const struct pl_covered *c, struct pl_covered_first *to,
                 struct pl_covered_first at)
{
    bool is_new = to->execution == 0;

    if (at.execution == 0)
        return false;
    if (pl_covered_earlier(c, at, *to))
        *to = at;
    return is_new;
}

bool pl_covered_interrupted(struct pl_covered *c, uint32_t function, struct pl_covered_first at)
{
    PL_ASSERT(function < c->n_functions);
    return show(c, &c->functions[function].interrupted, at);
}

bool pl_covered_whole(struct pl_covered *c, uint32_t function, struct pl_covered_first at)
{
    PL_ASSERT(function < c->n_functions);
    return show(c, &c->functions[function].whole, at);
}

void pl_covered_searched(struct pl_covered *c, uint32_t function, const char *build)
{
    PL_ASSERT(function < c->n_functions && (build == NULL || build[0] != '\0'));
    free(c->functions[function].searched);
    c->functions[function].searched = build != NULL ? copy(build) : NULL;
}

static bool add_task(struct pl_covered *c, json_t *index, struct pl_covered_task **tasks, size_t *n,
                     uint32_t a, uint32_t b, struct pl_covered_first at)
{
    bool is_new;
    char key[32];

    snprintf(key, sizeof(key), "%u %u", a, b);
    uint32_t i = find(index, key, *n, &is_new);

    if (is_new) {
        *tasks = one_more(*tasks, *n, sizeof(**tasks));
        (*tasks)[(*n)++] = (struct pl_covered_task){.a = a, .b = b};
    }
    PL_ASSERT(i < *n && at.campaign < c->n_campaigns);
    return show(c, &(*tasks)[i].first, at);
}

bool pl_covered_switch(struct pl_covered *c, uint32_t a, uint32_t b, struct pl_covered_first at)
{
    return at.execution != 0 &&
           add_task(c, indices_of(c)->switches, &c->switches, &c->n_switches, a, b, at);
}

#define PL_COVERED_LIST(list, one, version)                                        \
    bool pl_covered_##one(struct pl_covered *c, uint32_t a, uint32_t b,            \
                          struct pl_covered_first at)                              \
    {                                                                              \
        return at.execution != 0 &&                                                \
               add_task(c, indices_of(c)->list, &c->list, &c->n_##list, a, b, at); \
    }
#include "trace/covered.def"
#undef PL_COVERED_LIST

static bool has(const json_t *index, uint32_t a, uint32_t b)
{
    char key[32];

    snprintf(key, sizeof(key), "%u %u", a, b);
    return json_object_get(index, key) != NULL;
}

bool pl_covered_has_predecessor(struct pl_covered *c, uint32_t a, uint32_t b)
{
    return has(indices_of(c)->predecessors, a, b);
}

bool pl_covered_has_failed(struct pl_covered *c, uint32_t a, uint32_t b)
{
    return has(indices_of(c)->failing, a, b);
}

static void relate(json_t *index, uint32_t a, uint32_t b, uint32_t **list, size_t *n)
{
    bool is_new;
    char key[32];

    snprintf(key, sizeof(key), "%u %u", a, b);
    find(index, key, 1, &is_new);
    if (!is_new)
        return;
    *list = one_more(*list, *n, sizeof(**list));
    (*list)[(*n)++] = b;
}

void pl_covered_ran(struct pl_covered *c, uint32_t thread, uint32_t function)
{
    PL_ASSERT(thread < c->n_threads && function < c->n_functions);
    struct pl_covered_thread *t = &c->threads[thread];

    relate(indices_of(c)->ran, thread, function, &t->functions, &t->n_functions);
}

void pl_covered_together(struct pl_covered *c, uint32_t thread, uint32_t other)
{
    PL_ASSERT(thread < c->n_threads && other < c->n_threads);
    struct pl_covered_thread *t = &c->threads[thread];

    relate(indices_of(c)->together, thread, other, &t->together, &t->n_together);
}

/* ---- merging ---- */

/* Indices of one set as those of another. */
struct mapping {
    uint32_t *campaigns, *functions, *statements, *threads;
};

static uint32_t *list_of(size_t n)
{
    return pl_err_must(calloc(n + 1, sizeof(uint32_t)));
}

static struct pl_covered_first map_first(const struct mapping *m, struct pl_covered_first first)
{
    if (first.execution != 0)
        first.campaign = m->campaigns[first.campaign];
    return first;
}

static void merge_names(struct pl_covered *to, const struct pl_covered *from, struct mapping *m)
{
    for (size_t i = 0; i < from->n_campaigns; i++) {
        const struct pl_covered_campaign *c = &from->campaigns[i];
        uint32_t at = m->campaigns[i] = pl_covered_campaign(to, c->id, c->started_ms);

        if (c->executions > to->campaigns[at].executions)
            to->campaigns[at].executions = c->executions;
    }
    for (size_t i = 0; i < from->n_functions; i++) {
        const struct pl_covered_function *f = &from->functions[i];
        uint32_t at = m->functions[i] = pl_covered_function(to, f->module, f->name, f->file);

        to->functions[at].alone |= f->alone;
        to->functions[at].executed |= f->executed;
        /* Of two builds the greater stays, whoever comes first. */
        if (f->searched != NULL && (to->functions[at].searched == NULL ||
                                    strcmp(f->searched, to->functions[at].searched) > 0))
            pl_covered_searched(to, at, f->searched);
        pl_covered_interrupted(to, at, map_first(m, f->interrupted));
        pl_covered_whole(to, at, map_first(m, f->whole));
    }
    for (size_t i = 0; i < from->n_statements; i++) {
        struct pl_covered_statement s = from->statements[i];

        s.function = m->functions[s.function];
        m->statements[i] = pl_covered_statement(to, &s);
    }
}

typedef bool add_function(struct pl_covered *, uint32_t, uint32_t, struct pl_covered_first);

static void merge_list(struct pl_covered *to, const struct mapping *m, const uint32_t *indices,
                       const struct pl_covered_task *tasks, size_t n, add_function *add)
{
    for (size_t i = 0; i < n; i++)
        add(to, indices[tasks[i].a], indices[tasks[i].b], map_first(m, tasks[i].first));
}

static void merge_tasks(struct pl_covered *to, const struct pl_covered *from, struct mapping *m)
{
    merge_list(to, m, m->functions, from->switches, from->n_switches, pl_covered_switch);
#define PL_COVERED_LIST(list, one, version) \
    merge_list(to, m, m->statements, from->list, from->n_##list, pl_covered_##one);
#include "trace/covered.def"
#undef PL_COVERED_LIST
    for (size_t i = 0; i < from->n_threads; i++)
        m->threads[i] = pl_covered_thread(to, from->threads[i].name);
    for (size_t i = 0; i < from->n_threads; i++) {
        const struct pl_covered_thread *t = &from->threads[i];

        for (size_t k = 0; k < t->n_functions; k++)
            pl_covered_ran(to, m->threads[i], m->functions[t->functions[k]]);
        for (size_t k = 0; k < t->n_together; k++)
            pl_covered_together(to, m->threads[i], m->threads[t->together[k]]);
    }
}

void pl_covered_of(struct pl_covered *to, const char *program)
{
    char *before = to->program;

    if (program == NULL || (before != NULL && strcmp(before, program) == 0))
        return;
    to->program = copy(before == NULL ? program : "");
    free(before);
}

void pl_covered_merge(struct pl_covered *to, const struct pl_covered *from)
{
    PL_ASSERT(to != from);
    struct mapping m = {list_of(from->n_campaigns), list_of(from->n_functions),
                        list_of(from->n_statements), list_of(from->n_threads)};

    merge_names(to, from, &m);
    merge_tasks(to, from, &m);
    to->lost |= from->lost;
    pl_covered_of(to, from->program);
    free(m.campaigns);
    free(m.functions);
    free(m.statements);
    free(m.threads);
}

static void free_lists(struct pl_covered *c)
{
    for (size_t i = 0; i < c->n_campaigns; i++)
        free(c->campaigns[i].id);
    for (size_t i = 0; i < c->n_functions; i++) {
        free(c->functions[i].module);
        free(c->functions[i].name);
        free(c->functions[i].file);
        free(c->functions[i].searched);
    }
    for (size_t i = 0; i < c->n_statements; i++) {
        free(c->statements[i].place);
        free(c->statements[i].operation);
        free(c->statements[i].caller);
        free(c->statements[i].build);
    }
    for (size_t i = 0; i < c->n_threads; i++) {
        free(c->threads[i].functions);
        free(c->threads[i].together);
    }
}

void pl_covered_free(struct pl_covered *c)
{
    struct indices *i = c->indices;

    free_lists(c);
    free(c->program);
    free(c->campaigns);
    free(c->functions);
    free(c->switches);
    free(c->statements);
    free(c->threads);
#define PL_COVERED_LIST(list, one, version) free(c->list);
#include "trace/covered.def"
#undef PL_COVERED_LIST
    if (i != NULL) {
        json_decref(i->campaigns);
        json_decref(i->functions);
        json_decref(i->switches);
        json_decref(i->statements);
        json_decref(i->threads);
        json_decref(i->ran);
        json_decref(i->together);
#define PL_COVERED_LIST(list, one, version) json_decref(i->list);
#include "trace/covered.def"
#undef PL_COVERED_LIST
        free(i);
    }
    *c = (struct pl_covered){0};
}
