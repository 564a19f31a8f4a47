/* SPDX-License-Identifier: MIT */
/*
 * Included before every file of the library: the compiler's own calls of memcpy
 * and its kin, for struct copies say, must not end in the interposed functions.
 */
#ifndef PL_RUNTIME_GROUND_REDIRECT_H
#define PL_RUNTIME_GROUND_REDIRECT_H

#ifndef __ASSEMBLER__
#include <stddef.h>

void *memcpy(void *, const void *, size_t) __asm__("pl_memory_copy");
void *memmove(void *, const void *, size_t) __asm__("pl_memory_move");
void *memset(void *, int, size_t) __asm__("pl_memory_fill");
int memcmp(const void *, const void *, size_t) __asm__("pl_memory_compare");
#endif

#endif /* PL_RUNTIME_GROUND_REDIRECT_H */
