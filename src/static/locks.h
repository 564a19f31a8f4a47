/* SPDX-License-Identifier: MIT */
/*
 * What a thread holds for sure at each call: must-locksets, forward over the blocks of a function
 * and through calls, from callers into callees and back.
 *
 * A lock is known by its object, if that is one for sure, and by the value that its address is
 * computed from: a lock at p + 8 is held at an access to p + 16 whatever p is.  So two accesses by
 * pointers that nobody can tell apart are ordered if both hold the lock at the same distance from
 * what they access: if they meet, the locks are one.
 */
#ifndef PL_STATIC_LOCKS_H
#define PL_STATIC_LOCKS_H

#include "static/threads.h"

enum { PL_LOCKS_MAX = 64 /* of a function that are told apart */ };

struct pl_locks_lock {
    uint32_t object;    /* or PL_IR_NONE: it is known by its value */
    LLVMValueRef value; /* or NULL */
    int64_t offset;     /* in the object, from the value */
    bool shared;        /* taken together with others: to read */
    uint32_t node;      /* of the address */
};

struct pl_locks_function {
    struct pl_locks_lock *list;
    uint32_t n;
    uint64_t entry;          /* held whenever it is called */
    bool reached;            /* entry is known */
    uint64_t gains;          /* held when it returns, whatever was held before */
    struct pl_ir_list gives; /* objects whose locks it may give back */
    bool gives_all;
};

struct pl_locks {
    const struct pl_threads *threads;
    const struct pl_flow *flow;
    struct pl_ir *ir;
    struct pl_locks_function *functions;
    uint64_t *held; /* by call: bits of its function's list */
};

void pl_locks_find(struct pl_locks *l, const struct pl_threads *threads);

/*
 * Whether what both hold keeps the two calls apart, at addresses that are known (or NULL) and of so
 * many bytes.  `by` is the lock as the first one's function knows it.
 */
bool pl_locks_exclude(const struct pl_locks *l, uint32_t a, LLVMValueRef a_at, uint32_t a_size,
                      uint32_t b, LLVMValueRef b_at, uint32_t b_size,
                      const struct pl_locks_lock **by);

#endif /* PL_STATIC_LOCKS_H */
