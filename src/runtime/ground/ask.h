/* SPDX-License-Identifier: MIT */
/* See ask.c. */
#ifndef PL_RUNTIME_GROUND_ASK_H
#define PL_RUNTIME_GROUND_ASK_H

#include "runtime/ground/stage.h"

void pl_ask_ring(void); /* the tool is to look */
/* Wait until the tool has made *answer other than 0; `phase` says what is asked. */
void pl_ask_tool(enum pl_phase phase, _Atomic uint32_t *answer);

#endif /* PL_RUNTIME_GROUND_ASK_H */
