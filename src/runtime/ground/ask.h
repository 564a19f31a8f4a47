/* SPDX-License-Identifier: MIT */
/*
 * Questions to the tool, which the worker cannot go on without: which code is
 * marked, whether a finding counts, whether an execution did what it should.
 *
 * The worker sets its phase, rings and sleeps on a futex of the board or the common.  Any process
 * of the worker may ask, one question at a time.
 */
#ifndef PL_RUNTIME_GROUND_ASK_H
#define PL_RUNTIME_GROUND_ASK_H

#include "runtime/ground/stage.h"

void pl_ask_ring(void); /* the tool is to look */
/* Wait until the tool has made *answer other than 0; `phase` says what is asked. */
void pl_ask_tool(enum pl_phase phase, _Atomic uint32_t *answer);

#endif /* PL_RUNTIME_GROUND_ASK_H */
