/* SPDX-License-Identifier: MIT */
/*
 * Code that the user has marked by patterns: trusted code (--trust), code that noise is for.
 *
 * The observer asks the tool at the root, where all modules are loaded, and leaves ranges of
 * addresses on the board; after that the questions below are answered without the tool.
 */
#ifndef PL_RUNTIME_OBSERVE_MARKS_H
#define PL_RUNTIME_OBSERVE_MARKS_H

#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

extern const struct pl_observer pl_marks_observer;
/* Whether the code at pc is marked so. */
bool pl_marks_at(enum pl_mark mark, uint64_t pc);
/* Whether the code at pc is marked so, or a caller of it in thread t. */
bool pl_marks_cover(enum pl_mark mark, const struct pl_thread *t, uint64_t pc);

#endif /* PL_RUNTIME_OBSERVE_MARKS_H */
