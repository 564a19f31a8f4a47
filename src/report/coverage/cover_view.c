/* SPDX-License-Identifier: MIT */
/* See cover.h: what there is to be said. */
#include "base/assert.h"
#include "report/coverage/cover.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void pl_cover_list_add(struct pl_cover_list *to, const char *format, ...)
{
    va_list arguments;

    if ((to->n & (to->n - 1)) == 0)
        to->lines =
            pl_err_must(realloc(to->lines, (to->n == 0 ? 1 : 2 * to->n) * sizeof(*to->lines)));
    va_start(arguments, format);
    if (vasprintf(&to->lines[to->n++], format, arguments) < 0)
        abort();
    va_end(arguments);
}

/* ---- functions ---- */

static bool fits(const struct pl_cover_filter *filter, const struct pl_covered_function *f)
{
    struct pl_cover_place place = {.file = f->file};

    return filter == NULL || filter->fits(filter->context, f, &place);
}

/* What calls main() and exit(): no part of the program. */
static bool is_tool(const struct pl_covered_function *f)
{
    return !f->executed && strcmp(f->module, "libplait.so") == 0;
}

static void list_function(struct pl_cover_view *v, const struct pl_covered_function *f,
                          struct pl_covered_first first, const char *task)
{
    if (!pl_covered_is_task(f, first))
        pl_cover_list_add(&v->never[0], "%s: %s: every interleaving was executed, and none does",
                          f->name, task);
    else
        pl_cover_list_add(first.execution != 0 ? &v->covered[0] : &v->open[0], "%s: %s", f->name,
                          task);
}

static void list_functions(struct pl_cover_view *v, const struct pl_covered *c,
                           const struct pl_cover_filter *filter)
{
    for (size_t i = 0; i < c->n_functions; i++) {
        const struct pl_covered_function *f = &c->functions[i];

        if (!fits(filter, f) || is_tool(f))
            continue;
        if (!f->executed) {
            pl_cover_list_add(&v->never[0], "%s: %s", f->name,
                              f->alone ? "executed only while there was one thread"
                                       : "no operation of it was seen");
            continue;
        }
        list_function(v, f, f->interrupted, "interrupted");
        list_function(v, f, f->whole, "executed without being interrupted");
    }
}

/* ---- pairs of functions ---- */

enum {
    LISTED = 20000, /* pairs of a large program are more than anybody reads */
    NAMES = 100,    /* in a line */
};

/* What is looked at for pairs of functions, by rows of the possible ones. */
struct switches {
    struct pl_cover_view *view;
    const struct pl_covered *set;
    const struct pl_covered_possible *possible;
    bool *fits;
    uint32_t *fitting;           /* by sort: how many fit */
    uint32_t *starts, *partners; /* who has interrupted row a: partners[starts[a]] and on */
    uint32_t *seen;              /* what has interrupted the row at hand: its number, plus 1 */
};

static const char *name_of(const struct switches *s, size_t row)
{
    return s->set->functions[s->possible->functions[row]].name;
}

static bool are_related(const struct switches *s, size_t a, size_t b)
{
    return pl_covered_related(s->possible, s->possible->sorts[a], s->possible->sorts[b]);
}

static void open_switches(struct switches *s, const struct pl_cover_filter *filter)
{
    const struct pl_covered *c = s->set;
    const struct pl_covered_possible *p = s->possible;
    uint32_t *at = pl_err_must(calloc(p->n + 2, sizeof(*at)));

    s->fits = pl_err_must(calloc(p->n + 1, sizeof(*s->fits)));
    s->fitting = pl_err_must(calloc(p->n_sorts + 1, sizeof(*s->fitting)));
    s->starts = pl_err_must(calloc(p->n + 2, sizeof(*s->starts)));
    s->partners = pl_err_must(calloc(c->n_switches + 1, sizeof(*s->partners)));
    s->seen = pl_err_must(calloc(p->n + 1, sizeof(*s->seen)));
    for (size_t a = 0; a < p->n; a++) {
        s->fits[a] = fits(filter, &c->functions[p->functions[a]]);
        s->fitting[p->sorts[a]] += s->fits[a];
    }
    for (size_t i = 0; i < c->n_switches; i++) {
        if (p->rows[c->switches[i].a] != UINT32_MAX && p->rows[c->switches[i].b] != UINT32_MAX)
            s->starts[p->rows[c->switches[i].a] + 1]++;
    }
    for (size_t a = 0; a < p->n; a++)
        at[a + 1] = s->starts[a + 1] += s->starts[a];
    for (size_t i = 0; i < c->n_switches; i++) {
        uint32_t a = p->rows[c->switches[i].a], b = p->rows[c->switches[i].b];

        if (a != UINT32_MAX && b != UINT32_MAX)
            s->partners[at[a]++] = b;
    }
    free(at);
}

static void close_switches(struct switches *s)
{
    free(s->fits);
    free(s->fitting);
    free(s->starts);
    free(s->partners);
    free(s->seen);
}

/* What has interrupted function a; returns how many of them could not have, as far as is known. */
static uint32_t list_seen(const struct switches *s, size_t a)
{
    uint32_t beyond = 0;

    for (uint32_t i = s->starts[a]; i < s->starts[a + 1]; i++) {
        uint32_t b = s->partners[i];

        s->seen[b] = (uint32_t)a + 1;
        beyond += !are_related(s, a, b);
        if (s->fits[a] || s->fits[b])
            pl_cover_list_add(&s->view->covered[1], "%s interrupted by %s", name_of(s, a),
                              name_of(s, b));
    }
    return beyond;
}

/* All that can never interrupt a function, in one line: they are many in large programs. */
static void list_never(const struct switches *s, size_t a, uint64_t n)
{
    const struct pl_covered_possible *p = s->possible;
    char *names = NULL;
    size_t size = 0;
    unsigned named = 0;

    if (n == 0)
        return;
    if (s->view->never[1].n >= LISTED) {
        s->view->never[1].more++;
        return;
    }
    FILE *to = pl_err_must(open_memstream(&names, &size));

    for (size_t k = 0; k < p->n_sorts && named < NAMES; k++) {
        if (pl_covered_related(p, p->sorts[a], k))
            continue;
        for (uint32_t i = p->starts[k]; i < p->starts[k + 1] && named < NAMES; i++) {
            if (s->seen[p->members[i]] != a + 1)
                fprintf(to, "%s%s", named++ > 0 ? ", " : "", name_of(s, p->members[i]));
        }
    }
    if (n > named)
        fprintf(to, " and %llu more", (unsigned long long)(n - named));
    fclose(to);
    pl_cover_list_add(&s->view->never[1],
                      "%s interrupted by %s: never in threads that are alive at the same time",
                      name_of(s, a), names);
    free(names);
}

/* What could interrupt function a, has not, and is looked at: n of them. */
static void list_open(const struct switches *s, size_t a, uint64_t n)
{
    const struct pl_covered_possible *p = s->possible;
    struct pl_cover_list *open = &s->view->open[1];

    for (size_t k = 0; k < p->n_sorts && n > 0 && open->n < LISTED; k++) {
        if (!pl_covered_related(p, p->sorts[a], k))
            continue;
        for (uint32_t i = p->starts[k]; i < p->starts[k + 1] && open->n < LISTED; i++) {
            uint32_t b = p->members[i];

            if (s->seen[b] == a + 1 || !(s->fits[a] || s->fits[b]))
                continue;
            pl_cover_list_add(open, "%s interrupted by %s", name_of(s, a), name_of(s, b));
            n--;
        }
    }
    open->more += n;
}

static void list_switches(struct pl_cover_view *v, const struct pl_covered *c,
                          const struct pl_covered_possible *p, const struct pl_cover_filter *filter)
{
    struct switches s = {.view = v, .set = c, .possible = p};

    open_switches(&s, filter);
    for (size_t a = 0; a < p->n; a++) {
        uint32_t seen = s.starts[a + 1] - s.starts[a], beyond = list_seen(&s, a);
        uint64_t possible = 0, looked_at = 0;

        for (size_t k = 0; k < p->n_sorts; k++) {
            if (!pl_covered_related(p, p->sorts[a], k))
                continue;
            possible += p->starts[k + 1] - p->starts[k];
            looked_at += s.fits[a] ? p->starts[k + 1] - p->starts[k] : s.fitting[k];
        }
        for (uint32_t i = s.starts[a]; i < s.starts[a + 1]; i++)
            looked_at -= are_related(&s, a, s.partners[i]) && (s.fits[a] || s.fits[s.partners[i]]);
        v->rows[a].partners = seen;
        v->rows[a].partners_total = (uint32_t)(possible + beyond);
        PL_ASSERT(p->n >= possible + beyond && v->rows[a].partners_total >= seen);
        if (s.fits[a])
            list_never(&s, a, p->n - possible - beyond);
        list_open(&s, a, looked_at);
    }
    close_switches(&s);
}

/* ---- pairs of statements ---- */

void pl_cover_view_describe(const struct pl_covered_statement *s, const char *function, char *to,
                            size_t size)
{
    snprintf(to, size, "%s at %s (%s%s%s)", s->operation, s->place, function,
             s->caller[0] != '\0' ? ", called at " : "", s->caller);
}

static void describe(const struct pl_covered *c, uint32_t statement, char *to, size_t size)
{
    PL_ASSERT(statement < c->n_statements);
    const struct pl_covered_statement *s = &c->statements[statement];

    pl_cover_view_describe(s, c->functions[s->function].name, to, size);
}

static void list_order(struct pl_cover_list *to, const struct pl_covered *c, uint32_t a, uint32_t b,
                       const char *why)
{
    char x[1200], y[1200];

    describe(c, a, x, sizeof(x));
    describe(c, b, y, sizeof(y));
    pl_cover_list_add(to, "%s before %s%s%s", x, y, why[0] != '\0' ? ": " : "", why);
}

static void count_order(struct pl_cover_view *v, const struct pl_covered_possible *p,
                        const struct pl_covered *c, uint32_t statement, bool is_seen)
{
    uint32_t row = p->rows[c->statements[statement].function];

    if (row == UINT32_MAX)
        return;
    PL_ASSERT(row < p->n);
    v->rows[row].pairs_total++;
    v->rows[row].pairs += is_seen;
}

const char *pl_cover_view_why(enum pl_covered_why why)
{
    static const char *const reasons[] = {
        [PL_COVERED_WHY_NOT] = "",
        [PL_COVERED_HELD] = "whoever has the lock unlocks it first",
        [PL_COVERED_APART] = "both have one lock, and what is done with it comes between them",
        [PL_COVERED_ORDERED] = "creation or join of their threads has ordered them each time",
        [PL_COVERED_VAIN] = "guided search has tried it in vain: no good execution had it",
    };

    PL_ASSERT(why < sizeof(reasons) / sizeof(reasons[0]));
    return reasons[why];
}

void pl_cover_view_reason(const struct pl_covered *c, const struct pl_covered_order *o, char *to,
                          size_t size)
{
    if (o->why == PL_COVERED_APART)
        pl_covered_describe_apart(c, o->locks, o->preceded, to, size);
    else
        snprintf(to, size, "%s", pl_cover_view_why(o->why));
}

/* The orders of M3. */
static void list_pairs(struct pl_cover_view *v, const struct pl_covered *c)
{
    for (size_t i = 0; i < v->orders.n; i++) {
        const struct pl_covered_order *o = &v->orders.items[i];
        char why[1400];

        pl_cover_view_reason(c, o, why, sizeof(why));
        if (o->pair)
            list_order(o->seen                        ? &v->covered[2]
                       : o->state == PL_COVERED_NEVER ? &v->never[2]
                                                      : &v->open[2],
                       c, o->a, o->b, why);
    }
}

static void count_pairs(struct pl_cover_view *v, const struct pl_covered *c,
                        const struct pl_covered_possible *p)
{
    for (size_t i = 0; i < v->orders.n; i++) {
        const struct pl_covered_order *o = &v->orders.items[i];

        if (!o->pair || o->state == PL_COVERED_NEVER)
            continue;
        count_order(v, p, c, o->a, o->seen);
        if (c->statements[o->a].function != c->statements[o->b].function)
            count_order(v, p, c, o->b, o->seen);
    }
}

/* ---- growth ---- */

static void measure_growth(struct pl_cover_view *v)
{
    for (unsigned i = 0; i < PL_COVER_GROWTH; i++) {
        uint64_t executions = v->sum.executions * (i + 1) / PL_COVER_GROWTH;
        struct pl_growth_point p = pl_growth_at(&v->curve, executions);

        v->growth[i].executions = executions;
        for (unsigned m = 0; m < PL_COVERED_MODELS; m++)
            v->growth[i].covered[m] = p.covered[m];
    }
}

/* ---- all of it ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static int by_function(const void *a, const void *b)
{
    const struct pl_covered_function *x = ((const struct pl_cover_row *)a)->function;
    const struct pl_covered_function *y = ((const struct pl_cover_row *)b)->function;
    int order = strcmp(x->module, y->module);

    if (order == 0)
        order = strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->file, y->file);
}

static void sort_list(struct pl_cover_list *list)
{
    if (list->n > 0)
        qsort(list->lines, list->n, sizeof(*list->lines), by_text);
}

/* Whatever was read first. */
static void sort(struct pl_cover_view *v)
{
    PL_ASSERT(v->rows != NULL);
    qsort(v->rows, v->n_rows, sizeof(*v->rows), by_function);
    for (unsigned i = 0; i < PL_COVERED_MODELS; i++) {
        sort_list(&v->covered[i]);
        sort_list(&v->open[i]);
        sort_list(&v->never[i]);
    }
}

static void filter_rows(struct pl_cover_view *v, const struct pl_cover_filter *filter)
{
    size_t n = 0;

    for (size_t i = 0; i < v->n_rows; i++) {
        if (fits(filter, v->rows[i].function))
            v->rows[n++] = v->rows[i];
    }
    PL_ASSERT(n <= v->n_rows);
    v->n_rows = n;
}

static bool fits_statement(const struct pl_cover_view *v, const struct pl_cover_filter *filter,
                           uint32_t statement)
{
    const struct pl_covered_statement *s = &v->set->statements[statement];

    return filter->fits(filter->context, &v->set->functions[s->function], &v->places[statement]);
}

/* Keep the orders that begin or end where the filter says. */
static void filter_orders(struct pl_cover_view *v, const struct pl_cover_filter *filter)
{
    size_t n = 0;

    for (size_t i = 0; filter != NULL && i < v->orders.n; i++) {
        const struct pl_covered_order o = v->orders.items[i];

        if (fits_statement(v, filter, o.a) || fits_statement(v, filter, o.b))
            v->orders.items[n++] = o;
    }
    if (filter != NULL)
        v->orders.n = n;
}

void pl_cover_view_make(struct pl_cover_view *v, const struct pl_covered *c,
                        const struct pl_cover_filter *filter)
{
    struct pl_covered_possible p;

    *v = (struct pl_cover_view){
        .set = c, .sum = pl_covered_sum(c), .n_campaigns = c->n_campaigns, .lost = c->lost};
    pl_covered_possible(&p, c);
    v->rows = pl_err_must(calloc(p.n + 1, sizeof(*v->rows)));
    v->n_rows = p.n;
    for (size_t i = 0; i < p.n; i++)
        v->rows[i].function = &c->functions[p.functions[i]];
    PL_ASSERT(p.n <= c->n_functions);
    pl_covered_orders(&v->orders, c);
    pl_cover_places_make(v);
    pl_growth_make(&v->curve, c);
    list_functions(v, c, filter);
    list_switches(v, c, &p, filter);
    count_pairs(v, c, &p);
    filter_rows(v, filter);
    filter_orders(v, filter);
    list_pairs(v, c);
    measure_growth(v);
    pl_cover_sets_make(v, c);
    pl_covered_possible_free(&p);
    sort(v);
}

void pl_cover_list_free(struct pl_cover_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->lines[i]);
    free(list->lines);
}

void pl_cover_view_free(struct pl_cover_view *v)
{
    for (unsigned i = 0; i < PL_COVERED_MODELS; i++) {
        pl_cover_list_free(&v->covered[i]);
        pl_cover_list_free(&v->open[i]);
        pl_cover_list_free(&v->never[i]);
    }
    pl_cover_sets_free(v);
    pl_cover_places_free(v);
    pl_covered_orders_free(&v->orders);
    pl_growth_free(&v->curve);
    free(v->rows);
}
