/* SPDX-License-Identifier: MIT */
/*
 * What is known, in one execution, of threads that are kept waiting while others go on: state of
 * observe/starve.c, which looks, and observe/pump.c, which brings such rounds about.
 */
#ifndef PL_RUNTIME_GROUND_STARVING_H
#define PL_RUNTIME_GROUND_STARVING_H

#include "model/operation.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PL_STARVING_THREADS = 64, /* with more of them nobody looks */
    PL_STARVING_RING = 2048,  /* operations that are remembered */
    PL_STARVING_SEEN = 1024,
    PL_STARVING_READS = 12,
};

/* An operation that was performed. */
struct pl_starving_op {
    uint64_t hash, pc, addr;
    uint32_t size;
    pl_tid tid;
    uint8_t kind, effect;
};

struct pl_starving_thread {
    uint32_t idle_at; /* number of the operation at which it came round for nothing last, */
    uint32_t rounds;  /* and how often in a row; */
    uint32_t since;   /* operations since then, */
    uint32_t length;  /* and the most of them from one time to the next */
    struct pl_starving_reads {
        uint16_t n;
        uint64_t at[PL_STARVING_READS];
    } reads, earlier; /* since it last took a lock or changed something; before that */
    uint64_t values;  /* that it has read in this repetition, */
    uint64_t before;  /* and in the one before; */
    uint32_t same;    /* repetitions in a row in which they were equal */
};

/* Where a thread stands. */
struct pl_starving_place {
    uint64_t pc, addr, sp;
    uint8_t kind;
};

/* An attempt to repeat what others do while some thread waits. */
struct pl_pumping {
    bool on;
    pl_tid n, first;   /* threads at its beginning, and who goes first */
    pl_tid now;        /* whose turn it is, */
    uint64_t since;    /* from which of its operations on */
    uint64_t waiting;  /* threads that waited at the beginning, a bit each; */
    uint64_t done;     /* those that are through with this round */
    uint32_t steps;    /* of this round, */
    uint32_t rounds;   /* and rounds so far */
    uint32_t waiters;  /* choices of whom to wake */
    uint32_t attempts; /* in this execution */
    uint64_t rng;
    struct pl_starving_place at[PL_STARVING_THREADS];
};

struct pl_starving {
    bool on;
    uint64_t n;      /* operations so far */
    uint64_t gram;   /* of the last few */
    uint64_t period; /* operations after which they seem to come again; 0: nothing does */
    uint64_t length; /* how many have in a row */
    uint64_t could;  /* threads that could have gone on meanwhile, a bit each */
    struct pl_starving_thread threads[PL_STARVING_THREADS];
    struct pl_pumping pump;
    struct {
        uint64_t gram, at;
    } seen[PL_STARVING_SEEN];
    struct pl_starving_op ring[PL_STARVING_RING];
};

#endif /* PL_RUNTIME_GROUND_STARVING_H */
