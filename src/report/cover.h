/* SPDX-License-Identifier: MIT */
/*
 * Coverage for people and for programs: what is covered and what is not, per
 * function and as lists of tasks, what cannot be covered and why, and how it
 * grew.
 */
#ifndef PL_REPORT_COVER_H
#define PL_REPORT_COVER_H

#include "trace/covered.h"

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
};

/* The predecessor set of a statement. */
struct pl_cover_set {
    char *statement;
    struct pl_cover_list predecessors;
};

struct pl_cover_view {
    struct pl_covered_sum sum;
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
    struct pl_covered_orders orders;               /* of statements, whatever is known about them */
    size_t n_sets;
    struct pl_cover_set *sets; /* of statements that have one */
};

/* Points into the set, which must outlive it. */
void pl_cover_view_make(struct pl_cover_view *view, const struct pl_covered *covered);
void pl_cover_view_free(struct pl_cover_view *view);

/* Add a line, as printf(). */
__attribute__((format(printf, 2, 3))) void pl_cover_list_add(struct pl_cover_list *to,
                                                             const char *format, ...);
void pl_cover_list_free(struct pl_cover_list *list);

/* A statement as text: what it does, where, called from where. */
void pl_cover_view_describe(const struct pl_covered *covered, uint32_t statement, char *to,
                            size_t size);

/* cover_sets.c */
void pl_cover_sets_make(struct pl_cover_view *view, const struct pl_covered *covered);
void pl_cover_sets_free(struct pl_cover_view *view);

/* Lists are cut short unless all is wanted. */
void pl_cover_print(FILE *to, const struct pl_cover_view *view, bool all);

/* "-" is standard output.  0, or -1 with errno. */
int pl_cover_json_write(const char *path, const struct pl_cover_view *view);

#endif /* PL_REPORT_COVER_H */
