/* SPDX-License-Identifier: MIT */
/* See marks.c. */
#ifndef PL_RUNTIME_OBSERVE_MARKS_H
#define PL_RUNTIME_OBSERVE_MARKS_H

#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

extern const struct pl_observer pl_marks_observer;
/* Whether the code that calls from pc is. */
bool pl_marks_at(enum pl_mark mark, uint64_t pc);
/* Whether that code is, or a caller of the thread. */
bool pl_marks_cover(enum pl_mark mark, const struct pl_thread *t, uint64_t pc);

#endif /* PL_RUNTIME_OBSERVE_MARKS_H */
