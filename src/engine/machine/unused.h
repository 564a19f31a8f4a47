/* SPDX-License-Identifier: MIT */
/*
 * Whether the program uses what a call returns: proven by its machine code, or not at all.
 *
 * From the place behind the call on, every way that the code can take is followed, also into
 * functions that are called, until the register of the result is overwritten as a whole.  If it is
 * read on any of them, or a way leads where nobody can tell, the result counts as used.
 */
#ifndef PL_ENGINE_MACHINE_UNUSED_H
#define PL_ENGINE_MACHINE_UNUSED_H

#include "engine/symbols/symbols.h"

#include <stdbool.h>
#include <stdint.h>

struct pl_unused;

/* For the modules of the board; never NULL. */
struct pl_unused *pl_unused_open(const struct pl_board *board, const char *program);
void pl_unused_close(struct pl_unused *u);

/*
 * Whether nobody uses what the call that returns to pc returns, in rax, and if it is `wide` in
 * rdx.
 */
bool pl_unused_prove(struct pl_unused *u, uint64_t pc, bool wide);

#endif /* PL_ENGINE_MACHINE_UNUSED_H */
