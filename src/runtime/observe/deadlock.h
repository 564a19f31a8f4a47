/* SPDX-License-Identifier: MIT */
/*
 * Threads that cannot go on: circles of threads that wait for each other, executions in which
 * nobody can go on, or that do not end.
 *
 * The core calls through the port (ground/ports.h) when a thread blocks and when nobody can be
 * chosen.  A call that finds something does not return.
 */
#ifndef PL_RUNTIME_OBSERVE_DEADLOCK_H
#define PL_RUNTIME_OBSERVE_DEADLOCK_H

#include "runtime/ground/ports.h"

extern const struct pl_findings_port pl_deadlock_port;

#endif /* PL_RUNTIME_OBSERVE_DEADLOCK_H */
