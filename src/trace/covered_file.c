/* SPDX-License-Identifier: MIT */
/*
 * See covered.h: sets as files.  A file is one JSON object; lists refer to each
 * other by index.  What is written is sorted, so that equal sets make equal
 * files.  What is read may be anything: it is put into a set of its own, and only
 * if all of it makes sense into the caller's.
 */
#include "base/assert.h"
#include "base/file.h"
#include "trace/covered.h"
#include "trace/value.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Which lists came with which version is in covered.def. */
enum { FIRST_VERSION = 1, CONCURRENT_VERSION = 3, HOLDS_VERSION = 4, VERSION = 4 };
static const char format[] = "plait coverage";

/* ---- order ---- */

/* ranks[i] is the place of entry i in the file, order[place] the entry. */
struct ranking {
    uint32_t *ranks, *order;
};

struct sorting {
    const struct pl_covered *set;
    const uint32_t *functions; /* ranks */
};

static int by_campaign(const void *a, const void *b, void *context)
{
    const struct sorting *s = context;
    struct pl_covered_first x = {*(const uint32_t *)a, 1}, y = {*(const uint32_t *)b, 1};

    return pl_covered_earlier(s->set, x, y) ? -1 : pl_covered_earlier(s->set, y, x);
}

static int by_function(const void *a, const void *b, void *context)
{
    const struct sorting *s = context;
    const struct pl_covered_function *x = &s->set->functions[*(const uint32_t *)a];
    const struct pl_covered_function *y = &s->set->functions[*(const uint32_t *)b];
    int order = strcmp(x->module, y->module);

    if (order == 0)
        order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->file, y->file);
}

static int by_statement(const void *a, const void *b, void *context)
{
    const struct sorting *s = context;
    const struct pl_covered_statement *x = &s->set->statements[*(const uint32_t *)a];
    const struct pl_covered_statement *y = &s->set->statements[*(const uint32_t *)b];
    int order = (s->functions[x->function] > s->functions[y->function]) -
                (s->functions[x->function] < s->functions[y->function]);

    if (order == 0)
        order = strcmp(x->place, y->place);
    if (order == 0)
        order = strcmp(x->operation, y->operation);
    return order != 0 ? order : strcmp(x->caller, y->caller);
}

static int by_thread(const void *a, const void *b, void *context)
{
    const struct sorting *s = context;
    uint64_t x = s->set->threads[*(const uint32_t *)a].name;
    uint64_t y = s->set->threads[*(const uint32_t *)b].name;

    return (x > y) - (x < y);
}

static struct ranking rank(size_t n, int (*compare)(const void *, const void *, void *),
                           struct sorting *s)
{
    struct ranking r = {pl_err_must(calloc(n + 1, sizeof(uint32_t))),
                        pl_err_must(calloc(n + 1, sizeof(uint32_t)))};

    for (size_t i = 0; i < n; i++)
        r.order[i] = (uint32_t)i;
    qsort_r(r.order, n, sizeof(uint32_t), compare, s);
    for (size_t i = 0; i < n; i++)
        r.ranks[r.order[i]] = (uint32_t)i;
    return r;
}

static int by_numbers(const void *a, const void *b)
{
    const struct pl_covered_task *x = a, *y = b;

    return x->a != y->a ? (x->a > y->a) - (x->a < y->a) : (x->b > y->b) - (x->b < y->b);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* ---- writing ---- */

struct writing {
    const struct pl_covered *set;
    struct ranking campaigns, functions, statements, threads;
};

static json_t *of_first(const struct writing *w, struct pl_covered_first first)
{
    json_t *list;

    if (first.execution == 0)
        return json_null();
    list = json_array();
    json_array_append_new(list, pl_value_number(w->campaigns.ranks[first.campaign]));
    json_array_append_new(list, pl_value_number(first.execution));
    return list;
}

static json_t *of_campaigns(const struct writing *w)
{
    json_t *list = json_array();

    for (size_t i = 0; i < w->set->n_campaigns; i++) {
        const struct pl_covered_campaign *c = &w->set->campaigns[w->campaigns.order[i]];
        json_t *o = json_object();

        json_object_set_new(o, "id", pl_value_text(c->id));
        json_object_set_new(o, "started_ms", pl_value_number(c->started_ms));
        json_object_set_new(o, "executions", pl_value_number(c->executions));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_functions(const struct writing *w)
{
    json_t *list = json_array();

    for (size_t i = 0; i < w->set->n_functions; i++) {
        const struct pl_covered_function *f = &w->set->functions[w->functions.order[i]];
        json_t *o = json_object();

        json_object_set_new(o, "module", pl_value_text(f->module));
        json_object_set_new(o, "name", pl_value_text(f->name));
        json_object_set_new(o, "file", pl_value_text(f->file));
        json_object_set_new(o, "alone", json_boolean(f->alone));
        json_object_set_new(o, "executed", json_boolean(f->executed));
        if (f->searched != NULL)
            json_object_set_new(o, "searched", pl_value_text(f->searched));
        json_object_set_new(o, "interrupted", of_first(w, f->interrupted));
        json_object_set_new(o, "whole", of_first(w, f->whole));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_statements(const struct writing *w)
{
    json_t *list = json_array();

    for (size_t i = 0; i < w->set->n_statements; i++) {
        const struct pl_covered_statement *s = &w->set->statements[w->statements.order[i]];
        json_t *o = json_object();

        json_object_set_new(o, "function", pl_value_number(w->functions.ranks[s->function]));
        json_object_set_new(o, "place", pl_value_text(s->place));
        json_object_set_new(o, "operation", pl_value_text(s->operation));
        json_object_set_new(o, "caller", pl_value_text(s->caller));
        json_object_set_new(o, "build", pl_value_text(s->build));
        json_object_set_new(o, "pc", pl_value_number(s->pc));
        json_object_set_new(o, "caller_pc", pl_value_number(s->caller_pc));
        json_array_append_new(list, o);
    }
    return list;
}

/* a, b, campaign, execution */
static json_t *of_tasks(const struct writing *w, const struct pl_covered_task *tasks, size_t n,
                        const uint32_t *ranks)
{
    PL_ASSERT(n == 0 || (tasks != NULL && ranks != NULL));
    struct pl_covered_task *sorted = pl_err_must(calloc(n + 1, sizeof(*sorted)));
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        sorted[i] = (struct pl_covered_task){ranks[tasks[i].a], ranks[tasks[i].b], tasks[i].first};
    qsort(sorted, n, sizeof(*sorted), by_numbers);
    for (size_t i = 0; i < n; i++) {
        json_t *o = json_array();

        json_array_append_new(o, pl_value_number(sorted[i].a));
        json_array_append_new(o, pl_value_number(sorted[i].b));
        json_array_append_new(o, pl_value_number(w->campaigns.ranks[sorted[i].first.campaign]));
        json_array_append_new(o, pl_value_number(sorted[i].first.execution));
        json_array_append_new(list, o);
    }
    free(sorted);
    return list;
}

static json_t *of_numbers(const uint32_t *numbers, size_t n, const uint32_t *ranks)
{
    uint32_t *sorted = pl_err_must(calloc(n + 1, sizeof(*sorted)));
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++)
        sorted[i] = ranks[numbers[i]];
    qsort(sorted, n, sizeof(*sorted), by_number);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, pl_value_number(sorted[i]));
    free(sorted);
    return list;
}

static json_t *of_threads(const struct writing *w)
{
    json_t *list = json_array();

    for (size_t i = 0; i < w->set->n_threads; i++) {
        const struct pl_covered_thread *t = &w->set->threads[w->threads.order[i]];
        json_t *o = json_object();
        char name[20];

        snprintf(name, sizeof(name), "%016llx", (unsigned long long)t->name);
        json_object_set_new(o, "name", pl_value_text(name));
        json_object_set_new(o, "functions",
                            of_numbers(t->functions, t->n_functions, w->functions.ranks));
        json_object_set_new(o, "together",
                            of_numbers(t->together, t->n_together, w->threads.ranks));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *of_set(const struct writing *w)
{
    const struct pl_covered *c = w->set;
    json_t *o = json_object();

    json_object_set_new(o, "format", pl_value_text(format));
    json_object_set_new(o, "version", json_integer(VERSION));
    json_object_set_new(o, "lost", json_boolean(c->lost));
    if (c->program != NULL)
        json_object_set_new(o, "program", pl_value_text(c->program));
    json_object_set_new(o, "campaigns", of_campaigns(w));
    json_object_set_new(o, "functions", of_functions(w));
    json_object_set_new(o, "switches", of_tasks(w, c->switches, c->n_switches, w->functions.ranks));
    json_object_set_new(o, "statements", of_statements(w));
#define PL_COVERED_LIST(list, one, version) \
    json_object_set_new(o, #list, of_tasks(w, c->list, c->n_##list, w->statements.ranks));
#include "trace/covered.def"
#undef PL_COVERED_LIST
    json_object_set_new(o, "threads", of_threads(w));
    return o;
}

static void free_ranking(struct ranking *r)
{
    free(r->ranks);
    free(r->order);
}

static json_t *to_json(const struct pl_covered *c)
{
    struct sorting s = {.set = c};
    struct writing w = {.set = c};

    w.campaigns = rank(c->n_campaigns, by_campaign, &s);
    w.functions = rank(c->n_functions, by_function, &s);
    s.functions = w.functions.ranks;
    w.statements = rank(c->n_statements, by_statement, &s);
    w.threads = rank(c->n_threads, by_thread, &s);
    PL_ASSERT(w.functions.ranks != NULL && w.statements.ranks != NULL);
    json_t *o = of_set(&w);

    free_ranking(&w.campaigns);
    free_ranking(&w.functions);
    free_ranking(&w.statements);
    free_ranking(&w.threads);
    return o;
}

/* As one text: the library would write every word and every comma by itself. */
static int write_json(const json_t *value, int fd)
{
    char *text = json_dumps(value, JSON_COMPACT);
    size_t size = text != NULL ? strlen(text) : 0, done = 0;

    while (done < size) {
        ssize_t n = write(fd, text + done, size - done);

        if (n < 0 && errno != EINTR)
            break;
        done += n > 0 ? (size_t)n : 0;
    }
    free(text);
    return text != NULL && done == size ? 0 : -1;
}

int pl_covered_write(const struct pl_covered *c, const char *path, struct pl_err *err)
{
    PL_ASSERT(path != NULL && path[0] != '\0');
    json_t *o = to_json(c);
    char part[PATH_MAX];
    int fd = pl_file_draft(path, part, sizeof(part));
    int rc = fd >= 0 ? write_json(o, fd) : -1;

    if (fd >= 0)
        rc |= close(fd);
    if (rc == 0)
        rc = rename(part, path);
    if (rc != 0) {
        rc = pl_err_set(err, PL_ERR_USER, "%.300s cannot be written: %s. Choose another place.",
                        path, strerror(errno));
        if (fd >= 0)
            unlink(part);
    }
    json_decref(o);
    return rc;
}

/* ---- reading ---- */

/* A number below the limit; false when it is none. */
static bool number_of(const json_t *value, uint64_t limit, uint64_t *n)
{
    json_int_t got = json_integer_value(value);

    *n = (uint64_t)got;
    return json_is_integer(value) && got >= 0 && *n < limit;
}

static bool first_of(const json_t *value, const struct pl_covered *c,
                     struct pl_covered_first *first)
{
    uint64_t campaign;

    *first = (struct pl_covered_first){0};
    if (json_is_null(value))
        return true;
    if (json_array_size(value) != 2 ||
        !number_of(json_array_get(value, 0), c->n_campaigns, &campaign) ||
        !number_of(json_array_get(value, 1), INT64_MAX, &first->execution))
        return false;
    first->campaign = (uint32_t)campaign;
    return first->execution > 0;
}

static bool read_campaigns(struct pl_covered *c, const json_t *list)
{
    const json_t *o;
    size_t i;

    if (!json_is_array(list))
        return false;
    json_array_foreach(list, i, o)
    {
        const char *id = json_string_value(json_object_get(o, "id"));
        uint64_t started, executions;

        if (id == NULL || !number_of(json_object_get(o, "started_ms"), INT64_MAX, &started) ||
            !number_of(json_object_get(o, "executions"), INT64_MAX, &executions) ||
            pl_covered_campaign(c, id, started) != i)
            return false;
        c->campaigns[i].executions = executions;
    }
    return true;
}

static bool read_functions(struct pl_covered *c, const json_t *list)
{
    const json_t *o;
    size_t i;

    if (!json_is_array(list))
        return false;
    json_array_foreach(list, i, o)
    {
        const char *module = json_string_value(json_object_get(o, "module"));
        const char *name = json_string_value(json_object_get(o, "name"));
        const char *file = json_string_value(json_object_get(o, "file"));
        struct pl_covered_first interrupted, whole;

        if (module == NULL || name == NULL || file == NULL ||
            !first_of(json_object_get(o, "interrupted"), c, &interrupted) ||
            !first_of(json_object_get(o, "whole"), c, &whole) ||
            pl_covered_function(c, module, name, file) != i)
            return false;
        c->functions[i].alone = json_is_true(json_object_get(o, "alone"));
        c->functions[i].executed = json_is_true(json_object_get(o, "executed"));
        if (json_string_length(json_object_get(o, "searched")) > 0)
            pl_covered_searched(c, (uint32_t)i, json_string_value(json_object_get(o, "searched")));
        pl_covered_interrupted(c, (uint32_t)i, interrupted);
        pl_covered_whole(c, (uint32_t)i, whole);
    }
    return true;
}

static bool read_statements(struct pl_covered *c, const json_t *list)
{
    const json_t *o;
    size_t i;

    if (!json_is_array(list))
        return false;
    json_array_foreach(list, i, o)
    {
        uint64_t function;
        struct pl_covered_statement s = {
            .place = (char *)json_string_value(json_object_get(o, "place")),
            .operation = (char *)json_string_value(json_object_get(o, "operation")),
            .caller = (char *)json_string_value(json_object_get(o, "caller")),
            .build = (char *)json_string_value(json_object_get(o, "build"))};

        if (s.place == NULL || s.operation == NULL || s.caller == NULL || s.build == NULL ||
            !number_of(json_object_get(o, "function"), c->n_functions, &function) ||
            !number_of(json_object_get(o, "pc"), INT64_MAX, &s.pc) ||
            !number_of(json_object_get(o, "caller_pc"), INT64_MAX, &s.caller_pc))
            return false;
        s.function = (uint32_t)function;
        if (pl_covered_statement(c, &s) != i)
            return false;
    }
    return true;
}

static bool read_tasks(struct pl_covered *c, const json_t *list, size_t limit,
                       bool (*add)(struct pl_covered *, uint32_t, uint32_t,
                                   struct pl_covered_first))
{
    const json_t *o;
    size_t i;

    if (!json_is_array(list))
        return false;
    json_array_foreach(list, i, o)
    {
        uint64_t a, b, campaign, execution;

        if (json_array_size(o) != 4 || !number_of(json_array_get(o, 0), limit, &a) ||
            !number_of(json_array_get(o, 1), limit, &b) ||
            !number_of(json_array_get(o, 2), c->n_campaigns, &campaign) ||
            !number_of(json_array_get(o, 3), INT64_MAX, &execution) || execution == 0 ||
            !add(c, (uint32_t)a, (uint32_t)b,
                 (struct pl_covered_first){(uint32_t)campaign, execution}))
            return false;
    }
    return true;
}

static bool read_relation(struct pl_covered *c, uint32_t thread, const json_t *list, size_t limit,
                          void (*add)(struct pl_covered *, uint32_t, uint32_t))
{
    const json_t *o;
    size_t i;

    json_array_foreach(list, i, o)
    {
        uint64_t n;

        if (!number_of(o, limit, &n))
            return false;
        add(c, thread, (uint32_t)n);
    }
    return json_is_array(list);
}

static bool read_threads(struct pl_covered *c, const json_t *list)
{
    const json_t *o;
    size_t i;

    if (!json_is_array(list))
        return false;
    json_array_foreach(list, i, o)
    {
        const char *name = json_string_value(json_object_get(o, "name"));

        if (name == NULL || pl_covered_thread(c, strtoull(name, NULL, 16)) != i)
            return false;
    }
    json_array_foreach(list, i, o)
    {
        if (!read_relation(c, (uint32_t)i, json_object_get(o, "functions"), c->n_functions,
                           pl_covered_ran) ||
            !read_relation(c, (uint32_t)i, json_object_get(o, "together"), c->n_threads,
                           pl_covered_together))
            return false;
    }
    return true;
}

static bool is_reflexive(const struct pl_covered_task *tasks, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (tasks[i].a != tasks[i].b)
            return false;
    }
    return true;
}

/* Nobody has written what is about two statements where it is about one. */
static const char *check_lists(const struct pl_covered *c)
{
    return !is_reflexive(c->first_reads, c->n_first_reads)           ? "first_reads"
           : !is_reflexive(c->without_lock, c->n_without_lock)       ? "without_lock"
           : !is_reflexive(c->first_in_hold, c->n_first_in_hold)     ? "first_in_hold"
           : !is_reflexive(c->last_in_hold, c->n_last_in_hold)       ? "last_in_hold"
           : !is_reflexive(c->lasting_in_hold, c->n_lasting_in_hold) ? "lasting_in_hold"
                                                                     : NULL;
}

/* NULL, or the name of a list that makes no sense; earlier versions did not have all of them. */
static const char *read_lists(struct pl_covered *c, const json_t *o, json_int_t version)
{
#define PL_COVERED_LIST(list, one, since)                                             \
    if (version >= (since) &&                                                         \
        !read_tasks(c, json_object_get(o, #list), c->n_statements, pl_covered_##one)) \
        return #list;
#include "trace/covered.def"
#undef PL_COVERED_LIST
    if (version < CONCURRENT_VERSION) { /* as far as they say, any two could come in both orders */
        for (size_t i = 0; i < c->n_pairs; i++)
            pl_covered_concurrent(c, c->pairs[i].a, c->pairs[i].b, c->pairs[i].first);
    }
    if (version < HOLDS_VERSION && c->n_campaigns > 0) { /* they did not look at locks */
        for (uint32_t i = 0; i < c->n_statements; i++)
            pl_covered_without_lock(c, i, i, (struct pl_covered_first){0, 1});
    }
    return check_lists(c);
}

static const char *read_set(struct pl_covered *c, const json_t *o, json_int_t version)
{
    c->lost = json_is_true(json_object_get(o, "lost"));
    pl_covered_of(c, json_string_value(json_object_get(o, "program")));
    if (!read_campaigns(c, json_object_get(o, "campaigns")))
        return "campaigns";
    if (!read_functions(c, json_object_get(o, "functions")))
        return "functions";
    if (!read_statements(c, json_object_get(o, "statements")))
        return "statements";
    if (!read_tasks(c, json_object_get(o, "switches"), c->n_functions, pl_covered_switch))
        return "switches";
    if (!read_threads(c, json_object_get(o, "threads")))
        return "threads";
    return read_lists(c, o, version);
}

__attribute__((format(printf, 3, 4))) static int refuse(const char *path, struct pl_err *err,
                                                        const char *why, ...)
{
    char text[200];
    va_list arguments;

    va_start(arguments, why);
    vsnprintf(text, sizeof(text), why, arguments);
    va_end(arguments);
    return pl_err_set(err, PL_ERR_USER, "%.300s %s. Move it away, or choose another folder.", path,
                      text);
}

/* Something that is JSON, as a set of its own. */
static int take(struct pl_covered *set, const json_t *o, const char *path, struct pl_err *err)
{
    const char *kind = json_string_value(json_object_get(o, "format"));
    const json_t *number = json_object_get(o, "version");
    json_int_t version = json_integer_value(number);
    const char *list;

    if (kind == NULL || strcmp(kind, format) != 0)
        return refuse(path, err, "is no coverage file");
    if (!json_is_integer(number) || version < FIRST_VERSION || version > VERSION)
        return refuse(path, err,
                      "is a coverage file of another version of plait: it has version %lld, and "
                      "this plait reads %d to %d",
                      (long long)version, FIRST_VERSION, VERSION);
    if ((list = read_set(set, o, version)) != NULL)
        return refuse(path, err, "is a damaged coverage file: its list of %s makes no sense", list);
    return 0;
}

int pl_covered_read(struct pl_covered *to, const char *path, bool *missing, struct pl_err *err)
{
    FILE *from = pl_file_open(path, PL_FILE_MOST);
    struct pl_covered set = {0};
    int rc;

    *missing = from == NULL && errno == ENOENT;
    if (from == NULL)
        return pl_err_set(err, PL_ERR_USER,
                          "%.300s cannot be read: %s. Give the folder or the "
                          "file of a campaign.",
                          path, strerror(errno));
    json_t *o = json_loadf(from, JSON_REJECT_DUPLICATES, NULL);
    bool ended = feof(from) != 0;

    fclose(from);
    if (o == NULL)
        rc = refuse(path, err, "is damaged, or no coverage file: %s",
                    ended ? "it ends too early" : "it is no JSON");
    else
        rc = take(&set, o, path, err);
    if (rc == 0)
        pl_covered_merge(to, &set);
    pl_covered_free(&set);
    json_decref(o);
    return rc;
}
