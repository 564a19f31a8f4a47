/* SPDX-License-Identifier: MIT */
/*
 * Accesses that no hook announces, made visible.
 *
 * The tool reads the program's machine code and says which instructions access memory without a
 * hook (model/site.h).  Each of them gets a breakpoint, or a jump where one fits: before it is
 * performed, the runtime announces the access as a hook would have.  The instruction itself is then
 * performed in a copy elsewhere, which goes on behind it.
 *
 * An instruction that reads memory and writes it without being atomic is two steps of the machine.
 * So it is announced as a read and as a write, and if others have come in between, what they wrote
 * is lost, as it would be.
 */
#ifndef PL_RUNTIME_ACCESS_SITES_H
#define PL_RUNTIME_ACCESS_SITES_H

#include <stdbool.h>
#include <stdint.h>

extern const struct pl_observer pl_sites_observer;

/* A breakpoint; `context` is a ucontext_t.  False when it is none of these. */
bool pl_sites_trap(void *context);
/* Where an instruction stands in the program that is performed at pc. */
uint64_t pl_sites_origin(uint64_t pc);

#endif /* PL_RUNTIME_ACCESS_SITES_H */
