/* SPDX-License-Identifier: MIT */
/*
 * How a program ends: exit(), abort(), failed assertions; deadly.h has the signals that kill.
 *
 * Interposers and signal handlers call these functions in the runner.  Under control each way to
 * end becomes the end of the execution, with a finding where it is one; functions that do not
 * return end the execution or the process.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_PROCESS_H
#define PL_RUNTIME_SYSTEM_LIBC_PROCESS_H

#include "runtime/ground/stage.h"

struct pl_process_port;
extern const struct pl_process_port pl_process_port; /* port.c */

void pl_process_at_exit(void); /* register what comes after the program's own exit handlers */
/* An assertion of the program has failed: a finding. */
void pl_process_assertion(const char *file, int line, const char *function, const char *text,
                          uint64_t pc) __attribute__((noreturn));
/* exit(), and _exit(), which calls no handlers. */
void pl_process_exit(int status, uint64_t pc) __attribute__((noreturn));
void pl_process_exit_now(int status, uint64_t pc) __attribute__((noreturn));
/* Whether the program is ending already. */
bool pl_process_exits(void);

#endif /* PL_RUNTIME_SYSTEM_LIBC_PROCESS_H */
