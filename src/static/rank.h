/* SPDX-License-Identifier: MIT */
/* How likely it is that a pair is real: what a user should read first. */
#ifndef PL_STATIC_RANK_H
#define PL_STATIC_RANK_H

#include "static/conflicts.h"

/* By pair: the higher the more likely; to be freed. */
uint16_t *pl_rank_pairs(const struct pl_conflicts *c);

#endif /* PL_STATIC_RANK_H */
