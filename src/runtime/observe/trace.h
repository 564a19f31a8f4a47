/* SPDX-License-Identifier: MIT */
/*
 * The operations of an execution, on the board, for whoever prints it.
 *
 * The observer is wanted when the settings ask for a trace, as those of replays do; an event that
 * the board has no room for is left out.
 */
#ifndef PL_RUNTIME_OBSERVE_TRACE_H
#define PL_RUNTIME_OBSERVE_TRACE_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_trace_observer;

#endif /* PL_RUNTIME_OBSERVE_TRACE_H */
