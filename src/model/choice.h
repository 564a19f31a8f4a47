/* SPDX-License-Identifier: MIT */
/*
 * A choice: any decision that was not forced.  The sequence of an execution's
 * choices is its schedule; feeding it back replays the execution.
 *
 * A choice is placed by the thread that was at a point and by how many events
 * that thread had had, so a schedule does not depend on which accesses are
 * points.  "The running thread goes on" is the default and need not be written.
 */
#ifndef PL_MODEL_CHOICE_H
#define PL_MODEL_CHOICE_H

#include "model/operation.h"

#include <stdbool.h>

enum pl_choice_kind {
    PL_CHOICE_THREAD,   /* which thread goes on */
    PL_CHOICE_WAITER,   /* which waiter is woken */
    PL_CHOICE_WAY,      /* timeout or spurious wake-up, where both could be; in a call that a
                           signal interrupts or on the way there; where a signal came */
    PL_CHOICE_WEAK_CAS, /* 1: a weak compare-exchange fails */
    PL_CHOICE_VALUE,    /* plait_choose(); at another operation: 1: a block gets the address of a
                           freed one */
    PL_CHOICE_KINDS
};

struct pl_choice {
    uint8_t kind;
    uint8_t op;       /* kind of the operation at which it was made */
    pl_tid tid;       /* the thread that was at the point */
    uint16_t taken;   /* index among the options */
    uint16_t options; /* at least 2; 1: no choice, but a replay must know */
    uint32_t ordinal; /* of thread tid */
    pl_tid target;    /* the thread chosen, for THREAD and WAITER */
    uint8_t is_default;
    uint8_t unused;
    uint64_t digest; /* of all operations up to here */
};

/* A choice as read from a file: threads by name, for the replay strategy. */
struct pl_step {
    uint64_t at;     /* name of the thread at the point */
    uint64_t target; /* name of the thread chosen, or 0 */
    uint64_t digest;
    uint32_t ordinal;
    uint16_t taken;
    uint8_t kind;
    uint8_t op;
};

const char *pl_choice_text(unsigned kind);
/* PL_CHOICE_KINDS when no kind has that text. */
unsigned pl_choice_find(const char *text);

#endif /* PL_MODEL_CHOICE_H */
