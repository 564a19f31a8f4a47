/* SPDX-License-Identifier: MIT */
/*
 * The mask of signals of the calling OS thread.
 *
 * On fibers the scheduler sets it at a switch between threads whose masks differ; on OS threads
 * each thread sets its own.  Signals by which crashes are reported and memory is watched are never
 * blocked.
 */
#ifndef PL_RUNTIME_GROUND_MASK_H
#define PL_RUNTIME_GROUND_MASK_H

#include "runtime/ground/stage.h"

void pl_mask_set(uint64_t mask);
uint64_t pl_mask_open(void); /* the set of signals that are never blocked */
void pl_mask_expect(void);   /* signals may be left pending */

const char *pl_mask_name(int number); /* of a signal */

#endif /* PL_RUNTIME_GROUND_MASK_H */
