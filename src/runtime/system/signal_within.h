/* SPDX-License-Identifier: MIT */
/* Handlers that call what their thread may be in the middle of. */
#ifndef PL_RUNTIME_SYSTEM_SIGNAL_WITHIN_H
#define PL_RUNTIME_SYSTEM_SIGNAL_WITHIN_H

#include <stdint.h>

/*
 * The thread is about to be in a function of libc on that FILE, or, where it is NULL, in one that
 * allocates or frees.  No handler comes in the middle of it here: where one might that calls such a
 * function as well, which has a lock or leaves things half done, the search is complete but for it.
 */
void pl_signal_in_libc(const void *stream, uint64_t pc);

#endif /* PL_RUNTIME_SYSTEM_SIGNAL_WITHIN_H */
