/* SPDX-License-Identifier: MIT */
/*
 * History-aware predecessor sets (Wang, Said, Gupta: Coverage guided systematic
 * concurrency testing, ICSE 2011).
 *
 * HaPSet(s) has the statements p for which some good execution had an event of s
 * that was immediately dependent on an event of p: the last one of another thread
 * on the same object, in conflict, and later than what the thread of s itself did to it
 * before.  Threads have no numbers here, so that a
 * set stays small however many there are.
 *
 * The sets of all statements are one set of pairs (s, p), shared by all workers.
 * It only ever grows, by atomic operations, and a process may die between any two
 * of them.  Statements are numbers (model/cover.h); a few bits above them make room for
 * what has no statement of its own: that something came before or after the end
 * of the program, what was chosen within an operation, and that a statement came before everything
 * of other threads that conflicts with it, or after it.
 *
 * Who finds the pairs of an execution is strategy/hapset/predecessors.c.
 */
#ifndef PL_MODEL_HAPSET_H
#define PL_MODEL_HAPSET_H

#include <stdbool.h>
#include <stdint.h>

enum { PL_HAPSET_PAIRS = 1 << 18 };

/* Why a pair is known: bits. */
enum {
    PL_HAPSET_LEARNED = 1, /* a good execution of this campaign had it */
    PL_HAPSET_GIVEN = 2,   /* one of an earlier campaign had */
    PL_HAPSET_TRIED = 4,   /* an execution was made for it, but no good one had it */
    PL_HAPSET_KNOWN = 7,
    PL_HAPSET_BEFORE =
        8, /* an earlier search of the campaign had learned it, and it is forgotten */
    PL_HAPSET_LISTED = 16,  /* it has been in the list before */
    PL_HAPSET_FAILED = 32,  /* an execution that failed had it */
    PL_HAPSET_SUSPECT = 64, /* in earlier campaigns only executions that failed had it */
};

/* Instead of, or on top of, a statement's number. */
#define PL_HAPSET_END (UINT32_C(1) << 24)     /* the statement ended the program */
#define PL_HAPSET_OUTCOME (UINT32_C(1) << 25) /* above that: which choice, which way */
#define PL_HAPSET_FIRST (UINT32_C(1) << 26)   /* nothing of others that conflicts came before it */
#define PL_HAPSET_LAST (UINT32_C(1) << 27)    /* and nothing after it */

struct pl_hapset_pair {
    _Atomic uint64_t key;   /* statement and predecessor; 0: a free slot */
    _Atomic uint64_t first; /* execution that had it first */
    _Atomic uint32_t why;   /* bits; 0 while it is being written */
};

struct pl_hapset {
    _Atomic uint32_t n;                     /* entries of list[] */
    _Atomic uint64_t lost;                  /* pairs that did not fit, each time they came up */
    _Atomic uint32_t list[PL_HAPSET_PAIRS]; /* places of pairs, plus 1; 0: being written */
    struct pl_hapset_pair pairs[PL_HAPSET_PAIRS];
};

static inline uint32_t pl_hapset_statement(const struct pl_hapset_pair *p)
{
    return (uint32_t)(p->key >> 32) - 1;
}

static inline uint32_t pl_hapset_predecessor(const struct pl_hapset_pair *p)
{
    return (uint32_t)p->key - 1;
}

/* What was chosen: the number of the choice within its operation, and the way taken. */
static inline uint32_t pl_hapset_outcome(unsigned choice, unsigned way)
{
    return PL_HAPSET_OUTCOME | (choice & 0xff) << 16 | (way & 0xffff);
}

/* Whether both of a pair are statements and nothing else. */
static inline bool pl_hapset_plain(const struct pl_hapset_pair *p)
{
    return ((pl_hapset_statement(p) | pl_hapset_predecessor(p)) &
            (PL_HAPSET_END | PL_HAPSET_OUTCOME | PL_HAPSET_FIRST | PL_HAPSET_LAST)) == 0;
}

/* Why `predecessor` is known to be in the set of `statement`: bits of KNOWN, 0 when it is not. */
uint32_t pl_hapset_why(const struct pl_hapset *h, uint32_t statement, uint32_t predecessor);

/* Put it in, or add a reason.  True if there was none before. */
bool pl_hapset_add(struct pl_hapset *h, uint32_t statement, uint32_t predecessor, uint32_t why,
                   uint64_t execution);

/* Whether in earlier campaigns only executions that failed had the pair. */
bool pl_hapset_suspect(const struct pl_hapset *h, uint32_t statement, uint32_t predecessor);

/* Another search begins, which is to know only what is given; while nobody else uses the sets. */
void pl_hapset_forget(struct pl_hapset *h);

#endif /* PL_MODEL_HAPSET_H */
