/* SPDX-License-Identifier: MIT */
/*
 * Small functions that allocate, lock, or create threads for whoever calls them get a copy for each
 * call: `my_malloc()' would else be one block for all of the program, `my_lock()' a lock that
 * nobody can say which, `launch()' one kind of thread.
 *
 * A copy has the numbers of the calls that it was made of, and a statement of the program is what
 * all its copies are: they are one site again once pairs have been found (matched.h).
 */
#ifndef PL_STATIC_CLONE_H
#define PL_STATIC_CLONE_H

#include "static/ir.h"

/* Before anything is numbered; returns how many copies there are. */
uint32_t pl_clone_helpers(LLVMModuleRef module);

#endif /* PL_STATIC_CLONE_H */
