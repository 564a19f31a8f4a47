/* SPDX-License-Identifier: MIT */
/* Why a search is not complete, in words. */
#ifndef PL_RESULT_INCOMPLETE_H
#define PL_RESULT_INCOMPLETE_H

#include "result/result.h"

/*
 * The first of the reasons in r->incomplete, with what is certain nevertheless behind it;
 * without a full stop.  Empty when there is neither.
 */
void pl_incomplete_text(const struct pl_result *r, char *to, size_t size);

/* Whether nothing but its bound keeps the search from being complete. */
bool pl_incomplete_bounded(const struct pl_result *r);

/* The libraries whose accesses are not seen: "libz.so.1, libuv.so.1". */
void pl_incomplete_unseen(const struct pl_result *result, char *to, size_t size);

/* Up to where everything has been seen, if the search was complete up to there: "up to 7
 * operations per thread", "with at most 2 early time-outs". */
void pl_incomplete_within_text(const struct pl_result *r, char *to, size_t size);

#endif /* PL_RESULT_INCOMPLETE_H */
