/* SPDX-License-Identifier: MIT */
/* What stands behind a strategy's name: "2" or "bound=2". */
#ifndef PL_STRATEGY_PARAMETERS_H
#define PL_STRATEGY_PARAMETERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The only parameter that a strategy has, a number up to `most`, with or without
 * its name.  When there is none the value stays as it is.  False when it is
 * something else.
 */
bool pl_parameter_number(const char *parameters, const char *key, uint64_t most, uint64_t *value);

#endif /* PL_STRATEGY_PARAMETERS_H */
