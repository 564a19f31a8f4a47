/* SPDX-License-Identifier: MIT */
/*
 * Which accesses to memory locks keep apart.
 *
 * A hold is what a thread does from taking a lock until it gives it back.  Of two holds of
 * one lock, at least one of them for writing, one comes after the other.  So if accesses a and b of
 * two threads to the same bytes are both made within holds of one lock, then b never comes directly
 * after a if
 *
 *   b's own thread has written these bytes before, in the same hold, or
 *   a's own thread writes them later, in the same hold (if a reads: touches them).
 *
 * What is collected is what speaks against that, statement by statement, as bits that are only ever
 * set: an access without the lock that others had for the same memory; one that was the first of
 * its hold; one that was the last.  Two statements of which nothing was said cannot follow each
 * other, as far as is known.
 *
 * Which lock it is that memory is accessed with, each execution finds out anew: up to two
 * locks that the first access with any had, less what later ones do not have.  An access
 * with none of them is one without the lock.  As long as there are two candidates, what is said
 * must hold for both.
 *
 * Threads that come from several processors at once are not followed.
 */
#ifndef PL_MODEL_HOLD_H
#define PL_MODEL_HOLD_H

#include <stdbool.h>
#include <stdint.h>

enum {
    PL_HOLD_CANDIDATES = 2,
    PL_HOLD_LOCKS = 4,    /* of a thread that are known; it does not have the others */
    PL_HOLD_PENDING = 32, /* accesses whose holds go on, of all threads */
};

/* What is known of a statement: bits of its word pl_cover_statement.info, above all others. */
enum {
    PL_HOLD_SHIFT = 25,
    PL_HOLD_WITH = 1 << PL_HOLD_SHIFT,          /* it was performed with a lock */
    PL_HOLD_WITHOUT = 1 << (PL_HOLD_SHIFT + 1), /* without the one that others had */
    PL_HOLD_FIRST = 1 << (PL_HOLD_SHIFT + 2),   /* its thread had not written there before */
    PL_HOLD_LAST = 1 << (PL_HOLD_SHIFT + 3),    /* its thread did not touch that again, */
    PL_HOLD_LASTING = 1 << (PL_HOLD_SHIFT + 4), /* or not change it */
};
enum { PL_HOLD_FACTS = 5 };

struct pl_cover;

/* What is kept of a statement beside its bits. */
struct pl_hold_statement {
    _Atomic uint32_t lock;                 /* statement that took the lock, plus 1; one of them */
    _Atomic uint64_t first[PL_HOLD_FACTS]; /* executions that showed the facts first */
};

/* Eight bytes of memory. */
struct pl_hold_cell {
    uint32_t locks[PL_HOLD_CANDIDATES]; /* 0: none */
    uint32_t hold;                      /* of whoever was here last */
    uint8_t wrote;                      /* bytes that were written in it, as bits */
    bool pending;                       /* accesses in it may be in the list */
};

struct pl_hold_lock {
    uint32_t key, hold;
    uint16_t statement; /* that took it */
    bool shared;
};

struct pl_hold_thread {
    uint8_t n_locks;
    struct pl_hold_lock locks[PL_HOLD_LOCKS];
};

/* An access; in a hold that goes on it is one of the list. */
struct pl_hold_access {
    uint64_t cell;
    uint32_t locks[PL_HOLD_CANDIDATES];
    uint16_t statement;
    uint8_t bytes; /* as bits */
    bool reads;    /* and does no more than that, whatever it finds */
    bool writes;   /* it does, as it turned out */
    bool again;    /* the thread has touched the bytes since */
};

/* Of all threads: only one at a time has the locks that are noted with an access. */
struct pl_hold_pending {
    uint32_t n;
    struct pl_hold_access accesses[PL_HOLD_PENDING];
};

/* Two locks of one key would have to be multiples of 16 gigabytes apart.  0 is that of no lock,
 * and whoever has one of that key has none. */
static inline uint32_t pl_hold_key(uint64_t lock)
{
    return (uint32_t)(lock >> 2) + 1;
}

/* The thread takes a lock by that statement; `hold` is a number that no hold had before. */
static inline void pl_hold_begin(struct pl_hold_thread *t, uint64_t lock, bool shared,
                                 uint32_t statement, uint32_t hold)
{
    uint32_t key = pl_hold_key(lock);

    if (t->n_locks < PL_HOLD_LOCKS && key != 0)
        t->locks[t->n_locks++] = (struct pl_hold_lock){key, hold, (uint16_t)statement, shared};
}

/* The thread gives it back. */
void pl_hold_end(struct pl_cover *cover, struct pl_hold_pending *pending, struct pl_hold_thread *t,
                 uint64_t lock, uint64_t execution);

/* The thread accesses a cell; of `access` what `locks` and `again` say is ignored. */
void pl_hold_see(struct pl_cover *cover, struct pl_hold_pending *pending,
                 const struct pl_hold_thread *t, struct pl_hold_cell *cell,
                 const struct pl_hold_access *access, uint64_t execution);

/* Facts about a statement. */
void pl_hold_note(struct pl_cover *cover, uint32_t statement, uint32_t facts, uint64_t execution);

#endif /* PL_MODEL_HOLD_H */
