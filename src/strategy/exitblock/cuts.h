/* SPDX-License-Identifier: MIT */
/*
 * Where blocks end, and what the operations of a block touch.
 *
 * A block is what one thread does up to a lock exit: an operation after which
 * others can do something that they could not do before, or see something that
 * they could not see.  Taking a lock is none: until it is given up nobody can get
 * at what it protects.  Operations that are no locks but are seen by others, such
 * as atomics and semaphores, count as a lock taken and given up at once.
 *
 * A lock that is taken and given up in the same block is read: two such blocks
 * may be swapped.  One that is held when the block begins or ends is written: it
 * decides whether others can go on.
 *
 * Four things are learned while the program runs, and the search starts over when
 * they are: locks that one thread alone uses, which end no blocks (`owners`); locks that somebody
 * tries, so that it can be seen that they are held (`watched`); locks that are given up before one
 * that was taken under them, so that no block would end with the first of the two only (`crossed`);
 * and conditions that are signalled without the mutex of those who wait (`loose`).
 */
#ifndef PL_STRATEGY_EXITBLOCK_CUTS_H
#define PL_STRATEGY_EXITBLOCK_CUTS_H

#include "strategy/exitblock/blocks.h"
#include "strategy/exitblock/chain.h"
#include "strategy/exitblock/discipline.h"

enum { PL_CUTS_LOCKS = 1024, PL_CUTS_CONDITIONS = 1024, PL_CUTS_ASSUMED = 4 };

/* A set of locks, as a table. */
struct pl_cuts_locks {
    uint64_t addr[PL_CUTS_LOCKS];
};

/* Who uses a lock. */
struct pl_cuts_owner {
    uint64_t addr;
    pl_tid tid;
    bool shared;  /* several do */
    bool private; /* after a whole execution one did: it ends no blocks */
};

/* What is known of a condition. */
struct pl_cuts_condition {
    uint64_t addr;
    uint64_t assumed[PL_CUTS_ASSUMED]; /* locks held at all signals so far; its mutex, if seen */
    bool loose, signalled;
};

struct pl_cuts {
    struct pl_blocks blocks;
    struct pl_chain chain;
    struct pl_discipline discipline;
    uint64_t atomic_pc;  /* of an atomic operation; 0: there was none */
    bool copies;         /* a thread has made a copy of everything */
    bool java;           /* as in the thesis: births and deaths are lock exits */
    bool again;          /* something was learned in this execution */
    bool exits;          /* namely that exits of threads have to be points */
    bool full;           /* more of it than there is room for */
    uint32_t open;       /* the set that is being recorded */
    uint32_t held_first; /* locks that its thread held when it began */
    /* Kept for ever. */
    struct pl_cuts_locks watched, crossed;
    struct pl_cuts_owner owners[PL_CUTS_LOCKS];              /* a table */
    bool judged;                                             /* which locks are private */
    struct pl_cuts_condition conditions[PL_CUTS_CONDITIONS]; /* a table */
};

/* A state to go back to; of the sets, that is the caller's business. */
struct pl_cuts_mark {
    struct pl_chain_mark chain;
    struct pl_discipline_mark discipline;
};

/* Forget all but what is kept for ever. */
void pl_cuts_clear(struct pl_cuts *k);
struct pl_cuts_mark pl_cuts_mark(const struct pl_cuts *k);
void pl_cuts_back(struct pl_cuts *k, struct pl_cuts_mark mark);

/* An operation that is no matter to blocks, but says that threads are there or not any more. */
void pl_cuts_note(struct pl_cuts *k, const struct pl_operation *op);

/*
 * The open block accesses memory that is suspect: where something failed before anybody else had
 * come to it.  Nobody could tell, unless another block does so too.
 */
void pl_cuts_suspect(struct pl_cuts *k, const struct pl_operation *op);

/* The first execution is over: whether there are locks that end no blocks, so that it was too fine.
 */
bool pl_cuts_judge(struct pl_cuts *k);

/* A block of this thread begins. */
void pl_cuts_open(struct pl_cuts *k, pl_tid tid);

/* An operation of it has been performed; true if the block ends with it. */
bool pl_cuts_perform(struct pl_cuts *k, const struct pl_operation *op);
/* Whether something comes to the thread here, in the middle of a block, that another has sent. */
static inline bool pl_cuts_interrupted(const struct pl_operation *op)
{
    return op->way == PL_WAY_SIGNAL ||
           (op->cancellable && pl_operation_is(op->kind, PL_ROLE_PLAIN));
}

/* The operation failed to take a lock. */
void pl_cuts_fail(struct pl_cuts *k, const struct pl_operation *op);

/*
 * The block is over; `ends`: and so is the program, because something was found.  Others
 * may find something else if they go first, but if they touch nothing that the block touches, it
 * finds the same after them.  Returns what it touched.
 */
uint32_t pl_cuts_close(struct pl_cuts *k, bool ends);

/*
 * Whether nobody can tell that the operation was performed, so that it is no
 * matter when it is.
 */
bool pl_cuts_silent(const struct pl_operation *op);

#endif /* PL_STRATEGY_EXITBLOCK_CUTS_H */
