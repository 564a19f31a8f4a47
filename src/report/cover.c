/* SPDX-License-Identifier: MIT */
/* See cover.h: for a person at a terminal. */
#include "report/cover.h"

#include "report/fit.h"

#include <string.h>

enum { SHOWN = 10, ROWS_SHOWN = 40, NAME_LEAST = 8, NAME_MOST = 48 };

static const char *const models[] = {"functions", "pairs of functions", "pairs of statements"};

static unsigned long long big(uint64_t n)
{
    return n;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Names come from programs, or from whoever wrote the file. */
static void print_clean(FILE *to, const char *text)
{
    char clean[2600];

    pl_fit_clean(clean, sizeof(clean), text);
    fputs(clean, to);
}

static void print_sum(FILE *to, const struct pl_cover_view *v)
{
    fprintf(to, "%llu execution%s in %zu campaign%s\n", big(v->sum.executions),
            plural(v->sum.executions), v->n_campaigns, plural(v->n_campaigns));
    for (unsigned i = 0; i < PL_COVERED_MODELS; i++) {
        uint64_t covered = v->sum.covered[i], total = v->sum.total[i];

        fprintf(to, "  M%u %-20s %6llu of %llu covered", i + 1, models[i], big(covered),
                big(total));
        if (total > 0)
            fprintf(to, ", %.0f %%", 100.0 * (double)covered / (double)total);
        fputc('\n', to);
    }
    if (v->lost)
        fprintf(to, "  there is more than could be kept: the numbers are too low\n");
}

static void print_growth(FILE *to, const struct pl_cover_view *v)
{
    fprintf(to, "\ngrowth\n  %-23s", "executions");
    for (unsigned i = 0; i < PL_COVER_GROWTH; i++)
        fprintf(to, " %7llu", big(v->growth[i].executions));
    fputc('\n', to);
    for (unsigned m = 0; m < PL_COVERED_MODELS; m++) {
        fprintf(to, "  M%u %-20s", m + 1, models[m]);
        for (unsigned i = 0; i < PL_COVER_GROWTH; i++)
            fprintf(to, " %7llu", big(v->growth[i].covered[m]));
        fputc('\n', to);
    }
    if (v->sum.latest == 0)
        fprintf(to, "  no task has been covered\n");
    else
        fprintf(to, "  the last new task came at execution %llu of %llu\n", big(v->sum.latest),
                big(v->sum.executions));
}

static void print_name(FILE *to, const char *name, int width)
{
    char clean[NAME_MOST + 1];

    pl_fit_clean(clean, sizeof(clean), name);
    fprintf(to, "  %-*s", width, clean);
}

static void print_rows(FILE *to, const struct pl_cover_view *v, bool all)
{
    size_t n = all || v->n_rows <= ROWS_SHOWN ? v->n_rows : ROWS_SHOWN;
    int width = NAME_LEAST;

    if (n == 0)
        return;
    for (size_t i = 0; i < n; i++) {
        int length = (int)strlen(v->rows[i].function->name);

        width = length > width ? length < NAME_MOST ? length : NAME_MOST : width;
    }
    fprintf(to, "\n  %-*s  interrupted  whole  by functions  pairs of statements\n", width,
            "function");
    for (size_t i = 0; i < n; i++) {
        const struct pl_cover_row *r = &v->rows[i];
        char partners[32];

        snprintf(partners, sizeof(partners), "%u of %u", r->partners, r->partners_total);
        print_name(to, r->function->name, width);
        fprintf(to, "  %-11s  %-5s  %-12s  %u of %u\n",
                r->function->interrupted.execution != 0 ? "yes" : "no",
                r->function->whole.execution != 0 ? "yes" : "no", partners, r->pairs,
                r->pairs_total);
    }
    if (n < v->n_rows)
        fprintf(to, "  %zu more; -v shows all\n", v->n_rows - n);
}

static void print_lists(FILE *to, const char *title, const struct pl_cover_list lists[], bool all)
{
    if (lists[0].n + lists[1].n + lists[2].n == 0)
        return;
    fprintf(to, "\n%s\n", title);
    for (unsigned m = 0; m < PL_COVERED_MODELS; m++) {
        size_t n = all || lists[m].n <= SHOWN ? lists[m].n : SHOWN;

        if (lists[m].n > 0)
            fprintf(to, "  M%u %s: %zu\n", m + 1, models[m], lists[m].n);
        for (size_t i = 0; i < n; i++) {
            fprintf(to, "    ");
            print_clean(to, lists[m].lines[i]);
            fputc('\n', to);
        }
        if (n < lists[m].n)
            fprintf(to, "    %zu more; -v shows all\n", lists[m].n - n);
    }
}

/* Which order of which statements good executions have shown; see plait-coverage(1). */
static void print_sets(FILE *to, const struct pl_cover_view *v, bool all)
{
    size_t n = all || v->n_sets <= SHOWN ? v->n_sets : SHOWN;

    if (v->n_sets > 0)
        fprintf(to, "\npredecessor sets: %zu\n", v->n_sets);
    for (size_t i = 0; i < n; i++) {
        fprintf(to, "  ");
        print_clean(to, v->sets[i].statement);
        fprintf(to, " comes after\n");
        for (size_t k = 0; k < v->sets[i].predecessors.n; k++) {
            fprintf(to, "    ");
            print_clean(to, v->sets[i].predecessors.lines[k]);
            fputc('\n', to);
        }
    }
    if (n < v->n_sets)
        fprintf(to, "  %zu more; -v shows all\n", v->n_sets - n);
}

void pl_cover_print(FILE *to, const struct pl_cover_view *v, bool all)
{
    print_sum(to, v);
    print_growth(to, v);
    print_rows(to, v, all);
    if (all)
        print_lists(to, "covered", v->covered, all);
    print_lists(to, "not covered", v->open, all);
    print_lists(to, "cannot be covered, as far as is known", v->never, all);
    print_sets(to, v, all);
}
