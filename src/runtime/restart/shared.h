/* SPDX-License-Identifier: MIT */
/*
 * Memory that was mapped as shared before the root: the keeper and all runners have the same pages.
 *
 * A page is kept as it is at the root before it changes for the first time, in memory that keeper
 * and runners share as well.  A runner that rolls back puts it back like any other; the keeper does
 * so before it makes the next runner.
 */
#ifndef PL_RUNTIME_RESTART_SHARED_H
#define PL_RUNTIME_RESTART_SHARED_H

#include <stdbool.h>
#include <stdint.h>

struct stat;

void pl_shared_plan(char *text, uint64_t size); /* in the keeper; the text is for /proc/self/maps */
void pl_shared_forget(void);                    /* this is another root */
bool pl_shared_any(void);
bool pl_shared_meets(uint64_t start, uint64_t size); /* whether any of it is such memory */
/* The page is about to change: as it was at the root; NULL when it cannot be put back. */
const void *pl_shared_keep(uint64_t page);
/* What is in a file is about to change, by a descriptor or a path. */
bool pl_shared_file(const struct stat *st);
bool pl_shared_is_file(const struct stat *st); /* whether such memory is in it */
void pl_shared_restore(void);                  /* in the keeper */

#endif /* PL_RUNTIME_RESTART_SHARED_H */
