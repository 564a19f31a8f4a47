/* SPDX-License-Identifier: MIT */
/*
 * See cover.h: orders of statements for a person at a terminal.  What comes first is
 * said once for all that come after it; source lines stand at the side where there is room.
 */
#include "report/coverage/cover.h"

#include "report/fit.h"

#include <string.h>

enum { SHOWN = 20, TEXT = 1300, LEAST_SOURCE = 16, MOST_LEFT = 70, MOST_NAME = 48 };

struct listing {
    FILE *to;
    const struct pl_cover_view *view;
    const struct pl_cover_style *style;
    unsigned left; /* columns up to the source lines */
};

/* ---- lines ---- */

/* What comes first, or what comes after it; of what was shown also when, and who knows. */
static void left_of(const struct listing *l, const struct pl_covered_order *o, bool first,
                    char to[TEXT])
{
    const struct pl_covered *c = l->view->set;
    const struct pl_covered_statement *s = &c->statements[first ? o->a : o->b];
    char text[TEXT - 100], clean[TEXT - 100], name[PL_FIT_TEXT], mark[64] = "";

    pl_fit_clean(name, sizeof(name), c->functions[s->function].name);
    pl_fit_middle(name, sizeof(name), MOST_NAME, l->style->unicode);
    pl_cover_view_describe(s, name, text, sizeof(text));
    pl_fit_clean(clean, sizeof(clean), text);
    if (!first && o->state == PL_COVERED_SHOWN)
        snprintf(mark, sizeof(mark), ", execution %llu%s",
                 (unsigned long long)pl_covered_position(l->view->set, o->first),
                 o->seen ? "" : " (predecessor set)");
    snprintf(to, TEXT, first ? "    %s%s" : "      before %s%s", clean, mark);
}

static void put_line(const struct listing *l, const struct pl_covered_order *o, bool first)
{
    unsigned width = l->style->width;
    const char *place = l->view->set->statements[first ? o->a : o->b].place;
    char left[TEXT], source[PL_FIT_TEXT];
    bool known = pl_source_line(l->style->source, place, source, sizeof(source));

    left_of(l, o, first, left);
    if (width != 0)
        pl_fit_end(left, sizeof(left), width, l->style->unicode);
    unsigned used = pl_fit_width(left), from = used > l->left ? used : l->left;

    if (!known || (width != 0 && width < from + 3 + LEAST_SOURCE)) {
        fprintf(l->to, "%s\n", left);
        return;
    }
    if (width != 0)
        pl_fit_end(source, sizeof(source), width - from - 3, l->style->unicode);
    fprintf(l->to, "%s%*s %s %s\n", left, (int)(from - used), "",
            l->style->unicode ? "\u2502" : "|", source);
}

/* ---- which of them ---- */

/* Visit the orders of a state and a reason, at most so many. */
static size_t each(const struct listing *l, enum pl_covered_state state, enum pl_covered_why why,
                   size_t most,
                   void (*visit)(struct listing *, const struct pl_covered_order *,
                                 const struct pl_covered_order *before),
                   struct listing *to)
{
    const struct pl_covered_order *before = NULL;
    size_t n = 0;

    for (size_t i = 0; i < l->view->orders.n; i++) {
        const struct pl_covered_order *o = &l->view->orders.items[i];

        if (o->state != state || o->why != why || n++ >= most)
            continue;
        visit(to, o, before);
        before = o;
    }
    return n;
}

static void measure(struct listing *l, const struct pl_covered_order *o,
                    const struct pl_covered_order *before)
{
    for (unsigned i = 0; i < 2; i++) {
        char text[TEXT];
        unsigned width;

        left_of(l, o, i == 0, text);
        width = pl_fit_width(text);
        if (width > l->left && width <= MOST_LEFT)
            l->left = width;
    }
}

/* Which lock keeps two apart, unless the line above has said it. */
static void put_locks(const struct listing *l, const struct pl_covered_order *o,
                      const struct pl_covered_order *above)
{
    char text[TEXT] = "      ", other[TEXT] = "";

    pl_cover_view_reason(l->view->set, o, text + 6, sizeof(text) - 6);
    if (above != NULL)
        pl_cover_view_reason(l->view->set, above, other, sizeof(other));
    if (strcmp(text + 6, other) == 0)
        return;
    if (l->style->width != 0)
        pl_fit_end(text, sizeof(text), l->style->width, l->style->unicode);
    fprintf(l->to, "%s\n", text);
}

static void put(struct listing *l, const struct pl_covered_order *o,
                const struct pl_covered_order *before)
{
    bool same = before != NULL && before->a == o->a;

    if (!same)
        put_line(l, o, true);
    if (o->why == PL_COVERED_APART)
        put_locks(l, o, same ? before : NULL);
    put_line(l, o, false);
}

static void put_reason(struct listing *l, enum pl_covered_state state, enum pl_covered_why why)
{
    size_t most = l->style->all ? SIZE_MAX : SHOWN;
    size_t n = each(l, state, why, most, measure, l);

    if (n > 0 && why != PL_COVERED_WHY_NOT)
        fprintf(l->to, "   %s: %zu\n", pl_cover_view_why(why), n);
    each(l, state, why, most, put, l);
    if (n > most)
        fprintf(l->to, "    and %zu more; -v shows all\n", n - most);
}

void pl_cover_orders_print(FILE *to, const struct pl_cover_view *v,
                           const struct pl_cover_style *style, enum pl_covered_state state)
{
    struct listing l = {to, v, style, 0};
    size_t n = 0, others = 0;

    for (size_t i = 0; i < v->orders.n; i++) {
        n += v->orders.items[i].state == state && v->orders.items[i].pair;
        others += v->orders.items[i].state == state && !v->orders.items[i].pair;
    }
    if (n + others == 0)
        return;
    fprintf(to, "  M3 pairs of statements: %zu", n);
    if (others > 0)
        fprintf(to, ", and %zu that only predecessor sets know", others);
    fputc('\n', to);
    for (enum pl_covered_why why = PL_COVERED_WHY_NOT; why <= PL_COVERED_VAIN; why++)
        put_reason(&l, state, why);
}
