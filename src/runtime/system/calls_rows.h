/* SPDX-License-Identifier: MIT */
/*
 * The rows of ground/calls.def, as calls.c sees them.
 *
 * They name functions of calls_hand.c, which call interposers, which come to points through
 * calls.c: so calls.c knows rows by this header only, and is handed them when the runtime starts.
 */
#ifndef PL_RUNTIME_SYSTEM_CALLS_ROWS_H
#define PL_RUNTIME_SYSTEM_CALLS_ROWS_H

#include "runtime/system/calls_order.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/libc_syscall.h"

/* Whether functions of libc that make the call are cancellation points: only where it waits, or at
 * its end in any case. */
enum pl_cancels { CANCELS_NEVER, CANCELS_WAITING, CANCELS_ALWAYS };

struct pl_calls_row {
    uint8_t first, first_effect, second, second_effect;
    uint8_t wait, cancels;
    struct pl_order order;
    struct pl_plan (*by_case)(const struct pl_syscall *call);
    long (*by_hand)(struct pl_syscall *call, uint64_t pc);
    bool known;      /* there is a row */
    bool unmodelled; /* it may change anything */
    bool elsewhere;  /* no operation */
};

struct pl_calls_table {
    /* The row of a call; NULL: it is no operation. */
    const struct pl_calls_row *(*of)(long number);
    /* Whether libc has a function that takes the same arguments, and what comes of that. */
    bool (*has_function)(long number);
    long (*call_function)(long number, const uint64_t a[6]);
};

extern const struct pl_calls_table pl_calls_rows;

/* calls_table.c: these are the rows.  Once, before any call. */
void pl_calls_learn(const struct pl_calls_table *rows);
/* What they say. */
const struct pl_calls_row *pl_calls_row(long number);
bool pl_calls_has_function(long number);
long pl_calls_call_function(long number, const uint64_t a[6]);
/* What the call is about, as things are now. */
struct pl_plan pl_calls_plan(const struct pl_calls_row *r, const struct pl_syscall *c);

#endif /* PL_RUNTIME_SYSTEM_CALLS_ROWS_H */
