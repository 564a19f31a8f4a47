/* SPDX-License-Identifier: MIT */
/*
 * Whether a program keeps to the discipline that a search over blocks relies on: no two accesses
 * of different threads to the same byte, of which one writes, could change places within blocks.
 *
 * They could not if one comes before the other by something else: births and joins, atomics,
 * semaphores, barriers, or what a thread read that another wrote earlier; or if both threads held a
 * lock that excludes them from each other.  Orders of locks tell nothing, since the search does not
 * execute regions in both orders that have nothing but the lock in common.  What is neither
 * ordered nor locked is outside.  docs/design/exitblock.md proves that this is enough.
 *
 * What comes before is kept as vector clocks along the path; of each eight bytes of memory those
 * accesses that are not followed by a stricter one of the same thread.  All of it can be undone,
 * step by step, as the search goes back.
 */
#ifndef PL_STRATEGY_EXITBLOCK_DISCIPLINE_H
#define PL_STRATEGY_EXITBLOCK_DISCIPLINE_H

#include "strategy/exitblock/chain.h"

enum { PL_DISCIPLINE_PLACES = 1 << 16, PL_DISCIPLINE_THREADS = 64 };

/* Of each thread the time up to which it is known what it did. */
struct pl_discipline_clock {
    uint32_t of[PL_DISCIPLINE_THREADS];
};

/* An access; it never changes. */
struct pl_discipline_access {
    uint64_t pc;
    uint32_t time;  /* of its thread */
    uint32_t clock; /* what its thread knew of others */
    uint32_t held;  /* locks, a list of the chain */
    uint32_t next;  /* the one before it, of the same place; 0: none */
    pl_tid tid;
    uint8_t bytes;  /* of the eight, one bit each */
    uint8_t effect; /* enum pl_effect */
    bool atomic;    /* an operation that ends its block */
};

struct pl_discipline_place {
    uint64_t granule; /* address / 8; 0: a free place */
    uint32_t last;    /* access */
};

struct pl_discipline_thread {
    uint32_t clock, time;
};

struct pl_discipline_undo {
    uint32_t what; /* index of a place, or behind them of a thread */
    bool fresh;    /* the place was not in the table */
    union {
        uint32_t last;
        struct pl_discipline_thread thread;
    } old;
};

/* Two accesses that could change places. */
struct pl_discipline_pair {
    uint64_t pc, other_pc, addr; /* pc of the later one; 0: there are none */
};

struct pl_discipline {
    struct pl_discipline_pair outside;     /* the first that were */
    struct pl_discipline_clock *clocks;    /* number 0 knows nothing; they never change */
    struct pl_discipline_access *accesses; /* number 0 is none */
    struct pl_discipline_undo *undo;
    uint32_t n_clocks, clocks_max, n_accesses, accesses_max, n_undo, undo_max;
    bool full; /* something did not fit: nothing is known of the rest */
    struct pl_discipline_thread threads[PL_DISCIPLINE_THREADS];
    struct pl_discipline_place places[PL_DISCIPLINE_PLACES]; /* a table */
};

struct pl_discipline_mark {
    uint32_t clocks, accesses, undo;
};

void pl_discipline_start(struct pl_discipline *d, struct pl_arena arena);
struct pl_discipline_mark pl_discipline_mark(const struct pl_discipline *d);
void pl_discipline_back(struct pl_discipline *d, struct pl_discipline_mark mark);

/* Thread tid knows from now on all that `other` has done and knows: it was born, or has joined. */
void pl_discipline_join(struct pl_discipline *d, pl_tid tid, pl_tid other);

/* What all have done to the object before is known to the thread. */
void pl_discipline_learn(struct pl_discipline *d, pl_tid tid, uint64_t object);

/*
 * The operation touches bytes.  `atomic`: it ends its block, or is about what it touches in a way
 * that others of its kind may come before or after.
 */
void pl_discipline_touch(struct pl_discipline *d, const struct pl_chain *chain,
                         const struct pl_operation *op, uint64_t addr, uint64_t size,
                         enum pl_effect effect, bool atomic);

#endif /* PL_STRATEGY_EXITBLOCK_DISCIPLINE_H */
