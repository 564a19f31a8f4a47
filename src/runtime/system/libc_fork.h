/* SPDX-License-Identifier: MIT */
/*
 * Children of the program: fork() and its kin.
 *
 * Under control making one is an operation.  In a child the runtime is switched off.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_FORK_H
#define PL_RUNTIME_SYSTEM_LIBC_FORK_H

/* At the start of the library, before the program registers atfork handlers of its own. */
void pl_fork_init(void);

#endif /* PL_RUNTIME_SYSTEM_LIBC_FORK_H */
