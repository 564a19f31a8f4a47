/* SPDX-License-Identifier: MIT */
/*
 * What campaigns have found out about the orders of static pairs (model/pair.h), as a file in the
 * results folder: by names of sites that hold in another build of the same source.
 *
 * Later campaigns add to it.  What was shown stays shown; what was impossible in one campaign may
 * be shown by another, with other inputs.
 */
#ifndef PL_TRACE_KNOWN_H
#define PL_TRACE_KNOWN_H

#include "base/err.h"
#include "model/judged.h"

#include <stddef.h>

#define PL_KNOWN_FILE "pairs.json"

/* From the least to the most that is known. */
enum pl_known_status {
    PL_KNOWN_OPEN,
    PL_KNOWN_IMPOSSIBLE, /* a search came to its end and did not show it */
    PL_KNOWN_SHOWN,
    PL_KNOWN_FAILED, /* shown, and executions made for it failed */
    PL_KNOWN_STATUSES
};

enum { PL_KNOWN_TEXT = 256, PL_KNOWN_PATH = 512 };

/* One statement before the other. */
struct pl_known_order {
    uint64_t first, second; /* keys of sites */
    unsigned kind;          /* enum pl_pair_kind */
    enum pl_known_status status;
    uint64_t attempts;
    uint64_t of[PL_JUDGED_KINDS];
    uint64_t execution;           /* with PL_KNOWN_FAILED: the first that did */
    char why[PL_KNOWN_TEXT];      /* why the last attempt was in vain; or "" */
    char schedule[PL_KNOWN_PATH]; /* with PL_KNOWN_FAILED: the file that shows it; or "" */
};

struct pl_known {
    struct pl_known_order *orders;
    size_t n, room;
};

/* How many orders of a table's pairs there are, and what is known of them. */
struct pl_known_sum {
    uint64_t orders;
    uint64_t of[PL_KNOWN_STATUSES];
};

const char *pl_known_text(enum pl_known_status status);

/* NULL: nothing is known of it. */
const struct pl_known_order *pl_known_find(const struct pl_known *known, unsigned kind,
                                           uint64_t first, uint64_t second);
/* Add what is known of an order to what was. */
void pl_known_add(struct pl_known *known, const struct pl_known_order *order);
void pl_known_free(struct pl_known *known);

struct pl_known_sum pl_known_sum(const struct pl_known *known, const struct pl_pair_table *t);

/* A file that is not there holds nothing; one that is not ours is refused. */
int pl_known_read(struct pl_known *known, const char *path, struct pl_err *err);
int pl_known_write(const struct pl_known *known, const char *path, struct pl_err *err);

#endif /* PL_TRACE_KNOWN_H */
