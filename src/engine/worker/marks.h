/* SPDX-License-Identifier: MIT */
/*
 * Code that the user marks, as trusted or as what noise is for: patterns for functions,
 * source files and libraries, and from them the stretches of code that a worker compares
 * program counters with.
 *
 * Where modules are is known when the program has come to its root; there the
 * worker asks.  Libraries that are loaded later are not looked at.
 */
#ifndef PL_ENGINE_WORKER_MARKS_H
#define PL_ENGINE_WORKER_MARKS_H

#include "base/err.h"
#include "engine/worker/slot.h"

#include <stdbool.h>
#include <stddef.h>

struct pl_marks_pattern {
    enum pl_mark mark;
    char *text;
    const char *path; /* the file it stands in, or NULL: the command line; the caller's */
    unsigned line;
    bool used;
};

struct pl_marks {
    size_t n;
    struct pl_marks_pattern *patterns;
    bool warned;
};

/* Add what stands behind an option: patterns with commas between them, or @FILE. */
int pl_marks_add(struct pl_marks *marks, enum pl_mark mark, const char *value, struct pl_err *err);
void pl_marks_free(struct pl_marks *marks);

/* Bit per enum pl_mark that has a pattern. */
uint8_t pl_marks_used(const struct pl_marks *marks);

/*
 * Answer the worker of this slot if it asks which code is marked.  -1 when a pattern fits
 * nothing at all; one that may be about a library not yet loaded is only warned of.
 */
int pl_marks_answer(struct pl_marks *marks, struct pl_slot *slot, struct pl_err *err);

/* All stretches of code with this mark. */
struct pl_marks_ranges {
    struct pl_stretch *list; /* sorted and not overlapping */
    size_t n, room;
};

/* Find them, by enum pl_mark; the lists are to be freed.  Exposed for its test. */
void pl_marks_resolve(struct pl_marks *marks, const struct pl_board *board, const char *program,
                      struct pl_marks_ranges ranges[PL_MARKS]);

#endif /* PL_ENGINE_WORKER_MARKS_H */
