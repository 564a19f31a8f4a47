/* SPDX-License-Identifier: MIT */
/* Whether two accesses happened next to each other. */
#ifndef PL_RUNTIME_OBSERVE_MEETING_H
#define PL_RUNTIME_OBSERVE_MEETING_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_meeting_observer;

#endif /* PL_RUNTIME_OBSERVE_MEETING_H */
