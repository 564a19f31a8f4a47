/* SPDX-License-Identifier: MIT */
/*
 * Signals that kill by themselves, and the one by which the keeper asks a runner that takes too
 * long.
 *
 * A fault may be the runtime's own doing (memory that is watched, single steps, breakpoints), the
 * program's that it handles itself, or a crash: then it is a finding, and ends the execution.
 */
#ifndef PL_RUNTIME_SYSTEM_DEADLY_H
#define PL_RUNTIME_SYSTEM_DEADLY_H

#include <signal.h>

/* At the start of the library: handlers of its own, on a stack of their own. */
void pl_deadly_init(void);
/* The handler of signals that mean a crash. */
void pl_deadly_signal(int number, siginfo_t *info, void *context);

#endif /* PL_RUNTIME_SYSTEM_DEADLY_H */
