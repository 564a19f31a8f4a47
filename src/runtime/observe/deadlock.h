/* SPDX-License-Identifier: MIT */
/* See deadlock.c; the core asks through its port. */
#ifndef PL_RUNTIME_OBSERVE_DEADLOCK_H
#define PL_RUNTIME_OBSERVE_DEADLOCK_H

#include "runtime/ground/ports.h"

extern const struct pl_findings_port pl_deadlock_port;

#endif /* PL_RUNTIME_OBSERVE_DEADLOCK_H */
