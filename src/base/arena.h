/* SPDX-License-Identifier: MIT */
/*
 * An arena: a block of memory from which parts are taken one after the other, for good.
 *
 * What is taken is as the block was; where that was 0, so is it.  Each part begins at a cache line
 * of its own.  An arena that is copied goes on from where it was, so that a layout can be tried:
 * the same calls in the same order give the same places.
 */
#ifndef PL_BASE_ARENA_H
#define PL_BASE_ARENA_H

#include "base/assert.h"

#include <stddef.h>
#include <stdint.h>

enum { PL_ARENA_LINE = 64 };

struct pl_arena {
    unsigned char *at; /* what is left begins here */
    uint64_t left;     /* bytes */
};

static inline struct pl_arena pl_arena_of(void *memory, uint64_t size)
{
    PL_ASSERT(memory != NULL || size == 0);
    return (struct pl_arena){memory, size};
}

/* Leave out what is needed to begin at a multiple of `alignment`, a power of two. */
static inline void pl_arena_align(struct pl_arena *a, uint64_t alignment)
{
    uint64_t skip = -(uintptr_t)a->at & (alignment - 1);

    PL_ASSERT(alignment > 0 && (alignment & (alignment - 1)) == 0);
    skip = skip < a->left ? skip : a->left;
    a->at += skip;
    a->left -= skip;
}

/* n times `size` bytes; NULL when they are not left, and then nothing is taken. */
static inline void *pl_arena_take(struct pl_arena *a, uint64_t size, uint64_t n)
{
    struct pl_arena aligned = *a;

    pl_arena_align(&aligned, PL_ARENA_LINE);
    if (n > aligned.left / size)
        return NULL;
    a->at = aligned.at + n * size;
    a->left = aligned.left - n * size;
    return aligned.at;
}

/* How many of this size could be taken. */
static inline uint64_t pl_arena_fits(const struct pl_arena *a, uint64_t size)
{
    struct pl_arena aligned = *a;

    PL_ASSERT(size > 0);
    pl_arena_align(&aligned, PL_ARENA_LINE);
    return aligned.left / size;
}

/* An arena of its own in so many bytes of this one; one of 0 bytes when they are not left. */
static inline struct pl_arena pl_arena_part(struct pl_arena *a, uint64_t size)
{
    void *memory = pl_arena_take(a, 1, size);

    return pl_arena_of(memory, memory != NULL ? size : 0);
}

/* n objects of a type; NULL when there is no room.  How many there is room for. */
#define PL_ARENA_TAKE(arena, type, n) ((type *)pl_arena_take(arena, sizeof(type), n))
#define PL_ARENA_FITS(arena, type) pl_arena_fits(arena, sizeof(type))

#endif /* PL_BASE_ARENA_H */
