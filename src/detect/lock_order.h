/* SPDX-License-Identifier: MIT */
/*
 * What the detector `lock-order` remembers of an execution: each acquisition with
 * the locks that its thread had at that moment, and when it was in terms of who
 * created and joined whom.
 */
#ifndef PL_DETECT_LOCK_ORDER_H
#define PL_DETECT_LOCK_ORDER_H

#include "detect/clock.h"
#include "detect/index.h"

struct pl_order_want;

/* A lock that a thread took, and may have given up since. */
struct pl_order_taken {
    uint64_t lock;
    bool shared;
};

/* A lock that a thread has, or something else that only it can provide. */
struct pl_order_hold {
    uint64_t lock; /* 0: it is no more */
    uint64_t pc;   /* since where; 0 when there is no such place */
    bool shared;
    uint8_t rank; /* after so many of past[] it was there; 0: not known */
    struct pl_order_want *want;
    struct pl_order_hold *next; /* of the same lock, an earlier one */
};

/* An operation that waits while somebody else has the lock, or has yet to provide it. */
struct pl_order_want {
    pl_tid tid;
    uint8_t op; /* enum pl_op_kind */
    bool shared;
    uint8_t n;        /* of held[] */
    uint8_t n_past;   /* of past[]; 0 when nothing was given up since the first of held[] */
    uint32_t segment; /* of the thread */
    const struct pl_clock *clock;
    const struct pl_order_taken *past; /* what it took, each lock once, the latest last */
    uint64_t lock;   /* what it waits for; not always an address, see lock_order.c */
    uint64_t object; /* what a report calls it */
    uint64_t pc;
    uint64_t key;
    struct pl_order_want *next; /* the one that was kept before it */
    struct pl_order_hold held[];
};

/* A lock with those who have it, the latest one first. */
struct pl_order_lock {
    uint64_t lock;
    struct pl_order_hold *holds;
};

/* For each lock, who holds it while waiting for another. */
struct pl_order_holders {
    const void *base;      /* what numbers are counted from */
    struct pl_table table; /* of struct pl_order_lock, by lock, as numbers */
};

/* False when there is no memory. */
bool pl_lock_cycle_start(struct pl_order_holders *holders);
bool pl_lock_cycle_add(struct pl_order_holders *holders, struct pl_order_hold *hold);

/* Report every circle that goes through this acquisition, which is in `holders` already. */
void pl_lock_cycle_search(struct pl_order_holders *holders, const struct pl_order_want *want);

#endif /* PL_DETECT_LOCK_ORDER_H */
