/* SPDX-License-Identifier: MIT */
/*
 * A detector looks at what an execution does and says what is wrong with it.
 *
 * It is told of every access and of everything that orders threads, at the
 * moment it happens and in the order in which it happens; one thread runs at a
 * time.  It says what it has seen through detect/host.h, and the execution goes
 * on: what it finds is noted beside whatever else the execution comes to.
 *
 * Its state is memory from pl_host_allocate(), which is given back as it was at
 * the root, or at a checkpoint, together with the program's own.  So a detector
 * starts every execution with what it knew at the root, and nothing that one
 * execution does can be seen in another.  A detector has no other state.
 *
 * Detectors run inside the program under test, between two of its instructions.
 * They must not allocate elsewhere, lock or call libc.
 */
#ifndef PL_DETECT_DETECTOR_H
#define PL_DETECT_DETECTOR_H

#include "model/finding.h"
#include "model/gate.h"
#include "model/operation.h"

/* An access that is being performed. */
struct pl_access {
    pl_tid tid;
    uint8_t flags; /* PL_ACCESS_READ and so on: model/gate.h, model/finding.h */
    uint8_t order; /* of an atomic one: the compiler's number, the one that applied */
    bool unjudged; /* it may order threads, and conflicts with nothing: no hook announced it */
    uint64_t addr, size;
    uint64_t pc;
};

enum pl_sync_kind {
    PL_SYNC_LOCK,    /* tid has acquired the lock */
    PL_SYNC_UNLOCK,  /* tid has released it, all levels of it */
    PL_SYNC_SEND,    /* what tid did before is known to whoever receives from addr later */
    PL_SYNC_RECEIVE, /* tid knows what was sent to addr */
    PL_SYNC_RESET,   /* nothing that was sent to addr is received any more */
    PL_SYNC_CREATE,  /* tid creates `other` */
    PL_SYNC_EXIT,    /* tid has ended */
    PL_SYNC_JOIN,    /* tid has joined `other` */
    PL_SYNC_FENCE,   /* of the memory order `order` */
    PL_SYNC_WAIT,    /* tid has begun to wait at the condition addr; it orders nothing */
    PL_SYNC_WAKE,    /* tid wakes `other`, which waits at the condition addr; it orders nothing */
    PL_SYNC_SIGNAL,  /* tid has signalled the condition addr, after that; it orders nothing */
};

/* Something that orders threads. */
struct pl_sync {
    uint8_t kind;   /* enum pl_sync_kind */
    uint8_t object; /* enum pl_object_kind of addr */
    bool shared;    /* LOCK, UNLOCK: the read side of an rwlock */
    bool tried;     /* LOCK, WAIT: by an operation that would not have waited for ever */
    uint8_t op;     /* enum pl_op_kind of what tid does: the acquisition, the join, ... */
    uint8_t order;
    pl_tid tid, other;
    uint64_t addr;
    uint64_t pc;
};

struct pl_detector_part {
    uint8_t detector; /* enum pl_detector of model/detector.h: whether it is wanted */

    /* Once, when the program begins.  Any of these may be NULL. */
    void (*start)(void);
    void (*access)(const struct pl_access *access);
    void (*sync)(const struct pl_sync *sync);
    /* Memory that was allocated, or is a new thread's stack: what was there before is over. */
    void (*fresh)(uint64_t addr, uint64_t size);

    bool alone; /* it wants accesses also while there is only one thread */
};

/* The detectors of model/detectors.def that have a file here. */
#define PL_PART(name) extern const struct pl_detector_part pl_##name;
#define PL_NO_PART
#define PL_DETECTOR(name, text, part, ...) part
#include "model/detectors.def"
#undef PL_DETECTOR
#undef PL_NO_PART
#undef PL_PART

/* All of them, ended by NULL. */
extern const struct pl_detector_part *const pl_detector_parts[];

#endif /* PL_DETECT_DETECTOR_H */
