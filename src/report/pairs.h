/* SPDX-License-Identifier: MIT */
/* The pairs that the analyser has found (model/pair.h), for people and as JSON. */
#ifndef PL_REPORT_PAIRS_H
#define PL_REPORT_PAIRS_H

#include "model/pair.h"
#include "trace/known.h"

#include <stdio.h>

/* Which of them are wanted; all of them if nothing is set. */
struct pl_pairs_filter {
    uint32_t kinds;    /* bit per enum pl_pair_kind; 0: all */
    const char *at[2]; /* "file.c:10" or "function": one side is there, and the other at the second;
                          or NULL */
    bool must;         /* those only that are at the same object for sure */
    const struct pl_known *known; /* what campaigns came to; or NULL */
    bool open; /* those only with an order that is neither shown nor impossible */
    bool all;  /* each by itself, however many there are */
};

/* Whether a site is at a place that a user names. */
bool pl_pairs_site_is_at(const struct pl_pair_table *t, uint32_t site, const char *at);

bool pl_pairs_wanted(const struct pl_pair_table *t, uint32_t pair, const struct pl_pairs_filter *f);

/*
 * All that are wanted, and a summary.  Of many, those of the same kind at the same object in the
 * same functions are shown as one.
 */
void pl_pairs_print(FILE *to, const struct pl_pair_table *t, const struct pl_pairs_filter *f);
void pl_pairs_json(FILE *to, const struct pl_pair_table *t, const struct pl_pairs_filter *f);

#endif /* PL_REPORT_PAIRS_H */
