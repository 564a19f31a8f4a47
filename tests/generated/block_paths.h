/* SPDX-License-Identifier: MIT */
/*
 * The paths of a search (exitblock.c): what is asked for, what has been found, and the orders of
 * blocks by brute force.
 */
#ifndef PL_TESTS_GENERATED_BLOCK_PATHS_H
#define PL_TESTS_GENERATED_BLOCK_PATHS_H

#include "block_machine.h"
#include "byte_set.h"

enum { SCHEDULE_MAX = 1 << 16 };
enum order { OLDEST, NEWEST, RANDOM };

struct model {
    struct {
        bool rw, dd, coarse, sets, list, brute;
        bool without[256]; /* by the letter of a correction */
        enum order order;
        uint64_t seed, limit;
    } option;
    struct {
        uint64_t paths, finished, cut, stuck, aborts, ended_by_abort, reports;
        bool deadlock;
        struct byte_set schedules, failures, outcomes;
        uint64_t hash;
    } result;
    struct { /* the blocks of the path up to here, each with its choices */
        size_t n;
        unsigned char bytes[SCHEDULE_MAX];
    } schedule;
    struct blocks blocks;
    objects learned; /* locks to be among the crossed ones next time */
};

extern struct model model;

/* A block goes on the path. */
void paths_append(unsigned t, const struct block *k);

/* The path is at its end: `kind` is finished, cut or stuck in the result. */
void paths_count(uint64_t *kind);
void paths_note_outcome(const struct blocks_state *s);
void paths_note_failure(const struct blocks_state *s, unsigned t);
bool paths_all_dead(const struct blocks_state *s);

/* After a block was run: the next way to choose whom its signals wake; false after the last. */
bool paths_choose_next(struct block *k);

/* Note which locks were released out of order. */
void paths_learn(const struct block *k);

/* All orders of blocks. */
void paths_enumerate(struct blocks_state s);

/* The search of the ExitBlock family. */
void block_search(const struct blocks_state *s);

#endif /* PL_TESTS_GENERATED_BLOCK_PATHS_H */
