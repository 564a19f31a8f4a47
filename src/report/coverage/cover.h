/* SPDX-License-Identifier: MIT */
/*
 * Coverage for people and for programs: what is covered and what is not, per
 * function and as lists of tasks, what cannot be covered and why, and how it
 * grew.
 */
#ifndef PL_REPORT_COVERAGE_COVER_H
#define PL_REPORT_COVERAGE_COVER_H

#include "report/coverage/growth.h"
#include "report/source.h"
#include "trace/covered.h"
#include "trace/known.h"

#include <stdbool.h>
#include <stdio.h>

enum { PL_COVER_GROWTH = 10 };

/* A function that could be covered. */
struct pl_cover_row {
    const struct pl_covered_function *function;
    uint32_t partners, partners_total; /* functions that interrupted it; that could */
    uint32_t pairs, pairs_total;       /* with a statement of it: orders seen; that could be */
};

/* Tasks or functions, a line each. */
struct pl_cover_list {
    size_t n;
    char **lines;
    uint64_t more; /* that are not listed: there are too many */
};

/* Where a statement is in the source; without a line there is only what covered.h says. */
struct pl_cover_place {
    char *file; /* empty when it is not known */
    unsigned line, column;
};

/* Which functions and statements the lists are about; NULL: all of them. */
struct pl_cover_filter {
    bool (*fits)(const void *context, const struct pl_covered_function *function,
                 const struct pl_cover_place *place);
    const void *context;
};

/* The predecessor set of a statement. */
struct pl_cover_set {
    char *statement;
    struct pl_cover_list predecessors;
};

/* Sums and growth are those of the whole set, whatever the filter. */
struct pl_cover_view {
    const struct pl_covered *set;
    struct pl_covered_sum sum;
    struct pl_growth curve;
    size_t n_campaigns;
    bool lost;
    /* After one tenth of the executions, two tenths, ... */
    struct {
        uint64_t executions, covered[PL_COVERED_MODELS];
    } growth[PL_COVER_GROWTH];
    size_t n_rows;
    struct pl_cover_row *rows;
    struct pl_cover_list covered[PL_COVERED_MODELS], open[PL_COVERED_MODELS];
    struct pl_cover_list never[PL_COVERED_MODELS]; /* cannot be covered; with the reason */
    struct pl_cover_place *places;                 /* of statements */
    uint32_t *ranks;                               /* of statements, in the order of the source */
    struct pl_covered_orders orders;               /* of statements, by their ranks */
    size_t n_sets;
    struct pl_cover_set *sets;        /* of statements that have one */
    const struct pl_known_sum *pairs; /* of orders that exist by an analysis of the code, or NULL */
};

/* Points into the set, which must outlive it. */
void pl_cover_view_make(struct pl_cover_view *view, const struct pl_covered *covered,
                        const struct pl_cover_filter *filter);
void pl_cover_view_free(struct pl_cover_view *view);

/* Add a line, as printf(). */
__attribute__((format(printf, 2, 3))) void pl_cover_list_add(struct pl_cover_list *to,
                                                             const char *format, ...);
void pl_cover_list_free(struct pl_cover_list *list);

/* A statement as text: what it does, where, in which function, called from where. */
void pl_cover_view_describe(const struct pl_covered_statement *statement, const char *function,
                            char *to, size_t size);

/* cover_sets.c */
void pl_cover_sets_make(struct pl_cover_view *view, const struct pl_covered *covered);
void pl_cover_sets_free(struct pl_cover_view *view);

/* Why orders cannot be covered, as the rest of a sentence; empty when nothing says so. */
const char *pl_cover_view_why(enum pl_covered_why why);

/* The same of one order, with the locks that it is about. */
void pl_cover_view_reason(const struct pl_covered *covered, const struct pl_covered_order *order,
                          char *to, size_t size);

/* Whether a file belongs to the system, as headers do. */
bool pl_cover_places_foreign(const char *file);

/* The order of files: the program's, the system's, and code without source lines, whose name is
 * empty. */
int pl_cover_places_compare(const char *a, const char *b);

/* cover_places.c: read places, and put orders into the order of the source. */
void pl_cover_places_make(struct pl_cover_view *view);
void pl_cover_places_free(struct pl_cover_view *view);

struct pl_cover_style {
    unsigned width; /* of the terminal; 0: none, and nothing is cut off */
    bool unicode;
    bool all;                 /* lists are not cut short */
    unsigned states;          /* which tasks are listed: bits by enum pl_covered_state */
    struct pl_source *source; /* where source lines come from, or NULL */
};

void pl_cover_print(FILE *to, const struct pl_cover_view *view, const struct pl_cover_style *style);

/* cover_orders.c: the orders of one state, grouped by what comes first. */
void pl_cover_orders_print(FILE *to, const struct pl_cover_view *view,
                           const struct pl_cover_style *style, enum pl_covered_state state);

/* "-" is standard output.  0, or -1 with errno. */
int pl_cover_json_write(const char *path, const struct pl_cover_view *view);

/* cover_html.c: one page that needs nothing else. */
void pl_cover_html_print(FILE *to, const struct pl_cover_view *view, struct pl_source *source);

#endif /* PL_REPORT_COVERAGE_COVER_H */
