/* SPDX-License-Identifier: MIT */
/*
 * A host for detectors (detect/host.h) that tests drive by hand: memory that can be put back, locks
 * in the order in which threads took them, a number for the stack of each thread.  What a detector
 * says is kept in the order in which it says it.
 */
#ifndef PL_TESTS_DETECT_HOST_H
#define PL_TESTS_DETECT_HOST_H

#include "detect/detector.h"
#include "detect/host.h"

enum {
    HOST_MEMORY = 512 << 20,
    HOST_THREADS = 128,
    HOST_LOCKS = 80, /* of a thread */
    HOST_FINDINGS = 256,
    HOST_PREDICTED = 32,
    HOST_NAME = 100, /* the name of thread t is HOST_NAME + t */
};

struct host {
    const struct pl_detector_part *detector;
    unsigned char *memory;
    size_t used, room; /* of the memory */
    bool full;         /* the detector has said that there is too little of it */
    struct pl_finding_lock locks[HOST_THREADS][HOST_LOCKS];
    unsigned n_locks[HOST_THREADS];
    uint32_t stacks[HOST_THREADS]; /* one caller each, whose program counter is the number */
    struct pl_finding findings[HOST_FINDINGS];
    unsigned n_findings;
    struct pl_cycle predicted[HOST_PREDICTED];
    unsigned n_predicted;
};
extern struct host host;

/* A new execution, with thread 0: nothing is held, known or noted.  The detector is not started. */
void host_reset(const struct pl_detector_part *detector);
void host_begin(const struct pl_detector_part *detector);

/* Keep all of it, memory included; put it back. */
void host_save(void);
void host_restore(void);

void host_access(pl_tid tid, uint64_t addr, uint64_t size, unsigned flags, unsigned order,
                 uint64_t pc);
void host_read(pl_tid tid, uint64_t addr, uint64_t size, uint64_t pc);
void host_write(pl_tid tid, uint64_t addr, uint64_t size, uint64_t pc);
void host_atomic(pl_tid tid, uint64_t addr, uint64_t size, unsigned flags, unsigned order,
                 uint64_t pc);

void host_sync(struct pl_sync s);
void host_object(enum pl_sync_kind kind, pl_tid tid, uint64_t addr);
void host_thread(enum pl_sync_kind kind, pl_tid tid, pl_tid other);
void host_fence(pl_tid tid, unsigned order);

/* The thread has something more to its locks; the detector is not told. */
void host_hold(pl_tid tid, struct pl_finding_lock lock);

/* The thread has acquired what `s` says, at its place. */
void host_acquire(struct pl_sync s);
void host_lock(pl_tid tid, uint64_t addr, bool shared, uint64_t pc);

/* As in the runtime, the detector is told before the list is shorter. */
void host_unlock(pl_tid tid, uint64_t addr);

#endif /* PL_TESTS_DETECT_HOST_H */
