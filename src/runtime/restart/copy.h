/* SPDX-License-Identifier: MIT */
/*
 * A runner is a copy of the keeper.  What a copy does not have by itself it is given, as far as
 * that can be done; what cannot be given to it asks for a new process each time.
 */
#ifndef PL_RUNTIME_RESTART_COPY_H
#define PL_RUNTIME_RESTART_COPY_H

#include <stdbool.h>

/* In the keeper, before the first copy: why a copy would not be like the program; NULL: it is. */
const char *pl_copy_begin(void);
void pl_copy_complete(void); /* in a runner */
void pl_copy_lock(void);     /* there again: what was locked in files at the root */
void pl_copy_end(void);      /* in the keeper, which goes on itself */

#endif /* PL_RUNTIME_RESTART_COPY_H */
