/* SPDX-License-Identifier: MIT */
/*
 * A path as it is listed: an execution as maximal segments of one thread each, with the
 * first and the last operation of every segment, and who had called there if that is wanted.
 * Recorded only when somebody wants the paths listed; the worker puts them into a ring on its
 * board, the tool takes them out.
 */
#ifndef PL_MODEL_SEGMENTS_H
#define PL_MODEL_SEGMENTS_H

#include "model/finding.h"
#include "model/operation.h"

#include <stdint.h>

enum {
    PL_SEGMENTS_KEPT = 64,    /* of one path */
    PL_SEGMENTS_THREADS = 64, /* whose names are kept */
    PL_SEGMENTS_RING = 256,
    PL_SEGMENTS_FRAMES = 8, /* callers at an end */
};

/* A thread of an execution, for whoever must print its name. */
struct pl_thread_name {
    uint64_t name;
    pl_tid parent;
    uint16_t nth;     /* child of parent, from 1 */
    uint16_t image;   /* the program that it executes, see struct pl_module; 0: the first */
    uint32_t process; /* of those under control: the number of its own; see model/company.h */
    uint64_t start;   /* its start function */
};

struct pl_segment_end {
    uint8_t op; /* enum pl_op_kind */
    uint8_t n_frames;
    struct pl_place object;
    uint64_t pc;
    uint64_t frames[PL_SEGMENTS_FRAMES]; /* callers, innermost first */
};

struct pl_segment {
    pl_tid tid;
    uint32_t operations;
    struct pl_segment_end first, last;
};

struct pl_segments {
    uint64_t execution;
    uint32_t section; /* call of plait_test(), from 1; 0: none */
    uint8_t outcome;  /* enum pl_outcome */
    uint8_t finding;  /* enum pl_finding_kind */
    pl_tid late;      /* who ran too long, or PL_TID_NONE, ... */
    uint64_t late_pc; /* ... and where it was then */
    uint32_t n;       /* segments; of more than are kept, list has the first ones and the last */
    uint32_t n_threads;
    struct pl_thread_name threads[PL_SEGMENTS_THREADS];
    struct pl_segment list[PL_SEGMENTS_KEPT];
};

/* Where segment number i is, or was until there were more. */
static inline uint32_t pl_segments_index(uint32_t i)
{
    return i < PL_SEGMENTS_KEPT ? i : PL_SEGMENTS_KEPT - 1;
}

/* One side writes at head, the other takes from tail; both only grow. */
struct pl_segments_ring {
    _Atomic uint64_t head, tail;
    _Atomic uint32_t room; /* futex; the worker sets 0 when there is none and waits */
    struct pl_segments paths[PL_SEGMENTS_RING];
};

#endif /* PL_MODEL_SEGMENTS_H */
