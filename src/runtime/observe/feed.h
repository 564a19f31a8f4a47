/* SPDX-License-Identifier: MIT */
/*
 * What detectors are told: accesses, atomics, locks, threads; the runtime's side of src/detect.
 *
 * The running thread calls when something has happened, or, for an access, is about to.  Nothing is
 * told when no detector wants it.  Memory of detectors is on the stage and goes with the execution.
 */
#ifndef PL_RUNTIME_OBSERVE_FEED_H
#define PL_RUNTIME_OBSERVE_FEED_H

#include "detect/detector.h"
#include "runtime/ground/stage.h"

void pl_feed_start(void);
void pl_feed_access(uint64_t addr, uint64_t size, unsigned flags, uint64_t pc);
void pl_feed_atomic(uint64_t addr, uint64_t size, unsigned kind, bool wrote, unsigned orders,
                    uint64_t pc);
void pl_feed_unhooked(uint64_t addr, uint64_t size, unsigned flags, uint64_t pc);
void pl_feed_fence(unsigned order);
void pl_feed_lock(const struct pl_thread *t, const struct pl_held *h, bool locked);
void pl_feed_object(enum pl_sync_kind kind, pl_tid tid, uint64_t addr, enum pl_object_kind object);
void pl_feed_passed(const struct pl_thread *t, const void *once, enum pl_op_kind op, uint64_t pc);
void pl_feed_condition(enum pl_sync_kind kind, const struct pl_thread *t, pl_tid other,
                       const void *condition, uint64_t pc);
void pl_feed_thread(enum pl_sync_kind kind, pl_tid tid, pl_tid other);
void pl_feed_fresh(uint64_t addr, uint64_t size);

#endif /* PL_RUNTIME_OBSERVE_FEED_H */
