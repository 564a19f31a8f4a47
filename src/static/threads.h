/* SPDX-License-Identifier: MIT */
/*
 * Which threads there may be, which code they run, and what may happen at the same time.
 *
 * A *class* of threads is a call that creates them with the function they begin with; class 0 is
 * the main thread.  Whether two calls may be under way in different threads at a time follows from
 * where threads are created and joined: pl_threads_parallel().  Locks are not looked at here.
 */
#ifndef PL_STATIC_THREADS_H
#define PL_STATIC_THREADS_H

#include "static/flow.h"

enum { PL_THREADS_CLASSES = 64 /* that are told apart; the last one stands for all others */ };

struct pl_threads_class {
    uint32_t create;   /* the call, or PL_IR_NONE: the main thread */
    uint32_t function; /* that it begins with */
    uint32_t parent;   /* the one class whose threads create it, or PL_IR_NONE: several */
    bool many;         /* there may be several at a time */
    bool others;       /* it stands for all classes beyond those told apart */
    uint64_t *alive;   /* bits by segment: where its creator is while it may be alive */
    uint64_t *after;   /* the same, if nobody is ever joined */
};

/* How threads of two different classes may be beside each other. */
enum pl_threads_way {
    PL_THREADS_NEVER,
    PL_THREADS_ALWAYS,
    PL_THREADS_BELOW, /* the second comes of the first: it depends on where that one is */
    PL_THREADS_ABOVE  /* the other way round */
};

struct pl_threads_relation {
    uint8_t way;   /* enum pl_threads_way */
    uint8_t child; /* of the one above: the class that the one below is or comes of */
};

struct pl_threads {
    const struct pl_flow *flow;
    struct pl_ir *ir;
    uint32_t n;
    struct pl_threads_class classes[PL_THREADS_CLASSES];
    struct pl_threads_relation relations[PL_THREADS_CLASSES][PL_THREADS_CLASSES];
    bool jumps; /* the program has longjmp() */
};

void pl_threads_find(struct pl_threads *t, const struct pl_flow *flow);
void pl_threads_free(struct pl_threads *t);

/*
 * Whether a thread of class x may be about to perform call a, or performing it, while one of class
 * y is at call b; with x == y, two threads of it.
 */
bool pl_threads_parallel(const struct pl_threads *t, unsigned x, uint32_t a, unsigned y,
                         uint32_t b);

/* Where, in the creator's code, the threads of a class are joined; PL_IR_NONE. */
uint32_t pl_threads_joined(const struct pl_threads *t, unsigned class);

/* The one variable, or part of one, that an address is; PL_IR_NONE: not known, or not one. */
uint32_t pl_threads_location(const struct pl_flow *f, LLVMValueRef address);

/* Where something ends: with calls, or where blocks are come to. */
struct pl_threads_ends {
    struct pl_ir_list calls, blocks;
};

/* reach.c: the block of a segment. */
uint32_t pl_threads_block(const struct pl_ir *ir, uint32_t segment);

/* Mark all segments that can be reached from one, through returns and calls, but not past `ends`,
 * or NULL. */
void pl_threads_reach(const struct pl_ir *ir, uint32_t segment, const struct pl_threads_ends *ends,
                      uint64_t *bits);

static inline bool pl_threads_bit(const uint64_t *bits, uint32_t i)
{
    return (bits[i / 64] >> (i % 64) & 1) != 0;
}

#endif /* PL_STATIC_THREADS_H */
