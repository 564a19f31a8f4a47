/* SPDX-License-Identifier: MIT */
/*
 * Processes that come from the program: its children, and theirs when those who made them have
 * ended.  They are not scheduled, only asked after.
 */
#ifndef PL_RUNTIME_SYSTEM_PROCESSES_H
#define PL_RUNTIME_SYSTEM_PROCESSES_H

#include <stdbool.h>

/* As /proc says of a process or of an OS thread of this one: 'S' when it sleeps; 0: it is gone. */
char pl_processes_state(long pid);

/* Whether one has not ended. */
bool pl_processes_run(void);

/*
 * The running thread has done something that they may go on with.  Each does what it can before
 * anybody else goes on, so that it does the same in every execution.
 */
void pl_processes_rest(void);

#endif /* PL_RUNTIME_SYSTEM_PROCESSES_H */
