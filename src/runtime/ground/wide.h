/* SPDX-License-Identifier: MIT */
/*
 * Accesses wider than a machine word, and how many steps they are.
 *
 * The processor makes one by pieces.  A piece is what of it lies in one granule of 8 bytes; of
 * something very large it is several granules, so that there are at most PL_WIDE_PIECES of them.
 *
 * There is no instruction for 3, 5, 6 or 7 bytes either: libc makes two of 2 or 4, compilers as
 * many as they like.  These accesses are narrow, and are made in pieces like wide ones.
 *
 * A wide access counts as one event and as many more as it has pieces, whether it is made in pieces
 * or not: which it is may differ between an execution and its replay, their numbers must not.  The
 * first of these numbers is the access as a whole, those that follow are its pieces as they come.
 */
#ifndef PL_RUNTIME_GROUND_WIDE_H
#define PL_RUNTIME_GROUND_WIDE_H

#include <stdbool.h>
#include <stdint.h>

enum { PL_WIDE_WORD = 8, PL_WIDE_PIECES = 1024 };

static inline bool pl_wide_is(uint64_t size)
{
    return size > PL_WIDE_WORD || (size & (size - 1)) != 0;
}

static inline bool pl_wide_is_narrow(uint64_t size)
{
    return size < PL_WIDE_WORD;
}

/* How many bytes of a narrow one libc makes in one step. */
static inline uint64_t pl_wide_step(uint64_t size)
{
    return size < 4 ? 2 : 4;
}

static inline uint64_t pl_wide_granules(uint64_t addr, uint64_t size)
{
    return ((addr + size - 1) >> 3) - (addr >> 3) + 1;
}

/* How many bytes a piece has, but for the first one and the last one. */
static inline uint64_t pl_wide_unit(uint64_t addr, uint64_t size)
{
    return (pl_wide_granules(addr, size) + PL_WIDE_PIECES - 1) / PL_WIDE_PIECES * 8;
}

/* Where the piece ends that has the byte `at` of the access. */
static inline uint64_t pl_wide_end(uint64_t addr, uint64_t size, uint64_t at)
{
    uint64_t unit = pl_wide_unit(addr, size), first = addr & ~UINT64_C(7);
    uint64_t end = first + ((at - first) / unit + 1) * unit;

    if (pl_wide_is_narrow(size))
        end = at + pl_wide_step(size);

    return end < addr + size ? end : addr + size;
}

/* At most. */
static inline uint32_t pl_wide_pieces(uint64_t addr, uint64_t size)
{
    uint64_t unit = pl_wide_unit(addr, size) / 8;

    return (uint32_t)(pl_wide_is_narrow(size) ? size
                                              : (pl_wide_granules(addr, size) + unit - 1) / unit);
}

/* How many events the access counts as. */
static inline uint32_t pl_wide_events(uint64_t addr, uint64_t size)
{
    return pl_wide_is(size) ? 1 + pl_wide_pieces(addr, size) : 1;
}

/* Whether it lies in two lines of the cache. */
static inline bool pl_wide_crosses(uint64_t addr, uint64_t size)
{
    enum { LINE = 64 };

    return addr % LINE + size > LINE;
}

#endif /* PL_RUNTIME_GROUND_WIDE_H */
