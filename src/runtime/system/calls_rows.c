/* SPDX-License-Identifier: MIT */
/* See calls_rows.h. */
#include "runtime/system/calls_rows.h"

#include "base/sys.h"
#include "runtime/system/calls_ask.h"

static const struct pl_calls_row rows[] = {
#define PL_CALL_ELSEWHERE(name)
#define PL_CALL_UNKNOWN(call, w)      \
    {.number = SYS_##call,            \
     .name = #call,                   \
     .first = R_ALL,                  \
     .first_effect = PL_EFFECT_WRITE, \
     .wait = PL_ASK_##w,              \
     .unmodelled = true},
#define PL_CALL(call, r1, e1, r2, e2, w) \
    {.number = SYS_##call,               \
     .name = #call,                      \
     .first = R_##r1,                    \
     .first_effect = PL_EFFECT_##e1,     \
     .second = R_##r2,                   \
     .second_effect = PL_EFFECT_##e2,    \
     .wait = PL_ASK_##w},
#define PL_CALL_BY_CASE(call, function, words) \
    {.number = SYS_##call, .name = #call, .by_case = pl_##function},
#define PL_CALL_BY_HAND(call, function, words) \
    {.number = SYS_##call, .name = #call, .by_hand = pl_##function},
#include "runtime/system/calls.def"
#undef PL_CALL
#undef PL_CALL_BY_CASE
#undef PL_CALL_BY_HAND
#undef PL_CALL_ELSEWHERE
#undef PL_CALL_UNKNOWN
};

/* Whatever has no row: it may change anything, and wait for anything. */
static const struct pl_calls_row unknown = {
    .first = R_ALL, .first_effect = PL_EFFECT_WRITE, .wait = PL_ASK_DEPUTY, .unmodelled = true};

static const uint16_t elsewhere[] = {
#define PL_CALL(...)
#define PL_CALL_BY_CASE(...)
#define PL_CALL_BY_HAND(...)
#define PL_CALL_ELSEWHERE(name) SYS_##name,
#define PL_CALL_UNKNOWN(...)
#include "runtime/system/calls.def"
#undef PL_CALL
#undef PL_CALL_BY_CASE
#undef PL_CALL_BY_HAND
#undef PL_CALL_ELSEWHERE
#undef PL_CALL_UNKNOWN
};

enum { NUMBERS = 512, N_ROWS = sizeof(rows) / sizeof(rows[0]), NO_OPERATION = UINT8_MAX };
_Static_assert(N_ROWS < NO_OPERATION, "an index of rows fits into a byte");

/* Index into rows plus 1, by number; made at the first question, the same ever after. */
static uint8_t row_numbers[NUMBERS];

static void number_rows(void)
{
    for (unsigned i = 0; i < N_ROWS; i++)
        row_numbers[rows[i].number] = (uint8_t)(i + 1);
    for (unsigned i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
        row_numbers[elsewhere[i]] = NO_OPERATION;
}

static const struct pl_calls_row *row_of(long number)
{
    if (row_numbers[rows[0].number] == 0)
        number_rows();
    unsigned i = number >= 0 && number < NUMBERS ? row_numbers[number] : 0;

    return i == NO_OPERATION ? NULL : i != 0 ? &rows[i - 1] : &unknown;
}

static const char *name_of(long number)
{
    const struct pl_calls_row *r = row_of(number);

    return r != NULL ? r->name : NULL;
}

const struct pl_calls_table pl_calls_rows = {.of = row_of, .name = name_of};
