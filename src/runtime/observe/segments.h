/* SPDX-License-Identifier: MIT */
/* The path of the execution. */
#ifndef PL_RUNTIME_OBSERVE_SEGMENTS_H
#define PL_RUNTIME_OBSERVE_SEGMENTS_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_segments_observer;

#endif /* PL_RUNTIME_OBSERVE_SEGMENTS_H */
