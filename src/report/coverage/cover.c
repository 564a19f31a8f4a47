/* SPDX-License-Identifier: MIT */
/* See cover.h: for a person at a terminal. */
#include "report/coverage/cover.h"

#include "base/assert.h"
#include "report/fit.h"

#include <string.h>

enum { SHOWN = 10, ROWS_SHOWN = 40, USUAL_WIDTH = 80, NAME_LEAST = 8, NAME_MOST = 48 };

static const char *const models[] = {"functions", "pairs of functions", "pairs of statements"};

static unsigned long long big(uint64_t n)
{
    return n;
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* Of all orders that the code allows, not of those that executions came near. */
static void print_pairs(FILE *to, const struct pl_known_sum *p)
{
    fprintf(to, "  seen %llu of %llu orders that can exist, %llu impossible, %llu open\n",
            big(p->of[PL_KNOWN_SHOWN] + p->of[PL_KNOWN_FAILED]), big(p->orders),
            big(p->of[PL_KNOWN_IMPOSSIBLE]), big(p->of[PL_KNOWN_OPEN]));
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
    if (v->pairs != NULL)
        print_pairs(to, v->pairs);
    if (v->lost)
        fprintf(to, "  there is more than could be kept: the numbers are too low\n");
}

static void print_growth(FILE *to, const struct pl_cover_view *v, const struct pl_cover_style *s)
{
    uint64_t all = v->sum.covered[2], half = pl_growth_reached(&v->curve, 2, (all + 1) / 2);

    fprintf(to, "\ngrowth over executions%s\n",
            pl_growth_is_log(&v->curve) ? ", on a logarithmic axis" : "");
    pl_growth_print(to, &v->curve, s->width != 0 ? s->width : USUAL_WIDTH, s->unicode);
    if (v->sum.latest == 0) {
        fprintf(to, "  no task has been covered\n");
        return;
    }
    fprintf(to, "  the last new task came at execution %llu of %llu", big(v->sum.latest),
            big(v->sum.executions));
    if (all > 0)
        fprintf(to, "; the last new pair of statements at %llu, half of them by %llu",
                big(pl_growth_last(&v->curve, 2)), big(half));
    fputc('\n', to);
    if (v->n_campaigns > 1)
        fprintf(to, "  campaigns stand one after the other, as they began; %s marks where\n",
                s->unicode ? "\u2534" : "^");
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
        fprintf(to, "  and %zu more; -v shows all\n", v->n_rows - n);
}

static void print_list(FILE *to, unsigned model, const struct pl_cover_list *list,
                       const struct pl_cover_style *s)
{
    PL_ASSERT(model < PL_COVERED_MODELS);
    size_t n = s->all || list->n <= SHOWN ? list->n : SHOWN;

    unsigned long long all = list->n + list->more;

    if (list->n > 0)
        fprintf(to, "  M%u %s: %llu\n", model + 1, models[model], all);
    for (size_t i = 0; i < n; i++) {
        char clean[2600]; /* names come from programs, or from whoever wrote the file */

        pl_fit_clean(clean, sizeof(clean), list->lines[i]);
        if (s->width > 4)
            pl_fit_middle(clean, sizeof(clean), s->width - 4, s->unicode);
        fprintf(to, "    %s\n", clean);
    }
    if (n < all)
        fprintf(to, "    and %llu more%s\n", all - n, n < list->n ? "; -v shows all" : "");
}

static bool has_orders(const struct pl_cover_view *v, enum pl_covered_state state)
{
    for (size_t i = 0; i < v->orders.n; i++) {
        if (v->orders.items[i].state == state)
            return true;
    }
    return false;
}

/* Statements have one list of their own; see cover_orders.c. */
static void print_lists(FILE *to, const struct pl_cover_view *v, const struct pl_cover_style *s,
                        enum pl_covered_state state)
{
    static const char *const titles[] = {"covered", "not covered",
                                         "cannot be covered, as far as is known"};
    const struct pl_cover_list *lists = state == PL_COVERED_SHOWN  ? v->covered
                                        : state == PL_COVERED_OPEN ? v->open
                                                                   : v->never;

    if ((s->states >> state & 1) == 0 || (lists[0].n + lists[1].n == 0 && !has_orders(v, state)))
        return;
    PL_ASSERT(state < sizeof(titles) / sizeof(titles[0]));
    fprintf(to, "\n%s\n", titles[state]);
    print_list(to, 0, &lists[0], s);
    print_list(to, 1, &lists[1], s);
    pl_cover_orders_print(to, v, s, state);
}

void pl_cover_print(FILE *to, const struct pl_cover_view *v, const struct pl_cover_style *s)
{
    print_sum(to, v);
    print_growth(to, v, s);
    print_rows(to, v, s->all);
    for (enum pl_covered_state state = PL_COVERED_SHOWN; state <= PL_COVERED_NEVER; state++)
        print_lists(to, v, s, state);
}
