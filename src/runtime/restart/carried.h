/* SPDX-License-Identifier: MIT */
/*
 * What the kernel keeps for each OS thread, and nobody else can: its folder and its descriptors
 * once they are its own (unshare), its personality, its capabilities, ...
 *
 * All fibers are one OS thread, so what one says about itself would hold for everybody.  Where a
 * thread does so, the execution is thrown away, and all executions from then on have an OS thread
 * for each thread of the program, in a new process.
 */
#ifndef PL_RUNTIME_RESTART_CARRIED_H
#define PL_RUNTIME_RESTART_CARRIED_H

#include "runtime/ground/stage.h"

/* The running thread is about to make this call: does not return where fibers do not do. */
void pl_carried_call(long number, const uint64_t a[6]);
/*
 * Addresses may be those of another worker.  Does not return where the program can begin again in a
 * network of its own.
 */
void pl_carried_part(void);
/* The keeper, between two runners: does not return if the program must begin anew. */
void pl_carried_change(void);
/* A process begins: what it runs threads on. */
void pl_carried_begin(void);

#endif /* PL_RUNTIME_RESTART_CARRIED_H */
