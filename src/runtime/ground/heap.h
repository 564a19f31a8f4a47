/* SPDX-License-Identifier: MIT */
/* See heap.c. */
#ifndef PL_RUNTIME_GROUND_HEAP_H
#define PL_RUNTIME_GROUND_HEAP_H

#include "runtime/ground/stage.h"

void *pl_heap_allocate(uint64_t size, uint64_t align, uint64_t site);
void pl_heap_free(void *p, uint64_t site);
void pl_heap_lock(void); /* for a fork: the child must find it free */
void pl_heap_unlock(void);
uint64_t pl_heap_size(const void *p);
uint64_t pl_heap_large_end(void); /* address behind the last large block */
bool pl_heap_describe(uint64_t addr, struct pl_place *place, uint64_t *freed_at);
/* Whether it lies in a block that has been freed, and where that was. */
bool pl_heap_is_freed(uint64_t addr, uint64_t *freed_at);
static inline bool pl_heap_contains(uint64_t addr)
{
    return addr - PL_HEAP_ADDRESS < PL_HEAP_SIZE;
}

#endif /* PL_RUNTIME_GROUND_HEAP_H */
