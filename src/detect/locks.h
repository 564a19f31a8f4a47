/* SPDX-License-Identifier: MIT */
/*
 * Locks that threads have, and sets of locks, as numbers.
 *
 * What a thread has is a number: the same for the same locks, acquired at the
 * same places in the same order.  Each such number has two sets: the locks held
 * in any mode, and those held for writing.  Equal sets have equal numbers, so
 * sets are compared by comparing numbers, and an intersection is computed once.
 *
 * When there is no room for another set, its number is that of all locks, which
 * is the set that accuses nobody.
 */
#ifndef PL_DETECT_LOCKS_H
#define PL_DETECT_LOCKS_H

#include "model/finding.h"

/* Numbers of sets. */
enum { PL_LOCKS_ALL = 0, PL_LOCKS_NONE = 1 };

struct pl_locks;

/* In memory of the host; NULL when there is none left. */
struct pl_locks *pl_locks_open(void);

/* A thread has acquired or released a lock. */
void pl_locks_changed(struct pl_locks *locks, pl_tid tid);

/* What the thread has; 0 when there is no room for it. */
uint32_t pl_locks_held(struct pl_locks *locks, pl_tid tid);

/* Of what a thread has: all of it, or what it has for writing. */
uint32_t pl_locks_any(const struct pl_locks *locks, uint32_t held);
uint32_t pl_locks_writing(const struct pl_locks *locks, uint32_t held);

/* The locks that are in both sets. */
uint32_t pl_locks_common(struct pl_locks *locks, uint32_t a, uint32_t b);

/* What a thread has, for a report; how many of them were written. */
unsigned pl_locks_list(const struct pl_locks *locks, uint32_t held, struct pl_finding_lock *to,
                       unsigned most);

#endif /* PL_DETECT_LOCKS_H */
