/* SPDX-License-Identifier: MIT */
/*
 * Addresses that are used again.
 *
 * The heap keeps freed blocks out of use, so that whoever uses one is found out.  malloc() as it is
 * natively gives such an address to the next who asks for as much.  A program that compares a
 * pointer with one that it has read before would never find them equal here, although they can be.
 *
 * So each block notes which freed one it might have been (ground/heap.h).  A thread that reads
 * its address while it still has the other one, on its stack or in a register, or that reads an
 * address at which another block might be by now, may be about to compare them: from then on it is
 * a choice whether the block gets that address, and the search starts over, as when memory turns
 * out to be shared.  Allocations and frees of that size are operations from then on.
 */
#ifndef PL_RUNTIME_ACCESS_REUSE_H
#define PL_RUNTIME_ACCESS_REUSE_H

#include "runtime/ground/heap.h"
#include "runtime/ground/look.h"

/* As pl_heap_allocate(), by the running thread. */
void *pl_reuse_allocate(uint64_t size, uint64_t align, uint64_t site);
/* It is about to free a block of that size. */
void pl_reuse_free(uint64_t size, uint64_t site);

void pl_reuse_consider(const struct pl_thread *t, uint64_t word);

/* The thread reads what is there, after the point; its registers are known. */
static inline void pl_reuse_read(const struct pl_thread *t, const void *addr, uint64_t size)
{
    enum { MOST = 64 };

    for (uint64_t i = 0; i + 8 <= size && size <= MOST; i += 8) {
        uint64_t word = pl_look((const char *)addr + i);

        if (pl_heap_contains(word))
            pl_reuse_consider(t, word);
    }
}

#endif /* PL_RUNTIME_ACCESS_REUSE_H */
