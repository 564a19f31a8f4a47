/* SPDX-License-Identifier: MIT */
/*
 * A circle of threads and locks that could become a deadlock: each member has a
 * lock that the one before it wants.  Predicted from an execution in which it did
 * not happen; whether it can is settled by driving the program there.
 */
#ifndef PL_MODEL_CYCLE_H
#define PL_MODEL_CYCLE_H

#include "model/operation.h"

enum { PL_CYCLE_MAX = 8 };

struct pl_cycle_member {
    pl_tid tid;
    uint8_t op;                /* enum pl_op_kind of the acquisition that would wait */
    bool shared, holds_shared; /* it wants, or has, the read side of an rwlock */
    uint64_t name;             /* of the thread, see name.h */
    uint64_t wants, wants_pc;  /* the lock that it would wait for, and where */
    uint64_t holds, holds_pc;  /* its lock that the member before it wants, and since where */
};

/* members[i].wants is members[i + 1].holds, and the last one's is the first one's. */
struct pl_cycle {
    unsigned n;
    struct pl_cycle_member members[PL_CYCLE_MAX];
};

#endif /* PL_MODEL_CYCLE_H */
