/* SPDX-License-Identifier: MIT */
/*
 * The order of operations as the free carrier records it, and how it becomes a
 * list of choices.
 *
 * Entries are numbered in the order in which they were made.  One that says that
 * thread `tid` had come to its event `ordinal` before another thread went on is
 * made only where that was not clear from entries before: when memory, or the
 * monitor, changes hands.  So there are few of them, and still any two operations
 * that could tell each other apart are in the order in which they happened.
 */
#ifndef PL_MODEL_ORDER_H
#define PL_MODEL_ORDER_H

#include "model/choice.h"

#include <stdbool.h>
#include <stdint.h>

enum pl_order_kind {
    PL_ORDER_NONE,   /* its writer was stopped in the middle */
    PL_ORDER_PASSED, /* the events of tid before `ordinal` have happened */
    PL_ORDER_CHOICE, /* at its event `ordinal`, tid made a choice other than of a thread */
};

struct pl_order_entry {
    _Atomic uint8_t kind; /* enum pl_order_kind; last */
    uint8_t choice;       /* enum pl_choice_kind */
    pl_tid tid;
    uint32_t ordinal;
    pl_tid other; /* the thread chosen */
    uint16_t taken, options;
};

/* How the execution ended. */
struct pl_order_end {
    uint32_t n_threads;
    pl_tid last;        /* the thread that ended it */
    bool all;           /* it ended because those in `waits` did not go on */
    const bool *waits;  /* by thread */
    const uint32_t *at; /* by thread: the event that it has come to */
};

struct pl_order_list {
    struct pl_choice *choices;
    uint64_t room, n; /* n may be larger than room: then the rest is missing */
};

void pl_order_linearize(const struct pl_order_entry *entries, uint64_t n,
                        const struct pl_order_end *end, struct pl_order_list *out);

#endif /* PL_MODEL_ORDER_H */
