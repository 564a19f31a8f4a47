/* SPDX-License-Identifier: MIT */
/*
 * Copying, filling and comparing without libc, whose functions are the program's inside
 * the program under test: interposed and counted.
 */
#ifndef PL_BASE_MEMORY_H
#define PL_BASE_MEMORY_H

#include <stddef.h>

void *pl_memory_copy(void *to, const void *from, size_t size); /* which must not overlap */
void *pl_memory_move(void *to, const void *from, size_t size);
void *pl_memory_fill(void *to, int byte, size_t size);
int pl_memory_compare(const void *a, const void *b, size_t size);

#endif /* PL_BASE_MEMORY_H */
