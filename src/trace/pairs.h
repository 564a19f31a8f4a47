/* SPDX-License-Identifier: MIT */
/*
 * The table of pairs (model/pair.h) as it is put together and as a file.
 *
 * Whoever makes one fills struct pl_pairs_parts, a list for each part, in any order;
 * pl_pairs_pack() makes the piece of memory of them: it sorts places and members, and shares rows
 * and texts that are the same.  The lists stay the caller's.
 */
#ifndef PL_TRACE_PAIRS_H
#define PL_TRACE_PAIRS_H

#include "base/err.h"
#include "model/pair.h"

/* Texts are pointers here; NULL is "". */
struct pl_pairs_site {
    struct pl_pair_site site; /* first_pair and n_pairs are not looked at */
    const char *file, *function, *caller;
};

struct pl_pairs_pair {
    struct pl_pair pair; /* a and b in any order: then all of a and b is exchanged */
    const char *object, *locks_a, *locks_b;
};

struct pl_pairs_root {
    struct pl_pair_root root;
    const char *function;
};

struct pl_pairs_module {
    const char *name;
};

struct pl_pairs_parts {
    struct pl_pairs_site *sites;
    struct pl_pairs_pair *pairs;
    struct pl_pairs_root *roots;
    struct pl_pair_position *positions; /* rows as in `rows` */
    struct pl_pair_place *places;
    struct pl_pairs_module *modules;
    uint64_t *rows;    /* of (n_targets + 63) / 64 words each */
    uint32_t *targets; /* their sites */
    uint32_t n_sites, n_pairs, n_roots, n_positions, n_places, n_modules, n_rows, n_targets;
    uint32_t lacks, n_unmatched, n_lost, milliseconds;
    uint64_t build;
};

/* To be freed. */
struct pl_pair_table *pl_pairs_pack(const struct pl_pairs_parts *parts);

/* The file; a table that was read is to be freed. */
int pl_pairs_write(const struct pl_pair_table *t, const char *path, struct pl_err *err);
struct pl_pair_table *pl_pairs_read(const char *path, struct pl_err *err);

/* Make the addresses of one module's places those of a process, then, for all, sort them. */
void pl_pairs_move(struct pl_pair_table *t, uint32_t module, uint64_t by);
void pl_pairs_settle(struct pl_pair_table *t, uint64_t modules);

#endif /* PL_TRACE_PAIRS_H */
