/* SPDX-License-Identifier: MIT */
/*
 * Looks at what the program is about to read, which may not be there.
 *
 * If it is not, the program's own instruction is to fault and not the runtime's: where that is
 * is part of what is found.  So all such looks are made by one instruction, and the handler goes on
 * after it.
 */
#ifndef PL_RUNTIME_GROUND_LOOK_H
#define PL_RUNTIME_GROUND_LOOK_H

#include <stdint.h>

/* The eight bytes at an address, or 0 if there are none. */
uint64_t pl_look(const void *at);

/* Where to go on if `pc` is that instruction; else 0. */
uint64_t pl_look_after(uint64_t pc);

#endif /* PL_RUNTIME_GROUND_LOOK_H */
