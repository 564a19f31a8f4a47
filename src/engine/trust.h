/* SPDX-License-Identifier: MIT */
/*
 * Code that the user trusts: patterns for functions, source files and libraries,
 * and from them the stretches of code that a worker compares its stacks with.
 *
 * Where modules are is known when the program has come to its root; there the
 * worker asks.  Libraries that are loaded later are not looked at.
 */
#ifndef PL_ENGINE_TRUST_H
#define PL_ENGINE_TRUST_H

#include "base/err.h"
#include "engine/slot.h"

#include <stdbool.h>
#include <stddef.h>

struct pl_trust_pattern {
    char *text;
    const char *path; /* the file it stands in, or NULL: the command line; the caller's */
    unsigned line;
    bool used;
};

struct pl_trust {
    size_t n;
    struct pl_trust_pattern *patterns;
    bool warned;
};

/* Add what stands behind --trust: patterns with commas between them, or @FILE. */
int pl_trust_add(struct pl_trust *trust, const char *value, struct pl_err *err);
void pl_trust_free(struct pl_trust *trust);

/*
 * Answer the worker of this slot if it asks which code is trusted.  -1 when a pattern fits
 * nothing at all; one that may be about a library not yet loaded is only warned of.
 */
int pl_trust_answer(struct pl_trust *trust, struct pl_slot *slot, struct pl_err *err);

/* The stretches of code, sorted and not overlapping; returns how many; exposed for its test. */
size_t pl_trust_resolve(struct pl_trust *trust, const struct pl_board *board, const char *program,
                        struct pl_trusted **ranges);

#endif /* PL_ENGINE_TRUST_H */
