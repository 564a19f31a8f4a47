/* SPDX-License-Identifier: MIT */
/*
 * Whether the program uses what a call returns, as the tool has proven by its machine code
 * (engine/machine/unused.h).
 *
 * The hooks of atomic additions ask: additions whose results nobody uses commute.
 */
#ifndef PL_RUNTIME_ACCESS_UNUSED_H
#define PL_RUNTIME_ACCESS_UNUSED_H

#include "runtime/ground/stage.h"

/*
 * Whether the result of the call that returns to pc is not used, which has two registers if it is
 * `wide`; false when that is not sure.
 */
bool pl_unused_result(uint64_t pc, bool wide);

#endif /* PL_RUNTIME_ACCESS_UNUSED_H */
