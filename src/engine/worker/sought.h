/* SPDX-License-Identifier: MIT */
/*
 * Orders that the user seeks, by their names: "a.c:10<b.c:20", "push<pop".
 *
 * A worker that comes to a place asks what it is in the orders (model/sought.h);
 * the answer goes by what the place is called, as everywhere in reports: so code that was
 * inlined, instances of templates and several stretches of code of one line need no thought.
 */
#ifndef PL_ENGINE_WORKER_SOUGHT_H
#define PL_ENGINE_WORKER_SOUGHT_H

#include "base/err.h"
#include "engine/symbols/symbols.h"
#include "engine/worker/slot.h"

/* One of the two places: a line of a file, or any place in a function. */
enum { PL_SOUGHT_PCS = 4 };

struct pl_sought_side {
    char name[PL_SOUGHT_TEXT];   /* of the file or function */
    unsigned line;               /* 0: it is a function */
    unsigned n_pcs;              /* 0: all that is there is meant, */
    uint64_t pcs[PL_SOUGHT_PCS]; /* else what is done at these addresses of the program's file */
};

struct pl_sought_names {
    unsigned n;
    char texts[PL_SOUGHT_ORDERS][PL_SOUGHT_TEXT];
    struct pl_sought_side sides[PL_SOUGHT_ORDERS][2];
    struct pl_symbols *symbols; /* NULL: none yet */
    bool checked;               /* there are such places in the program */
};

/* One order; -1 with a sentence that says how to write it. */
int pl_sought_parse(struct pl_sought_side sides[2], const char *text, struct pl_err *err);

/* The orders of settings.cover, which have been parsed before.  In the common they have no places
 * until a worker asks. */
void pl_sought_open(struct pl_sought_names *names, const char *cover, struct pl_sought *sought);
void pl_sought_close(struct pl_sought_names *names);

/* Whether the place is meant. */
bool pl_sought_fits(const struct pl_sought_side *side, const struct pl_symbols_code *code);

/* Answer the worker if it asks; -1 when the program has no such place. */
int pl_sought_answer(struct pl_sought_names *names, struct pl_slot *slot, struct pl_err *err);

/* sought_check.c: whether the program's debug information has all of these places. */
int pl_sought_check(const struct pl_sought_names *names, struct pl_err *err);

#endif /* PL_ENGINE_WORKER_SOUGHT_H */
