/* SPDX-License-Identifier: MIT */
/*
 * Blocks of the heap that nobody can reach any more when the program ends: see leaks.c.
 */
#ifndef PL_RUNTIME_OBSERVE_LEAKS_H
#define PL_RUNTIME_OBSERVE_LEAKS_H

/* The process is about to end, and nothing of the program runs any more.  Returns if all is well.
 */
void pl_leaks_look(void);

#endif /* PL_RUNTIME_OBSERVE_LEAKS_H */
