/* SPDX-License-Identifier: MIT */
/*
 * What has become of a call that was performed: whether it has got a loop any further.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_JUDGED_H
#define PL_RUNTIME_SYSTEM_CALLS_JUDGED_H

#include "runtime/system/calls.h"

#include <stdbool.h>

/* Before it is made: where it stands in its file, for a call that sets that; or -1. */
long pl_judged_position(const struct pl_syscall *c);
/* It has been made; `opens`: its result is a descriptor that was not there before. */
void pl_judged(const struct pl_syscall *c, bool opens, long result, long position);

#endif /* PL_RUNTIME_SYSTEM_CALLS_JUDGED_H */
