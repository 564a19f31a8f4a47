/* SPDX-License-Identifier: MIT */
/* Which word somebody meant who has mistyped one. */
#ifndef PL_CLI_NEAREST_H
#define PL_CLI_NEAREST_H

#include <stddef.h>

/* Letters that must change, come or go to make `b` of the first n of `a`; for short words. */
size_t pl_nearest_distance(const char *a, size_t n, const char *b);

#endif /* PL_CLI_NEAREST_H */
