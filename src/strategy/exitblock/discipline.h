/* SPDX-License-Identifier: MIT */
/*
 * Whether a program keeps to the discipline that a search over blocks relies on: what several
 * threads access, and some write, is accessed with a lock that all of them hold.
 *
 * This is the state machine of Eraser (Savage and others 1997), with its
 * allowances: one thread alone needs no lock, nor do many that only read.  A
 * location may also change hands: to a thread that was created after the last access, that
 * has since performed an operation which orders it behind others (a semaphore, a barrier, an
 * atomic: each ends a block), or when all others that used it have been joined.  Who is ordered
 * behind whom is not looked at more closely.  So what is said to be outside the discipline is so,
 * as far as locks go; of programs that order their accesses by other means it may be missed.
 *
 * All of it can be undone, step by step, as the search goes back.
 */
#ifndef PL_STRATEGY_EXITBLOCK_DISCIPLINE_H
#define PL_STRATEGY_EXITBLOCK_DISCIPLINE_H

#include "strategy/exitblock/chain.h"

enum { PL_DISCIPLINE_PLACES = 1 << 15, PL_DISCIPLINE_LOCKS = 4 };

/* A location: bytes that are accessed together. */
struct pl_discipline_place {
    uint64_t addr;
    uint64_t threads; /* who has accessed it since it changed hands; a bit each, modulo 64 */
    uint64_t locks[PL_DISCIPLINE_LOCKS]; /* that all of them held, once there are several */
    uint32_t size;
    uint32_t when; /* last access */
    uint8_t state;
};

struct pl_discipline_undo {
    uint32_t what; /* index of a place, or behind them of a thread; those that were joined are the
                      last */
    struct pl_discipline_place old;
};

struct pl_discipline {
    uint32_t now;
    uint64_t joined;                   /* of the first 64 threads, a bit each */
    uint64_t outside_pc, outside_addr; /* the first access that was; 0: none */
    struct pl_discipline_undo *undo;
    uint32_t n_undo, undo_max;
    bool full; /* no more is looked at */
    uint32_t since[PL_THREADS_MAX];
    struct pl_discipline_place places[PL_DISCIPLINE_PLACES]; /* a hash table */
};

struct pl_discipline_mark {
    uint32_t now, undo;
};

void pl_discipline_start(struct pl_discipline *d, struct pl_arena arena);
struct pl_discipline_mark pl_discipline_mark(const struct pl_discipline *d);
void pl_discipline_back(struct pl_discipline *d, struct pl_discipline_mark mark);

/* The thread comes after all that has happened so far: it is born, or has waited for others. */
void pl_discipline_order(struct pl_discipline *d, pl_tid tid);

/* The thread has been joined. */
void pl_discipline_join(struct pl_discipline *d, pl_tid tid);

/* An access, with the locks that the thread holds. */
void pl_discipline_access(struct pl_discipline *d, const struct pl_chain *chain,
                          const struct pl_operation *op);

#endif /* PL_STRATEGY_EXITBLOCK_DISCIPLINE_H */
