/* SPDX-License-Identifier: MIT */
/*
 * Orders that the user seeks: an operation at one place in the program, then one
 * of another thread at another place ("a.c:10<b.c:20").
 *
 * An execution shows the order when both touch the same memory or the same lock,
 * condition, ..., they conflict, and nothing between them changes what they touch; that a
 * thread gives a lock back which it has taken is no change.
 * Where operations at the two places never conflict, it is enough that one comes some time after
 * the other.  Which of the two it is, executions tell: places have met when
 * operations of different threads there conflicted, in whatever order.
 *
 * Which places are meant only the tool knows, by their names.  It is asked once for
 * each program counter; the answers are in struct pl_sought, in the common.  struct
 * pl_sought_run is about one execution and is put back with it.
 */
#ifndef PL_MODEL_SOUGHT_H
#define PL_MODEL_SOUGHT_H

#include "model/operation.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    PL_SOUGHT_ORDERS = 8,
    PL_SOUGHT_TEXT = 128,       /* letters of one of them */
    PL_SOUGHT_PLACES = 1 << 16, /* slots for program counters */
    PL_SOUGHT_MARKS = 256,      /* operations of an execution that are remembered */
    PL_SOUGHT_THREADS = 16,
    PL_SOUGHT_APART = 8, /* executions with both places after which they do not conflict */
};

/* What a place is in the orders: bits. */
#define PL_SOUGHT_FIRST(order) (UINT32_C(1) << (2 * (order)))
#define PL_SOUGHT_SECOND(order) (UINT32_C(2) << (2 * (order)))
#define PL_SOUGHT_KNOWN (UINT32_C(1) << 31) /* the tool has been asked */
/* Code of a system's header: the place is where that was called. */
#define PL_SOUGHT_OUTER (UINT32_C(1) << 30)
#define PL_SOUGHT_ANY (PL_SOUGHT_OUTER - 1) /* it is something in some order */

struct pl_sought_place {
    _Atomic uint64_t pc; /* 0: a free slot */
    _Atomic uint32_t roles;
};

/* A thread that has performed the second one, and how many events it had before. */
struct pl_sought_thread {
    _Atomic uint64_t name;
    _Atomic uint32_t ordinal;
};

struct pl_sought_order {
    char text[PL_SOUGHT_TEXT]; /* as the user wrote it */
    uint64_t signature;
    bool meets;             /* only where the two touch something in common */
    _Atomic uint32_t shown; /* as places that touch something in common */
    _Atomic uint32_t later; /* as places that do not; void once they have met */
    /* Executions in which these happened; see the flags below. */
    _Atomic uint64_t first, second, both, met, reversed, between, commuted;
    struct pl_sought_thread threads[PL_SOUGHT_THREADS];
};

struct pl_sought {
    uint32_t n;
    struct pl_sought_order orders[PL_SOUGHT_ORDERS];
    _Atomic uint32_t n_places;
    _Atomic uint32_t lost; /* something did not fit: an order may have been overlooked */
    struct pl_sought_place places[PL_SOUGHT_PLACES];
};

/* What an execution has had of an order. */
enum {
    PL_SOUGHT_HAD_FIRST = 1,
    PL_SOUGHT_HAD_SECOND = 2,
    PL_SOUGHT_MET = 4,
    PL_SOUGHT_REVERSED = 8, /* the second one, then the first one, nothing between */
    PL_SOUGHT_BETWEEN = 16, /* something lay between the first one and the second one */
    PL_SOUGHT_SHOWN = 32,
    PL_SOUGHT_LATER = 64,     /* the second one some time after the first one, in another thread */
    PL_SOUGHT_COMMUTED = 128, /* of changes of what it touched the order makes no difference */
};

/* An operation at a place that is meant. */
struct pl_sought_mark {
    uint64_t pc, addr, key; /* key is the memory, or the object's address and a bit */
    uint32_t size;
    pl_tid tid;
    uint8_t kind, effect, order;
    bool second;
    bool passed; /* what it touched has been changed since */
};

/* Two operations that are in the order. */
struct pl_sought_pair {
    struct pl_sought_mark first, second;
};

struct pl_sought_run {
    uint8_t had[PL_SOUGHT_ORDERS];
    bool lost;
    uint32_t n_marks, oldest;
    /* The last first one, and the last of another thread than that. */
    struct pl_sought_mark latest[PL_SOUGHT_ORDERS], other[PL_SOUGHT_ORDERS];
    struct pl_sought_pair later[PL_SOUGHT_ORDERS]; /* with PL_SOUGHT_LATER */
    struct pl_sought_pair shown[PL_SOUGHT_ORDERS]; /* with PL_SOUGHT_SHOWN */
    struct pl_sought_mark marks[PL_SOUGHT_MARKS];
};

/* What the place is, with PL_SOUGHT_KNOWN; 0: the tool has to be asked. */
uint32_t pl_sought_find(const struct pl_sought *sought, uint64_t pc);
/* What the tool has said. */
void pl_sought_learn(struct pl_sought *sought, uint64_t pc, uint32_t roles);

/* What another one has learned, which is about the same orders. */
void pl_sought_copy_places(struct pl_sought *to, const struct pl_sought *from);

/* Nothing has happened yet. */
void pl_sought_run_begin(struct pl_sought_run *run);

/*
 * The operation, whose `sought` and effects are known, is performed; its place is pc.  Returns a
 * bit for each order that it is the first to show in this execution.
 */
uint32_t pl_sought_run_see(struct pl_sought_run *run, const struct pl_operation *op, uint64_t pc);

/* Whether it would show the order if it were performed now. */
bool pl_sought_run_would_show(const struct pl_sought_run *run, const struct pl_operation *op,
                              unsigned order);

/* Whether it would come between a first one that has been performed and whatever comes next. */
bool pl_sought_run_would_part(const struct pl_sought_run *run, const struct pl_operation *op,
                              unsigned order);

/* The execution is over: count what it had. */
void pl_sought_count(struct pl_sought *sought, const struct pl_sought_run *run);

/* A thread has performed the second one of an order, after so many events. */
void pl_sought_meet(struct pl_sought_order *order, uint64_t name, uint32_t ordinal);

/* Whether nothing is left to look for. */
static inline bool pl_sought_is_done(const struct pl_sought_order *o)
{
    return o->shown || (o->later && o->met == 0 && o->both >= PL_SOUGHT_APART);
}

/* Whether it has been shown in the weaker way, as far as is known. */
static inline bool pl_sought_is_later(const struct pl_sought_order *o)
{
    return !o->shown && o->later && o->met == 0;
}

/* Whether that is so for all of them; false when there are none. */
bool pl_sought_all_done(const struct pl_sought *sought);

#endif /* PL_MODEL_SOUGHT_H */
