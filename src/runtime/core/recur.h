/* SPDX-License-Identifier: MIT */
/*
 * Whether a state comes round also where nobody looks: memory of the program that no hook has
 * announced, such as the variables of a library without hooks.
 */
#ifndef PL_RUNTIME_CORE_RECUR_H
#define PL_RUNTIME_CORE_RECUR_H

#include <stdint.h>

/* Of all that the program can write and no hook has touched in this execution, but for stacks. */
uint64_t pl_recur_digest(void);

#endif /* PL_RUNTIME_CORE_RECUR_H */
