/* SPDX-License-Identifier: MIT */
/*
 * The analysis held against what happens (--check-pairs): operations of an execution, and whether
 * those that conflict are in a pair of the table.
 *
 * Two operations conflict that touch the same memory or object, in different threads, unless
 * creation or join of threads or a barrier puts one before the other, or both threads hold a lock
 * in common where that is what orders them.
 */
#ifndef PL_MODEL_PAIR_CHECK_H
#define PL_MODEL_PAIR_CHECK_H

#include "model/pair.h"

enum {
    PL_PAIR_CHECK_SEEN = 4096, /* operations that are remembered, of which no two are alike */
    PL_PAIR_CHECK_THREADS = 32,
    PL_PAIR_CHECK_HELD = 6,
    PL_PAIR_CHECK_BARRIERS = 8,
    PL_PAIR_CHECK_BASES = 256, /* that are remembered */
};

struct pl_pair_check_seen {
    uint64_t addr;
    uint64_t held[PL_PAIR_CHECK_HELD];
    uint32_t size, site, when;
    pl_tid tid;
    uint8_t kind, n_held;
    bool writes;
};

/* Where a thread was when it performed its last operation. */
struct pl_pair_check_stack {
    uint64_t pcs[PL_PAIR_FRAMES];
    uint32_t n;
    bool whole;
};

/* A barrier at which threads meet: what comes before whoever leaves it, in a round and the next. */
struct pl_pair_check_barrier {
    uint64_t addr;
    uint32_t rounds[PL_PAIR_CHECK_THREADS]; /* that a thread has come to */
    struct {
        uint32_t round;
        uint32_t before[PL_PAIR_CHECK_THREADS];
    } met[2];
};

/* What a base (model/pair.h) is in a thread. */
struct pl_pair_check_base {
    uint64_t address;
    uint32_t base;
    pl_tid tid;
};

struct pl_pair_check {
    uint32_t n;
    /* Time is counted in threads created and joined, and arrivals at barriers: what x did before
     * time before[y][x] comes before all that y does now. */
    uint32_t now[PL_PAIR_CHECK_THREADS];
    uint32_t before[PL_PAIR_CHECK_THREADS][PL_PAIR_CHECK_THREADS];
    struct pl_pair_check_seen seen[PL_PAIR_CHECK_SEEN];
    struct pl_pair_check_stack stacks[PL_PAIR_CHECK_THREADS];
    struct pl_pair_check_barrier barriers[PL_PAIR_CHECK_BARRIERS]; /* those beyond are no order */
    uint32_t n_barriers;
    struct pl_pair_check_base bases[PL_PAIR_CHECK_BASES];
    uint32_t n_bases;
};

void pl_pair_check_begin(struct pl_pair_check *c);

/*
 * The operation, which is at this site, is performed while its thread holds these locks.  Returns
 * the operation before that it conflicts with although the table has no such pair; NULL if there is
 * none.
 */
const struct pl_pair_check_seen *pl_pair_check_see(struct pl_pair_check *c,
                                                   const struct pl_pair_table *t,
                                                   const struct pl_operation *op, uint32_t site,
                                                   const uint64_t *held, unsigned n_held);

/*
 * The thread performs an operation there, with this stack.  False: from where it performed the one
 * before, the table says, it could not come to this site.
 */
bool pl_pair_check_come(struct pl_pair_check *c, const struct pl_pair_table *t, pl_tid tid,
                        const uint64_t *pcs, unsigned n, bool whole, uint32_t site);

/*
 * The thread performs an operation at this site.  False: its address, the table says, would have to
 * be another, since one with the same base was elsewhere.
 */
bool pl_pair_check_address(struct pl_pair_check *c, const struct pl_pair_table *t,
                           const struct pl_operation *op, uint32_t site);

#endif /* PL_MODEL_PAIR_CHECK_H */
