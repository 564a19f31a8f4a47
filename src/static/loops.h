/* SPDX-License-Identifier: MIT */
/*
 * Loops that count: for (i = first; i < bound; i++).  What one does for each i, another does for
 * each i as well, if it counts as far.
 */
#ifndef PL_STATIC_LOOPS_H
#define PL_STATIC_LOOPS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

struct pl_loop {
    LLVMValueRef count;               /* the phi */
    LLVMValueRef first, bound;        /* neither changes in the loop */
    LLVMBasicBlockRef header, latch;  /* the latch goes back to the header */
    LLVMBasicBlockRef outside;        /* from where the header is come to at first */
    LLVMBasicBlockRef exiting, after; /* where it ends, and goes on if it has counted up to bound */
    bool once;                        /* it goes round before it asks */
};

/* The loop that counts the one index that an address is computed with; false: it is none. */
bool pl_loops_of(LLVMValueRef address, struct pl_loop *loop);

/* Whether two addresses are of the same element of the same array if their loops' counts are. */
bool pl_loops_alike(LLVMValueRef a, LLVMValueRef b);

/* Whether every count of `some` is one of `all`. */
bool pl_loops_within(const struct pl_loop *some, const struct pl_loop *all);

/* Whether the block is executed in every iteration, and the loop cannot be left but by its count.
 */
bool pl_loops_always(const struct pl_loop *loop, LLVMBasicBlockRef block);

#endif /* PL_STATIC_LOOPS_H */
