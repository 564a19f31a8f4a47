/* SPDX-License-Identifier: MIT */
/*
 * mem*() and str*(): libc's code has no hooks, so what these functions read and write for the
 * program is announced by their interposers, as one range each.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_MEMORY_H
#define PL_RUNTIME_SYSTEM_LIBC_MEMORY_H

#include "runtime/ground/stage.h"

/* Once, at the start of the library, before the program can call any of them. */
void pl_libc_memory_init(void);

#endif /* PL_RUNTIME_SYSTEM_LIBC_MEMORY_H */
