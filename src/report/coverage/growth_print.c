/* SPDX-License-Identifier: MIT */
/*
 * See growth.h: on a terminal.  M3 has the most tasks and grows the longest, so it is drawn
 * large; the others are a line each above the same axis.
 */
#include "base/assert.h"
#include "report/coverage/growth.h"

#include <inttypes.h>
#include <string.h>

enum { ROWS = 6, EIGHTHS = 8, LABEL = 7, MOST_COLUMNS = 100, LEAST_COLUMNS = 20, DECADES = 20 };

struct drawing {
    FILE *to;
    const struct pl_growth *growth;
    unsigned columns;
    bool unicode;
};

/* How much of a place is filled: none to eight eighths. */
static void put_block(const struct drawing *d, unsigned eighths)
{
    static const char *const blocks[] = {" ",      "\u2581", "\u2582", "\u2583", "\u2584",
                                         "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char ascii[] = " ...:::##";

    PL_ASSERT(eighths <= EIGHTHS);
    if (d->unicode)
        fputs(blocks[eighths], d->to);
    else
        fputc(ascii[eighths], d->to);
}

/* The height of a column in eighths of a row; whatever is there can be seen. */
static unsigned height_of(const struct drawing *d, unsigned column, unsigned model, unsigned rows)
{
    const struct pl_growth *g = d->growth;
    uint64_t most = g->points[g->n - 1].covered[model];
    uint64_t n = pl_growth_at(g, pl_growth_executions(g, column, d->columns)).covered[model];
    PL_ASSERT(n <= most);
    uint64_t height = most > 0 ? n * rows * EIGHTHS / most : 0;

    return n > 0 && height == 0 ? 1 : (unsigned)height;
}

static void put_row(const struct drawing *d, unsigned model, unsigned row, unsigned rows)
{
    for (unsigned i = 0; i < d->columns; i++) {
        unsigned height = height_of(d, i, model, rows), below = row * EIGHTHS;

        put_block(d, height <= below ? 0 : height - below >= EIGHTHS ? EIGHTHS : height - below);
    }
}

static void draw_large(const struct drawing *d, unsigned model)
{
    const struct pl_growth *g = d->growth;
    uint64_t most = g->points[g->n - 1].covered[model];

    for (unsigned row = ROWS; row-- > 0;) {
        if (row == ROWS - 1)
            fprintf(d->to, "  %*" PRIu64, LABEL, most);
        else
            fprintf(d->to, "  %*s", LABEL, row == 0 ? "M3" : "");
        fputs(d->unicode ? " \u2502" : " |", d->to);
        put_row(d, model, row, ROWS);
        fputc('\n', d->to);
    }
}

static void draw_line(const struct drawing *d, unsigned model)
{
    const struct pl_growth *g = d->growth;

    fprintf(d->to, "  M%u %*" PRIu64 "%s", model + 1, LABEL - 3, g->points[g->n - 1].covered[model],
            d->unicode ? " \u2502" : " |");
    put_row(d, model, 0, 1);
    fputc('\n', d->to);
}

/* Where campaigns begin, if they can be told apart. */
static void draw_axis(const struct drawing *d)
{
    const struct pl_growth *g = d->growth;
    bool begins[MOST_COLUMNS] = {false};

    for (size_t i = 1; i < g->n_campaigns; i++)
        begins[pl_growth_column(g, g->starts[i] + 1, d->columns)] = true;
    fprintf(d->to, "  %*s%s", LABEL, "", d->unicode ? " \u2514" : " +");
    for (unsigned i = 0; i < d->columns; i++)
        fputs(begins[i] ? d->unicode ? "\u2534" : "^" : d->unicode ? "\u2500" : "-", d->to);
    fputc('\n', d->to);
}

/* A label that ends in its column, if there is room for it. */
static void put_label(const struct drawing *d, char *labels, uint64_t execution)
{
    unsigned column = pl_growth_column(d->growth, execution, d->columns);
    char text[24];
    unsigned n = (unsigned)snprintf(text, sizeof(text), "%" PRIu64, execution);
    unsigned start = column + 1 >= n ? column + 1 - n : 0;

    for (unsigned i = start > 0 ? start - 1 : 0; i < start + n + 1 && i < d->columns; i++) {
        if (labels[i] != ' ')
            return;
    }
    PL_ASSERT(start + n <= MOST_COLUMNS);
    memcpy(labels + start, text, n);
}

static void draw_labels(const struct drawing *d)
{
    const struct pl_growth *g = d->growth;
    char labels[MOST_COLUMNS + 1];
    uint64_t decade = 1;

    memset(labels, ' ', sizeof(labels));
    labels[d->columns] = '\0';
    put_label(d, labels, g->executions);
    if (pl_growth_is_log(g)) {
        for (unsigned i = 0; i < DECADES && decade < g->executions; i++, decade *= 10)
            put_label(d, labels, decade);
    } else {
        put_label(d, labels, 1);
        put_label(d, labels, (g->executions + 1) / 2);
    }
    fprintf(d->to, "  %*s  %s\n", LABEL, "", labels);
}

void pl_growth_print(FILE *to, const struct pl_growth *g, unsigned width, bool unicode)
{
    unsigned room = width > LABEL + 5 ? width - LABEL - 5 : 0;
    struct drawing d = {to, g, room, unicode};

    if (g->n == 0)
        return;
    if (d.columns < LEAST_COLUMNS)
        d.columns = LEAST_COLUMNS;
    if (d.columns > MOST_COLUMNS)
        d.columns = MOST_COLUMNS;
    if (g->executions < d.columns) /* no two columns for one execution, but of equal width */
        d.columns = d.columns / (unsigned)g->executions * (unsigned)g->executions;
    PL_ASSERT(d.columns > 0 && d.columns <= MOST_COLUMNS);
    draw_line(&d, 0);
    draw_line(&d, 1);
    draw_large(&d, 2);
    draw_axis(&d);
    draw_labels(&d);
}
