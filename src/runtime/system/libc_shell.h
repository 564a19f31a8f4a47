/* SPDX-License-Identifier: MIT */
/*
 * Shells that the program starts and waits for, where what they become may be under control as
 * well; see libc_shell.c.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_SHELL_H
#define PL_RUNTIME_SYSTEM_LIBC_SHELL_H

#include <stdbool.h>
#include <stdio.h>

/* Whether they are made here, and not by libc. */
bool pl_shell_made(void);

/* system(), of a command; and popen(), with a type that begins with r or w. */
int pl_shell_run(const char *command);
FILE *pl_shell_open(const char *command, const char *type);

#endif /* PL_RUNTIME_SYSTEM_LIBC_SHELL_H */
