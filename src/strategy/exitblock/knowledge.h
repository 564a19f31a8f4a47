/* SPDX-License-Identifier: MIT */
/*
 * What threads know of each other: up to which time of another thread somebody
 * has seen what it did, by reading what it wrote, by being created or by joining it.
 *
 * A deadlock that is thought of puts a thread back to a time before it took a lock.  That makes no
 * sense if another thread of the circle knows of something that it did later.
 *
 * A thread's time goes on with every lock that it takes.  Locks tell nothing: who had one
 * before could as well have come later.  Memory tells by the address at which it is accessed, so
 * that nobody is thought to know what he does not; who is woken by a signal may know more than is
 * noted here.  Threads beyond the first 16 are not known of.
 *
 * All of it can be undone.
 */
#ifndef PL_STRATEGY_EXITBLOCK_KNOWLEDGE_H
#define PL_STRATEGY_EXITBLOCK_KNOWLEDGE_H

#include "base/arena.h"
#include "model/operation.h"

enum { PL_KNOWLEDGE_THREADS = 16, PL_KNOWLEDGE_PLACES = 1 << 15 };

/* Of each thread the time up to which it is known. */
struct pl_knowledge_clock {
    uint16_t of[PL_KNOWLEDGE_THREADS];
};

/* What is told at an address. */
struct pl_knowledge_place {
    uint64_t addr; /* 0: a free place */
    uint32_t clock;
};

struct pl_knowledge_undo {
    uint32_t what; /* index of a place, or behind them of a thread */
    uint32_t clock;
    bool fresh; /* the place was not in the table */
};

struct pl_knowledge {
    struct pl_knowledge_clock *clocks; /* number 0 knows nothing; they never change */
    struct pl_knowledge_undo *undo;
    uint32_t n_clocks, clocks_max, n_undo, undo_max;
    bool full; /* nothing more is learned */
    uint32_t threads[PL_KNOWLEDGE_THREADS];
    struct pl_knowledge_place places[PL_KNOWLEDGE_PLACES]; /* a table */
};

struct pl_knowledge_mark {
    uint32_t clocks, undo;
};

void pl_knowledge_start(struct pl_knowledge *k, struct pl_arena arena);
struct pl_knowledge_mark pl_knowledge_mark(const struct pl_knowledge *k);
void pl_knowledge_back(struct pl_knowledge *k, struct pl_knowledge_mark mark);

/* The thread's time goes on; what it is now. */
uint16_t pl_knowledge_tick(struct pl_knowledge *k, pl_tid tid);

/* Thread tid reads at addr, writes there, or adds to what others have left there. */
void pl_knowledge_read(struct pl_knowledge *k, pl_tid tid, uint64_t addr);
void pl_knowledge_write(struct pl_knowledge *k, pl_tid tid, uint64_t addr);
void pl_knowledge_add(struct pl_knowledge *k, pl_tid tid, uint64_t addr);

/* Thread tid knows from now on all that `other` knows. */
void pl_knowledge_join(struct pl_knowledge *k, pl_tid tid, pl_tid other);

/* What thread tid knows now, as the number of a clock. */
uint32_t pl_knowledge_now(const struct pl_knowledge *k, pl_tid tid);

/* Up to which time of `other` whoever has that clock knows what that one did. */
uint16_t pl_knowledge_of(const struct pl_knowledge *k, uint32_t clock, pl_tid other);

#endif /* PL_STRATEGY_EXITBLOCK_KNOWLEDGE_H */
