/* SPDX-License-Identifier: MIT */
/*
 * Calls that the program makes by their numbers, as a function of libc would make them: so they do
 * the same to its memory.
 */
#ifndef PL_RUNTIME_SYSTEM_LIBC_SYSCALL_H
#define PL_RUNTIME_SYSTEM_LIBC_SYSCALL_H

#include <stdint.h>

/* Returns as libc does. */
typedef long pl_syscall_function(const uint64_t a[6]);

/* The function of libc that takes the same arguments; NULL: there is none. */
pl_syscall_function *pl_syscall_same(long number);

#endif /* PL_RUNTIME_SYSTEM_LIBC_SYSCALL_H */
