/* SPDX-License-Identifier: MIT */
/*
 * What is remembered about memory: for each granule of 8 bytes the accesses that
 * still matter, each with the bytes it touched, and for each place that carries
 * an order from one thread to another, what is known there.
 *
 * Granules lie densely, in the order of their first use, and are found through a
 * table that is small at first.  So an execution that touches little changes few
 * pages.
 */
#ifndef PL_DETECT_HISTORY_H
#define PL_DETECT_HISTORY_H

#include "base/assert.h"
#include "detect/clock.h"
#include "detect/index.h"

enum { PL_GRANULE = 8 };

/* An access that later ones may conflict with. */
struct pl_earlier {
    uint32_t clock; /* time of the thread */
    pl_tid tid;
    uint8_t mask;  /* the bytes of the granule: bit i is byte i */
    uint8_t flags; /* PL_ACCESS_..., see detect/detector.h */
    uint64_t pc;
    uint32_t stack; /* see pl_host_stack() */
    int32_t from;   /* where the access begins, counted from the granule */
    uint32_t size;
    const struct pl_lock_list *locks;
    struct pl_earlier *next;
};

/* An object, or atomic bytes, that one thread leaves what it knows at and others take it from. */
struct pl_sync_place {
    uint64_t addr;
    uint8_t size;
    struct pl_clock clock;
    struct pl_clock readers; /* what those have left who had the read side of an rwlock */
    struct pl_sync_place *next;
};

struct pl_granule {
    uint64_t addr;
    struct pl_earlier *past;
    struct pl_sync_place *places;
    struct pl_granule *next; /* the one that was made before it */
};

struct pl_history {
    struct pl_table table;       /* granules by their addresses, as numbers */
    const void *base;            /* what the numbers are counted from */
    struct pl_granule *granules; /* the latest one first */
    uint64_t n_granules;
    struct pl_earlier *unused;
};

bool pl_history_start(struct pl_history *h);

/* The granule that begins at addr; NULL when it is not there and there is no memory for it. */
struct pl_granule *pl_history_granule(struct pl_history *h, uint64_t addr);
/* The granule of addr if something is known about it, else NULL. */
struct pl_granule *pl_history_known(const struct pl_history *h, uint64_t addr);

/* Put an access in front of the others of a granule; NULL without memory. */
struct pl_earlier *pl_history_add(struct pl_history *h, struct pl_granule *g);
/* Take out the one that *at leads to. */
void pl_history_remove(struct pl_history *h, struct pl_earlier **at);

/* The place of exactly these bytes, made if it is missing; NULL without memory. */
struct pl_sync_place *pl_history_place(struct pl_history *h, uint64_t addr, unsigned size);

/* Forget what was at [addr, addr + size). */
void pl_history_forget(struct pl_history *h, uint64_t addr, uint64_t size);

/* Those of the bytes [addr, addr + size) that are in the granule. */
static inline uint8_t pl_history_mask(uint64_t granule, uint64_t addr, uint64_t size)
{
    uint64_t end = addr + size;

    PL_CHECK(addr < granule + PL_GRANULE && end > granule);
    unsigned first = addr > granule ? (unsigned)(addr - granule) : 0;
    unsigned last = end < granule + PL_GRANULE ? (unsigned)(end - granule) : PL_GRANULE;

    return (uint8_t)((0xffu << first) & (0xffu >> (PL_GRANULE - last)));
}

#endif /* PL_DETECT_HISTORY_H */
