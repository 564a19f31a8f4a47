/* SPDX-License-Identifier: MIT */
/*
 * Where the numbers of result.def are counted: PL_COUNTED_ON_BOARD_X and
 * PL_COUNTED_IN_COMMON_X declare the field for a number that comes from X, or
 * nothing if it is not counted there.
 */
#ifndef PL_MODEL_COUNTED_H
#define PL_MODEL_COUNTED_H

#include <stdint.h>

#define PL_COUNTED_ON_BOARD_PUBLISHED(name) _Atomic uint64_t name;
#define PL_COUNTED_ON_BOARD_SUM(name) uint64_t name;
#define PL_COUNTED_ON_BOARD_MOST(name) uint64_t name;
#define PL_COUNTED_ON_BOARD_SEARCH(name) uint64_t name;
#define PL_COUNTED_ON_BOARD_COMMON(name)
#define PL_COUNTED_ON_BOARD_TOOL(name)

#define PL_COUNTED_IN_COMMON_PUBLISHED(name)
#define PL_COUNTED_IN_COMMON_SUM(name)
#define PL_COUNTED_IN_COMMON_MOST(name)
#define PL_COUNTED_IN_COMMON_SEARCH(name)
#define PL_COUNTED_IN_COMMON_COMMON(name) uint64_t name;
#define PL_COUNTED_IN_COMMON_TOOL(name)

#endif /* PL_MODEL_COUNTED_H */
