/* SPDX-License-Identifier: MIT */
/*
 * Accesses that are made for the program by others: functions of libc, the heap.
 *
 * Interposers call these functions before the access, on any carrier, also when the thread is not
 * under control.  An access to shared memory becomes a point: other threads may run inside the
 * call.
 */
#ifndef PL_RUNTIME_ACCESS_ACCESS_H
#define PL_RUNTIME_ACCESS_ACCESS_H

#include "runtime/ground/stage.h"

/* A block is about to be freed. */
void pl_access_free(const void *addr, uint64_t size, uint64_t pc);
/* A library function is about to touch memory for the program; `entry` as in PL_INTERPOSE. */
void pl_access_range(const void *addr, uint64_t size, bool write, const uint64_t *entry);

#endif /* PL_RUNTIME_ACCESS_ACCESS_H */
