/* SPDX-License-Identifier: MIT */
/* See unused.c. */
#ifndef PL_RUNTIME_ACCESS_UNUSED_H
#define PL_RUNTIME_ACCESS_UNUSED_H

#include "runtime/ground/stage.h"

bool pl_unused_result(uint64_t pc); /* of a call that returns to pc; false when not sure */

#endif /* PL_RUNTIME_ACCESS_UNUSED_H */
