/* SPDX-License-Identifier: MIT */
/*
 * Whether two accesses that race happened next to each other, and what each of them saw.
 *
 * The observer is wanted when the goal of an execution is to show a race; what it saw is on
 * the board (struct pl_meeting).
 */
#ifndef PL_RUNTIME_OBSERVE_MEETING_H
#define PL_RUNTIME_OBSERVE_MEETING_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_meeting_observer;

#endif /* PL_RUNTIME_OBSERVE_MEETING_H */
