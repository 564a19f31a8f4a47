/* SPDX-License-Identifier: MIT */
/*
 * The runner: the process that makes executions, one after the other where rollback suits, else
 * one.
 *
 * After each it undoes what the execution did to the kernel's state (undo.c), has the memory put
 * back (rollback.c), and goes on at the root or at a checkpoint (checkpoint.c).
 */
#ifndef PL_RUNTIME_RESTART_RUNNER_H
#define PL_RUNTIME_RESTART_RUNNER_H

/* In the keeper, before it forks runners: make the vault, look at what memory there is. */
void pl_runner_prepare(void);

/*
 * In a fresh runner: watch everything, then return at the root, once per
 * execution.  With restart by fork, or where rollback does not suit, once.
 */
void pl_runner_begin(void);

/* In a process that was started for one execution: watch its system calls. */
void pl_runner_watch(void);

/* The execution is over.  Returns only when the runner must exit instead. */
void pl_runner_end(int status);

/* A child is about to be made, which has the same memory and files. */
void pl_runner_share(void);

/* Watch nothing any more, in a runner that will exit. */
void pl_runner_release(void);

#endif /* PL_RUNTIME_RESTART_RUNNER_H */
