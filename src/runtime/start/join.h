/* SPDX-License-Identifier: MIT */
/*
 * A process under control has become another program, which is under control as well
 * (model/company.h): the library starts anew there, on a fresh stage, and what the process was is
 * on the board, in its ticket.  Its thread goes on, or begins, where main() does; what the loader
 * and constructors do before is the program's own affair, as it is before the root of the first.
 */
#ifndef PL_RUNTIME_START_JOIN_H
#define PL_RUNTIME_START_JOIN_H

#include "runtime/ground/ports.h"

#include <stdbool.h>
#include <stdint.h>

/* The board is there: this process is to be that number. */
void pl_join_begin(uint32_t number);

/* Its thread takes part from here on, in that function; nothing when it does already, or was never
 * to. */
void pl_join_arrive(uint64_t start);

#endif /* PL_RUNTIME_START_JOIN_H */
