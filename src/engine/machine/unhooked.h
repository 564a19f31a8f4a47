/* SPDX-License-Identifier: MIT */
/*
 * Accesses of the program that no hook announces: where its modules that have hooks have
 * instructions which access memory without one.
 *
 * Functions that were left out of the instrumentation, objects that were compiled without it,
 * assembly, and what the compilers leave out: copies of structures for calls, bit-fields, vectors,
 * intrinsics.  Each module is read once, from its file; a file without symbols tells nothing.
 */
#ifndef PL_ENGINE_MACHINE_UNHOOKED_H
#define PL_ENGINE_MACHINE_UNHOOKED_H

#include "engine/symbols/symbols.h"
#include "model/site.h"

#include <stddef.h>

struct pl_unhooked {
    struct pl_site *sites; /* sorted */
    size_t n, room;
    uint64_t blind_pc; /* an access whose address is not to be known beforehand; 0: none */
    uint64_t stripped; /* in a module without symbols; 0: there is none */
};

/* Add the sites of all modules with hooks on the board. */
void pl_unhooked_find(struct pl_unhooked *u, const struct pl_board *board, const char *program);
void pl_unhooked_free(struct pl_unhooked *u);

#endif /* PL_ENGINE_MACHINE_UNHOOKED_H */
