/* SPDX-License-Identifier: MIT */
/*
 * Calls that the kernel answers at once, although poll() says that nothing is ready: a descriptor
 * for the other direction, one that has no such call, nothing to move, too little room for one
 * message.  Whoever makes them does not wait.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_REFUSED_H
#define PL_RUNTIME_SYSTEM_CALLS_REFUSED_H

#include "runtime/system/calls.h"

#include <stdbool.h>

struct stat;

/* A call that reads (`in`) or writes at its first argument, for which fcntl() has told these flags
 * and fstat() this. */
bool pl_refused_transfer(const struct pl_syscall *c, bool in, long flags, const struct stat *st);
/* One that waits for a lock of a range. */
bool pl_refused_lock(const struct pl_syscall *c);

#endif /* PL_RUNTIME_SYSTEM_CALLS_REFUSED_H */
