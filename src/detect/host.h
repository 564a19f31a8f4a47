/* SPDX-License-Identifier: MIT */
/*
 * What detectors ask of whoever runs the program.  The runtime answers; unit
 * tests have answers of their own.
 */
#ifndef PL_DETECT_HOST_H
#define PL_DETECT_HOST_H

#include "model/cycle.h"
#include "model/finding.h"

#include <stddef.h>

/*
 * Zeroed memory for the rest of the execution, aligned to 16; NULL when there is no more.  It
 * comes from one block, from its beginning on.
 */
void *pl_host_allocate(size_t size);

/* The locks that a thread has, in the order of acquisition; how many of them there are. */
unsigned pl_host_locks(pl_tid tid, struct pl_finding_lock *locks, unsigned most);

/* There is no room for all that is accessed: findings may be missing, which is said at the end. */
void pl_host_full(void);

/*
 * The callers of where a thread is now, as a number that is the same for the
 * same callers; and the callers of such a number, innermost first.
 */
uint32_t pl_host_stack(pl_tid tid);
unsigned pl_host_frames(uint32_t stack, uint64_t *frames, unsigned most);

/* A program counter that does not depend on where modules are loaded, for signatures. */
uint64_t pl_host_relative(uint64_t pc);

/* A thread's name (model/name.h). */
uint64_t pl_host_name(pl_tid tid);

struct pl_place pl_host_place(uint64_t addr, unsigned object_kind);

/*
 * Say it.  Returns what is to be filled in, with kind, thread and signature set;
 * NULL when this execution has shown it already, or too many others.  It counts
 * from then on, whatever the execution comes to.
 */
struct pl_finding *pl_host_note(enum pl_finding_kind kind, uint64_t signature);

/* Say that threads could come to wait for each other like this; more than once is no more. */
void pl_host_predict(const struct pl_cycle *cycle);

#endif /* PL_DETECT_HOST_H */
