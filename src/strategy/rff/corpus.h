/* SPDX-License-Identifier: MIT */
/*
 * What reads-from fuzzing has to build schedules from, and the ones that it keeps.
 *
 * Abstract events, statements with what they touch, are noted as they come up.  A
 * constraint is made of one that reads and one that writes the same, or of the value that was there
 * at first.  Of several that are drawn the one that was tried least is taken, and rather one that
 * no execution has shown.
 *
 * A schedule is kept if its execution showed a pair that none had shown.  How many children it
 * gets, one after the other, follows AFLFast (Böhme, Pham, Roychoudhury, CCS 2016): none
 * if more executions than the mean of the kept ones had its signature, else twice as many each time
 * it is its turn.
 */
#ifndef PL_STRATEGY_RFF_CORPUS_H
#define PL_STRATEGY_RFF_CORPUS_H

#include "base/table.h"
#include "model/reads_from.h"
#include "strategy/rff/constraints.h"
#include "strategy/rff/sources.h"

enum {
    PL_CORPUS_EVENTS = 1 << 12, /* more are left out */
    PL_CORPUS_SLOTS = 2 * PL_CORPUS_EVENTS,
    PL_CORPUS_RECENT = 1 << 10,
    PL_CORPUS_PARTNERS = 3 * PL_CORPUS_EVENTS,
    PL_CORPUS_KEPT = 256, /* then the one with the most frequent signature makes room */
};

struct pl_corpus_event {
    uint64_t addr;
    uint32_t statement;
    uint32_t ordinal; /* that it had when it was first seen */
    uint16_t size;
    pl_tid tid; /* PL_TID_NONE: several threads */
    bool reads, writes;
};

/* What a read could read from; the value that was there at first comes last. */
struct pl_corpus_partners {
    uint32_t version; /* of the corpus that they were found in */
    uint32_t first, n;
};

struct pl_corpus_partner {
    uint32_t write;
    uint32_t place; /* of the pair in the common, plus 1; 0: not known */
};

struct pl_corpus_kept {
    struct pl_schedule schedule;
    uint64_t signature;
    uint32_t turns; /* that it has had */
};

struct pl_corpus {
    unsigned most; /* constraints of a schedule */
    uint32_t n_events, n_reads, n_kept;
    uint64_t children;        /* executed so far */
    uint32_t current, energy; /* whose turn it is, and how many children it still gets */
    struct pl_corpus_event events[PL_CORPUS_EVENTS];
    uint32_t reads[PL_CORPUS_EVENTS]; /* those events that read */
    struct pl_table table;            /* of events, by granule */
    uint64_t slots[PL_TABLE_ROOM(PL_CORPUS_SLOTS, PL_CORPUS_SLOTS)];
    uint32_t recent[PL_CORPUS_RECENT]; /* events that came lately, plus 1: most come again */
    struct pl_corpus_kept kept[PL_CORPUS_KEPT];
    /* Partners of reads, by event, until something is noted that may change them. */
    uint32_t version, n_partners;
    struct pl_corpus_partners partners_of[PL_CORPUS_EVENTS];
    struct pl_corpus_partner partners[PL_CORPUS_PARTNERS];
};

/* In zeroed memory: there is one schedule, which has no constraint. */
void pl_corpus_start(struct pl_corpus *c, unsigned most);

/* The operation has touched the piece. */
void pl_corpus_note(struct pl_corpus *c, const struct pl_operation *op,
                    struct pl_sources_piece piece);

/* The next schedule to execute.  Whether it was, pl_corpus_spend() says. */
struct pl_schedule pl_corpus_child(struct pl_corpus *c, const struct pl_reads_from *r,
                                   uint64_t *rng);

/* The child has been executed. */
void pl_corpus_spend(struct pl_corpus *c, const struct pl_reads_from *r);

/* This schedule showed something new: keep it. */
void pl_corpus_keep(struct pl_corpus *c, const struct pl_reads_from *r,
                    const struct pl_schedule *schedule, uint64_t signature);

#endif /* PL_STRATEGY_RFF_CORPUS_H */
