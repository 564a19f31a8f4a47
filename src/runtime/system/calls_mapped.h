/* SPDX-License-Identifier: MIT */
/*
 * Files that are read, written or cut by calls while the program has them mapped: what the call
 * is about is the same memory.
 *
 * A call on such a file comes to a second point, right before it is made, which is an access to the
 * bytes of the mapping that show what it reads or writes.  Detectors are not told: it is the kernel
 * that accesses them.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_MAPPED_H
#define PL_RUNTIME_SYSTEM_CALLS_MAPPED_H

#include "runtime/system/calls.h"

/* The running thread is about to make the call, behind its point. */
void pl_mapped_touch(const struct pl_syscall *c, uint64_t pc);

#endif /* PL_RUNTIME_SYSTEM_CALLS_MAPPED_H */
