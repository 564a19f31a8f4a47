/* SPDX-License-Identifier: MIT */
/*
 * Where a system call leaves the program: made by the OS thread that all threads share, or, if it
 * may wait and nobody can be asked for what, by a deputy (deputy.h) while the others go on.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_AWAY_H
#define PL_RUNTIME_SYSTEM_CALLS_AWAY_H

#include <stdint.h>

/* Make a call of the running thread, behind its point.  What the kernel returns. */
long pl_away_make(long number, const uint64_t a[6]);

#endif /* PL_RUNTIME_SYSTEM_CALLS_AWAY_H */
