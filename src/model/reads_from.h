/* SPDX-License-Identifier: MIT */
/*
 * Which statements have read what which statements wrote, and how often: what reads-from
 * fuzzing is guided by (strategy/rff/rff.c).
 *
 * A pair is a statement that wrote, or none for the value that was there at first, and one that
 * read.  Whatever takes a lock or changes an object both reads and writes it, so that pairs say who
 * had a lock before whom, too.  With each pair goes how many executions have shown it and how many
 * were made for it.  What an execution has shown as a whole is its signature, of which it is known
 * how many executions had it.
 *
 * All workers share this.  It only ever grows, by atomic operations, and a process
 * may die between any two of them.  Statements are numbers (model/cover.h).
 */
#ifndef PL_MODEL_READS_FROM_H
#define PL_MODEL_READS_FROM_H

#include <stdbool.h>
#include <stdint.h>

enum { PL_READS_FROM_PAIRS = 1 << 17, PL_READS_FROM_SIGNATURES = 1 << 16 };

/* In place of the statement that wrote: the value was there at first. */
#define PL_READS_FROM_INITIAL (UINT32_C(1) << 24)

struct pl_reads_from_pair {
    _Atomic uint64_t key;   /* who wrote and who read; 0: a free slot */
    _Atomic uint64_t first; /* good execution that showed it */
    _Atomic uint32_t shown; /* executions */
    _Atomic uint32_t tried; /* executions that were made for it */
    _Atomic bool given;     /* an earlier campaign has shown it */
};

struct pl_reads_from_signature {
    _Atomic uint64_t key; /* 0: a free slot */
    _Atomic uint32_t seen;
};

struct pl_reads_from {
    _Atomic uint32_t n;    /* entries of list[] */
    _Atomic bool used;     /* something was ever put in */
    _Atomic uint64_t lost; /* pairs that did not fit, each time they came up */
    /* Places of pairs that good executions have shown, plus 1; 0: being written. */
    _Atomic uint32_t list[PL_READS_FROM_PAIRS];
    struct pl_reads_from_pair pairs[PL_READS_FROM_PAIRS];
    struct pl_reads_from_signature signatures[PL_READS_FROM_SIGNATURES];
};

static inline uint32_t pl_reads_from_writer(const struct pl_reads_from_pair *p)
{
    return (uint32_t)(p->key >> 32) - 1;
}

static inline uint32_t pl_reads_from_reader(const struct pl_reads_from_pair *p)
{
    return (uint32_t)p->key - 1;
}

/* The place of the pair, which it keeps from the first time on; NULL when there is no room. */
struct pl_reads_from_pair *pl_reads_from_place(struct pl_reads_from *r, uint32_t writer,
                                               uint32_t reader);

/* An execution, good or not, has shown the pair.  True if none had, in this or an earlier campaign.
 */
bool pl_reads_from_show(struct pl_reads_from *r, struct pl_reads_from_pair *pair, bool good,
                        uint64_t execution);

/* Earlier campaigns have shown it. */
void pl_reads_from_give(struct pl_reads_from *r, uint32_t writer, uint32_t reader);

/* An execution has been made for it. */
void pl_reads_from_try(struct pl_reads_from *r, uint32_t writer, uint32_t reader);

/* What is known of it: all 0 when that is nothing. */
struct pl_reads_from_known {
    bool shown; /* in this or an earlier campaign */
    uint32_t times, tried;
};

static inline struct pl_reads_from_known pl_reads_from_known_at(const struct pl_reads_from_pair *p)
{
    return (struct pl_reads_from_known){
        .shown = p->shown > 0 || p->given,
        .times = p->shown,
        .tried = p->tried,
    };
}

struct pl_reads_from_known pl_reads_from_known(const struct pl_reads_from *r, uint32_t writer,
                                               uint32_t reader);

/* The entry of the pair, if it has one; else NULL. */
const struct pl_reads_from_pair *pl_reads_from_find(const struct pl_reads_from *r, uint32_t writer,
                                                    uint32_t reader);

/* Count an execution with this signature; how many had it with this one.  Beyond the room: 1. */
uint32_t pl_reads_from_count(struct pl_reads_from *r, uint64_t signature);

/* How many had it. */
uint32_t pl_reads_from_counted(const struct pl_reads_from *r, uint64_t signature);

/* Another search begins, which is to know only what is given; while nobody else uses this. */
void pl_reads_from_forget(struct pl_reads_from *r);

#endif /* PL_MODEL_READS_FROM_H */
