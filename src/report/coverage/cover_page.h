/* SPDX-License-Identifier: MIT */
/*
 * Orders of statements by where they begin and end in the source: what the page of
 * `plait coverage --html` shows of each file and of each line.
 */
#ifndef PL_REPORT_COVERAGE_COVER_PAGE_H
#define PL_REPORT_COVERAGE_COVER_PAGE_H

#include "report/coverage/cover.h"

/* One of the two ends of an order. */
struct pl_cover_end {
    const struct pl_covered_order *order;
    uint32_t statement, partner;
    bool begins; /* the statement comes first */
};

/* Covered and what could be. */
struct pl_cover_share {
    uint64_t covered, total;
};

struct pl_cover_file {
    const char *name;          /* empty: code without source lines */
    struct pl_cover_end *ends; /* in the order of the source */
    size_t n_ends;
    uint64_t orders[PL_COVERED_STATES]; /* that begin or end here, by state */
    struct pl_cover_share shares[PL_COVERED_MODELS];
};

struct pl_cover_page {
    const struct pl_cover_view *view;
    struct pl_source *source;
    size_t n_files;
    struct pl_cover_file *files; /* see pl_cover_places_compare() */
    uint32_t *file_of;           /* by statement */
    struct pl_cover_end *ends;
};

/* The view must outlive it, and must not have been filtered. */
void pl_cover_page_make(struct pl_cover_page *page, const struct pl_cover_view *view,
                        struct pl_source *source);
void pl_cover_page_free(struct pl_cover_page *page);

/* cover_lines.c: all files with their lines. */
void pl_cover_lines_print(FILE *to, const struct pl_cover_page *page);

#endif /* PL_REPORT_COVERAGE_COVER_PAGE_H */
