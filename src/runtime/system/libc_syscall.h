/* SPDX-License-Identifier: MIT */
/*
 * Calls that the program makes by their numbers, as a function of libc would make them: so they do
 * the same to its memory.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_SYSCALL_H
#define PL_RUNTIME_SYSTEM_LIBC_SYSCALL_H

#include <stdbool.h>
#include <stdint.h>

/* Whether a function of libc takes the same arguments; and call it: as libc returns. */
bool pl_syscall_has_function(long number);
long pl_syscall_call_function(long number, const uint64_t a[6]);

#endif /* PL_RUNTIME_SYSTEM_LIBC_SYSCALL_H */
