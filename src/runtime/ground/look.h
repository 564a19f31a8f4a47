/* SPDX-License-Identifier: MIT */
/*
 * Looks at what the program is about to read, which may not be there.
 *
 * If it is not, the program's own instruction is to fault and not the runtime's: where that is
 * is part of what is found.  So all such looks are made by two instructions, and the handler goes
 * on after them.
 */
#ifndef PL_RUNTIME_GROUND_LOOK_H
#define PL_RUNTIME_GROUND_LOOK_H

#include <stdbool.h>
#include <stdint.h>

/* The eight bytes at an address, or 0 if there are none. */
uint64_t pl_look(const void *at);

/* Whether there is a byte. */
bool pl_look_is_there(const void *at);

/* Whether there is a text up to its end. */
bool pl_look_has_text(const char *s);

/* Where to go on if `pc` is one of these instructions; else 0. */
uint64_t pl_look_after(uint64_t pc);

#endif /* PL_RUNTIME_GROUND_LOOK_H */
