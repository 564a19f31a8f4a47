/* SPDX-License-Identifier: MIT */
/*
 * Who holds which locks, and the analysis of reverse lock chains (Bruening 1999):
 * deadlocks that are seen before they happen.
 *
 * A thread fails to get a lock.  Its owner has just released another one, which
 * it took while it held the first; had it not taken it yet, it might be waiting
 * for it now.  If that one, or the last of a chain of such locks, is held by the
 * thread that failed, then all of them could have come to wait for each other.
 *
 * The thesis follows every lock that an owner holds.  Where locks are not nested
 * that is wrong: the owner may have taken the first lock only after it
 * had the second, as one does from hand to hand along a list.  So each lock comes with
 * the locks that its thread held when it was taken, and the chain goes on only
 * through those that it still has.
 *
 * Nor does a thread that knows what another one did later (strategy/exitblock/knowledge.h) make a
 * circle with it.  Of a thread whose last steps are thought away only what it knew before them
 * counts: what it has learned since is thought away with them.
 *
 * A thread's locks are a list whose members never change.  All that changes is
 * one word for each thread, and old words are kept, so that a search can go back
 * to any state on its path.
 */
#ifndef PL_STRATEGY_EXITBLOCK_CHAIN_H
#define PL_STRATEGY_EXITBLOCK_CHAIN_H

#include "model/cycle.h"
#include "strategy/exitblock/knowledge.h"

struct pl_chain_lock {
    uint64_t addr, pc, name;
    uint32_t next;  /* those that the thread held when it took this one, and has still; 0: none */
    uint32_t knew;  /* what the thread knew before that, see knowledge.h, */
    uint16_t since; /* and its time from then on */
    uint8_t op;     /* enum pl_op_kind that took it */
    bool shared;    /* for reading */
    bool sides;     /* it has a read side and a write side */
};

struct pl_chain_word {
    uint32_t held; /* the first of the thread's locks; 0: none */
    uint32_t last; /* the lock that it released last */
};

struct pl_chain_undo {
    struct pl_chain_word old;
    pl_tid tid;
};

struct pl_chain {
    struct pl_chain_lock *locks; /* number 0 is none */
    struct pl_chain_undo *undo;
    uint32_t n_locks, locks_max, n_undo, undo_max;
    unsigned n_threads; /* highest number of a thread that has taken a lock, plus 1 */
    bool full;          /* something did not fit */
    struct pl_knowledge knowledge;
    struct pl_chain_word threads[PL_THREADS_MAX];
};

/* A state to go back to. */
struct pl_chain_mark {
    uint32_t locks, undo;
    struct pl_knowledge_mark knowledge;
};

void pl_chain_start(struct pl_chain *c, struct pl_arena arena);
struct pl_chain_mark pl_chain_mark(const struct pl_chain *c);
void pl_chain_back(struct pl_chain *c, struct pl_chain_mark mark);

/* The operation takes the lock at `addr`. */
void pl_chain_enter(struct pl_chain *c, const struct pl_operation *op, uint64_t addr);

/* The thread gives it up.  True if it still has one that it took under it. */
bool pl_chain_leave(struct pl_chain *c, pl_tid tid, uint64_t addr);

/* The thread's entry for the lock; NULL when it does not have it. */
const struct pl_chain_lock *pl_chain_find(const struct pl_chain *c, pl_tid tid, uint64_t addr);

/* Walk over the locks of a list. */
#define PL_CHAIN_EACH(lock, c, list)                                               \
    for (const struct pl_chain_lock *lock = &(c)->locks[list]; lock != (c)->locks; \
         lock = &(c)->locks[lock->next])

/* The locks that a thread holds, as a list. */
static inline uint32_t pl_chain_held(const struct pl_chain *c, pl_tid tid)
{
    PL_ASSERT(tid < PL_THREADS_MAX);
    return c->threads[tid].held;
}

/* Attempts that have failed, and were undone: these threads want something, too. */
struct pl_chain_wants {
    const struct pl_operation *failed;
    unsigned n;
};

/* The operation failed to take its lock: whether that shows a deadlock, and which. */
bool pl_chain_closes(const struct pl_chain *c, const struct pl_operation *failed,
                     const struct pl_chain_wants *others, struct pl_cycle *cycle);

/* Whether the operation takes a lock, and waits if it cannot. */
bool pl_chain_acquires(const struct pl_operation *op);

/* Whether operations of this kind take the read side of a lock; the lock has two sides. */
bool pl_chain_reads(unsigned kind);
bool pl_chain_sides(unsigned kind);

#endif /* PL_STRATEGY_EXITBLOCK_CHAIN_H */
