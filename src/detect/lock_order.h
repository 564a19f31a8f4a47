/* SPDX-License-Identifier: MIT */
/*
 * What the detector `lock-order` remembers of an execution: each acquisition with
 * the locks that its thread had at that moment, and when it was in terms of who
 * created and joined whom.
 */
#ifndef PL_DETECT_LOCK_ORDER_H
#define PL_DETECT_LOCK_ORDER_H

#include "detect/clock.h"

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
    struct pl_order_hold *next; /* of the same bucket by lock */
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
    struct pl_order_want *next; /* of the same bucket by key */
    struct pl_order_hold held[];
};

enum { PL_ORDER_BUCKETS = 1 << 9 };

/* Those who have a lock. */
struct pl_order_holders {
    struct pl_order_hold *buckets[PL_ORDER_BUCKETS];
};

struct pl_order_hold **pl_lock_cycle_bucket(struct pl_order_holders *holders, uint64_t lock);

/* Report every circle that goes through this acquisition, which is in `holders` already. */
void pl_lock_cycle_search(struct pl_order_holders *holders, const struct pl_order_want *want);

#endif /* PL_DETECT_LOCK_ORDER_H */
