/* SPDX-License-Identifier: MIT */
/*
 * The path of the execution as segments of one thread each, while paths are listed.
 *
 * The observer writes it to the board, where the path outlives a runner that dies; the tool takes
 * it from there.
 */
#ifndef PL_RUNTIME_OBSERVE_SEGMENTS_H
#define PL_RUNTIME_OBSERVE_SEGMENTS_H

#include "runtime/core/observer.h"

extern const struct pl_observer pl_segments_observer;

#endif /* PL_RUNTIME_OBSERVE_SEGMENTS_H */
