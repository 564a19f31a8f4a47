/* SPDX-License-Identifier: MIT */
/*
 * Where none of the program's threads can go on, processes that come from it may still change that:
 * by what they write to a pipe (calls_ask.h), by a signal, or by memory that both have.
 */
#ifndef PL_RUNTIME_SYSTEM_OTHERS_H
#define PL_RUNTIME_SYSTEM_OTHERS_H

#include <stdbool.h>
#include <stdint.h>

/* Whether memory is mapped so that others may have it; for what does not say so itself. */
bool pl_others_share(uint64_t addr);

/* Nobody can go on: if others may let somebody do so by a signal or by memory, give them some time.
 */
bool pl_others_wait(void);

/* The same of free threads: how long they may take, in ns; 0: there was never anybody. */
uint64_t pl_others_hope(void);

/* Whether a process beside the program could make a handler run by a signal. */
bool pl_others_hear(void);

#endif /* PL_RUNTIME_SYSTEM_OTHERS_H */
