/* SPDX-License-Identifier: MIT */
/*
 * A finding: what a detector said about an execution.  Filled inside the
 * target with numbers only; the tool turns program counters and addresses into
 * source lines and names.
 */
#ifndef PL_MODEL_FINDING_H
#define PL_MODEL_FINDING_H

#include "model/operation.h"

enum pl_finding_kind {
#define PL_FINDING(name, ...) PL_FINDING_##name,
#include "model/finding.def"
#undef PL_FINDING
    PL_FINDING_KINDS
};

/* What is asked of kinds of findings. */
enum pl_finding_trait {
    PL_FINDING_IS_NONE = 0,
    PL_FINDING_IS_NOTED = 1 << 0,     /* on the way: the execution goes on, and what follows is
                                         open; the others end it */
    PL_FINDING_IS_PREDICTED = 1 << 1, /* from what the execution did: it may show in others */
    PL_FINDING_IS_DRIVABLE = 1 << 2,  /* so precisely that it can be brought about */
    PL_FINDING_IS_PENDING_DEADLOCK = 1 << 3, /* when that comes true, it is a deadlock */
    PL_FINDING_IS_STANDSTILL = 1 << 4,       /* the execution ended because threads did not go on */
    PL_FINDING_IS_FULL_RUN = 1 << 5,         /* the program came to its end by itself */
    PL_FINDING_IS_WANTED = 1 << 6,           /* it was asked for: nothing that fails */
    PL_FINDING_IS_OF_FREED = 1 << 7,         /* its second place is where the block was freed */
};

enum {
    PL_FINDING_FRAMES = 24,
    PL_FINDING_ROWS = 64,
    PL_FINDING_ROW_FRAMES = 24,
    PL_FINDING_TEXT = 512,
    PL_FINDING_LOCKS = 8
};

/* What an address is, in terms that do not change between executions. */
enum pl_place_kind {
    PL_PLACE_NONE,
    PL_PLACE_STATIC, /* in a module: to be symbolized */
    PL_PLACE_HEAP,   /* in a block: allocation site, thread, count, offset */
    PL_PLACE_STACK,  /* in a thread's stack: thread, offset from its base */
    PL_PLACE_THREAD, /* a thread */
    PL_PLACE_CALL,   /* a system call: what it is about has no name of its own */
    PL_PLACE_OTHER,
};

struct pl_place {
    uint8_t kind;
    pl_tid tid;      /* HEAP: who allocated; STACK: whose; THREAD: which */
    uint32_t count;  /* HEAP: the how many-th block of this thread from that site */
    uint64_t offset; /* into the block or stack; CALL: its descriptor, plus 1, or 0 */
    uint64_t site;   /* HEAP: allocation site; STATIC: the address; CALL: the number */
};

/* What a thread does in its place; three are about an order that was sought, the last one is an
 * operation of a round that keeps another thread waiting. */
enum pl_row_waits {
    PL_ROW_IS,
    PL_ROW_BLOCKED,
    PL_ROW_SPINS,
    PL_ROW_PREDICTED, /* it would be blocked there */
    PL_ROW_FIRST,
    PL_ROW_NEXT,
    PL_ROW_LATER,
    PL_ROW_ROUND,
};

/* One thread's part in a finding: where it is and what it waits for. */
struct pl_row {
    pl_tid tid;
    pl_tid holder;    /* who holds what it waits for, or PL_TID_NONE */
    uint8_t op;       /* what it is about to do */
    uint8_t waits;    /* enum pl_row_waits */
    uint8_t awaited;  /* of what kind that is, if its operation does not say; enum pl_object_kind */
    uint8_t n_frames; /* its callers are known: frames beside the finding, innermost first, */
    bool walked;      /* which begin where it is, in whatever library */
    uint64_t pc;
    uint64_t since; /* where the holder acquired it, or 0 */
    struct pl_place object;
};

/* A lock that a thread has. */
struct pl_finding_lock {
    uint8_t object; /* enum pl_object_kind */
    bool shared;    /* the read side of an rwlock */
    uint64_t pc;    /* where it was acquired */
    uint64_t addr;
    struct pl_place place;
};

/* How memory is accessed, beside PL_ACCESS_READ and so on (model/gate.h). */
enum {
    PL_ACCESS_ATOMIC = 64, /* an update reads and writes; a compare-exchange that failed reads */
    PL_ACCESS_FREE = 128,  /* the block is given back: a write that nothing can follow */
};

/* One of two accesses that do not go together. */
struct pl_finding_access {
    pl_tid tid;
    uint8_t flags; /* PL_ACCESS_READ and so on */
    uint8_t n_frames, n_locks;
    uint32_t size;
    uint64_t addr, pc;
    struct pl_place place;              /* of addr; may be none, if the finding's object says it */
    uint64_t frames[PL_FINDING_FRAMES]; /* callers, innermost first */
    struct pl_finding_lock locks[PL_FINDING_LOCKS];
};

struct pl_finding {
    uint8_t kind;
    uint8_t signal;
    uint8_t n_frames, n_rows;
    pl_tid tid; /* in which thread, or PL_TID_NONE */
    int16_t status;
    uint64_t signature; /* equal for the same bug, different otherwise, most likely */
    uint64_t pc;
    uint64_t other_pc; /* a second place that matters: where it was freed, locked, ... */
    struct pl_place object;
    uint64_t frames[PL_FINDING_FRAMES]; /* callers, innermost first */
    struct pl_row rows[PL_FINDING_ROWS];
    uint8_t n_accesses;
    struct pl_finding_access accesses[2]; /* the earlier one first */
    char text[PL_FINDING_TEXT];
};

const char *pl_finding_text(unsigned kind);
const char *pl_finding_meaning(unsigned kind);
/* Whether it has any of these traits; PL_FINDING_KINDS has none. */
bool pl_finding_is(unsigned kind, uint32_t traits);
/* Whether the execution ends with it; otherwise it was noted on the way, and what followed is open.
 */
bool pl_finding_ends(unsigned kind);
/* PL_FINDING_KINDS when no kind has that text. */
unsigned pl_finding_find(const char *text);

/*
 * Whether executions go past it, once it is known: the call has returned an error, and what comes
 * after it is of interest, too.  A thread that is joined twice may be another one by then.
 */
static inline bool pl_finding_is_passed(const struct pl_finding *f)
{
    return f->kind == PL_FINDING_MISUSE && f->object.kind != PL_PLACE_THREAD;
}

#endif /* PL_MODEL_FINDING_H */
