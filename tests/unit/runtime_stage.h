/* SPDX-License-Identifier: MIT */
/*
 * A stage for tests of single files of the runtime: stage, board, common, shadow and vault lie at
 * their addresses, as in a worker, and there are threads that do nothing by themselves.  What
 * the files ask of other parts of the runtime is answered by stand-ins that note it.
 *
 * The stand-ins are runtime_standins.c.  A test of what needs none of them has all of the
 * runtime in its place.
 */
#ifndef PL_TESTS_RUNTIME_STAGE_H
#define PL_TESTS_RUNTIME_STAGE_H

#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/free/order.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/place.h"
#include "runtime/ground/vault.h"
#include "runtime/restart/rollback.h"

enum { STAGE_NAME = 100 }; /* the name of thread t is STAGE_NAME + t */

/* What the runtime asked of others since stage_set(). */
struct stage_told {
    unsigned commits;    /* memory that stays as it is */
    unsigned spoils;     /* what cannot be undone, */
    uint8_t restart;     /* what can undo it, */
    char why[128];       /* and why, as the format of the sentence */
    unsigned livelocks;  /* threads that spin for ever */
    uint64_t hot;        /* a page that is watched no more, set by the test */
    uint64_t hidden;     /* of memory that no hook has touched, set by the test */
    uint64_t backed_off; /* operations of a round that gave locks back for nothing */
    uint64_t block;      /* a block of the heap of 64 bytes, set by the test */
};
extern struct stage_told stage_told;

/* A fresh stage with so many threads, of which the first runs; all else is zero. */
void stage_set(unsigned threads);

/* The same, quickly, if the class of an execution is all that has been changed since. */
void stage_again(unsigned threads);

struct pl_thread *stage_thread(pl_tid tid);

/* The operation is performed by its thread: the class is told. */
void stage_perform(const struct pl_operation *op);

/* Changes of the shadow that were logged; undo them. */
unsigned stage_logged(void);
void stage_put_back(void);

/* Where virtual time begins. */
uint64_t stage_seconds(void);

/* A detector is switched on. */
void stage_detects(enum pl_detector detector);

#endif /* PL_TESTS_RUNTIME_STAGE_H */
