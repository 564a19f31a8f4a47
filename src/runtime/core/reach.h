/* SPDX-License-Identifier: MIT */
/*
 * Reads of texts: how far one reaches is found out by reading it.
 *
 * While such a read is announced others may make the text longer or shorter.  So its size is looked
 * at again before each choice, and what is performed are the bytes up to the end that is found: a
 * size that depends on nothing but these bytes, whenever the thread has come to its point.
 *
 * Where wide accesses are made in pieces a text is read by units: the granules that its bytes lie
 * in, and beyond so many of them several together.  A read ends before the first unit that is
 * split, or with it if it is the next one.  Units count as events, so a replay, which does not know
 * what was split, ends a read where its schedule has a step.
 */
#ifndef PL_RUNTIME_CORE_REACH_H
#define PL_RUNTIME_CORE_REACH_H

#include "runtime/ground/stage.h"

/* The number of the unit that has the byte `at` of the text, and where a unit begins. */
uint64_t pl_reach_unit(const char *from, const char *at);
const char *pl_reach_start(const char *from, uint64_t unit);
/* How many events a text of so many bytes counts as. */
uint32_t pl_reach_events(const char *from, uint64_t size);

/* How many bytes are to be read now: none where there is no memory. */
uint64_t pl_reach_size(const struct pl_reach *r);
/* Whether so many bytes from there on have the end, or are all that is wanted, or that there is. */
bool pl_reach_is_ended(const struct pl_reach *r, uint64_t size);

/* All that is announced is given the size that it has by now. */
void pl_reach_refresh(void);

#endif /* PL_RUNTIME_CORE_REACH_H */
