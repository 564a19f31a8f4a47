/* SPDX-License-Identifier: MIT */
/* See calls_rows.h. */
#include "runtime/system/calls_rows.h"

#include "base/sys.h"
#include "runtime/ground/arguments.h"
#include "runtime/system/calls_ask.h"

/* Whatever has no row: it may change anything, and wait for anything. */
#define ANYTHING .first = R_ALL, .first_effect = PL_EFFECT_WRITE, .unmodelled = true

static const struct pl_calls_row unknown = {ANYTHING, .wait = PL_ASK_DEPUTY};

static const struct pl_calls_row rows[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {.known = true, operation, __VA_ARGS__},
#define USES(r1, e1, r2, e2, w)                                        \
    .first = R_##r1, .first_effect = PL_EFFECT_##e1, .second = R_##r2, \
    .second_effect = PL_EFFECT_##e2, .wait = PL_ASK_##w
#define BY_CASE(function, words) .by_case = pl_##function
#define BY_HAND(function, words) .by_hand = pl_##function
#define ELSEWHERE() .elsewhere = true
#define UNKNOWN(w) ANYTHING, .wait = PL_ASK_##w
#define CANCELS(when) .cancels = CANCELS_##when,
#define ORDERS(how, what) .order = {PL_ORDER_##how, PL_ORDER_##what},
#include "runtime/ground/calls.def"
};

static const struct pl_calls_row *row_of(long number)
{
    const struct pl_calls_row *r = &rows[pl_arguments_row(number)];

    return !r->known ? &unknown : r->elsewhere ? NULL : r;
}

const struct pl_calls_table pl_calls_rows = {.of = row_of,
                                             .has_function = pl_syscall_has_function,
                                             .call_function = pl_syscall_call_function};
