/* SPDX-License-Identifier: MIT */
/*
 * The place of one worker: its board and files, and the process that works
 * there now.  A process that dies is replaced by another, which goes on with
 * what it finds on the board.
 *
 * Restart by rollback or fork: one process, the keeper, goes on until the
 * campaign is over; it is its own watchdog and only its death is our business.
 * Restart by exec: a process per execution; we tell the next one how the last
 * one ended.
 */
#ifndef PL_ENGINE_WORKER_SLOT_H
#define PL_ENGINE_WORKER_SLOT_H

#include "base/err.h"
#include "engine/worker/judge.h"
#include "engine/worker/target.h"
#include "engine/worker/worker.h"
#include "model/common.h"
#include "model/pace.h"

#include <stdbool.h>
#include <stdint.h>

struct pl_slot {
    struct pl_board *board; /* mapped here at no particular address */
    struct pl_common *common;
    struct pl_worker_files files;
    const struct pl_target *target;
    const struct pl_judge *judge;
    struct pl_worker worker;
    bool finished;       /* no process is needed here any more */
    bool unjudged;       /* what it printed was not judged in time: it is not asked again */
    int cpu;             /* where its processes run, modulo what there is */
    unsigned fruitless;  /* processes in a row that achieved nothing */
    unsigned starts;     /* of processes whose files are kept */
    uint64_t at_start;   /* executions finished when this one started */
    struct pl_pace pace; /* of its executions, or its start */
    uint64_t looked_ms;  /* when we last looked */
    uint64_t asked_ms;   /* when it was told to say where it hangs; 0: it was not */
};

/*
 * Make the board of worker number `number`.  The descriptors of `shared` that
 * all workers have stay the caller's, who closes the slot also after a failure.
 */
int pl_slot_open(struct pl_slot *slot, struct pl_common *common,
                 const struct pl_worker_files *shared, unsigned number,
                 const struct pl_settings *settings, struct pl_err *err);
void pl_slot_close(struct pl_slot *slot);

/* Start a process. */
int pl_slot_start(struct pl_slot *slot, struct pl_err *err);

/* The process has ended, or is to end: is the work done, or is another needed? */
int pl_slot_end(struct pl_slot *slot, bool hung, struct pl_err *err);

/* Tell whoever waits for an answer other than 0; see runtime/ground/ask.c. */
void pl_slot_answer(_Atomic uint32_t *question, uint32_t answer);

/* Give a verdict if the worker waits for one. */
int pl_slot_judge(struct pl_slot *slot, struct pl_err *err);

/* Look for progress, and do something about a program that hangs. */
int pl_slot_watch(struct pl_slot *slot, struct pl_err *err);

#endif /* PL_ENGINE_WORKER_SLOT_H */
