/* SPDX-License-Identifier: MIT */
#include "result/incomplete.h"

#include "model/incomplete.h"
#include "unit.h"

static struct pl_result result;
static char text[PL_RESULT_LINE];

static const char *say(uint32_t incomplete)
{
    result.incomplete = incomplete;
    pl_incomplete_text(&result, text, sizeof(text));
    return text;
}

static void fresh(void)
{
    memset(&result, 0, sizeof(result));
    result.bound = -1;
}

static void every_reason_but_a_bound_has_a_sentence(void)
{
    fresh();
    snprintf(result.until, sizeof(result.until), "what was asked for");
    for (unsigned i = 0; i < PL_INCOMPLETE_ROWS; i++) {
        say(UINT32_C(1) << i);
        CHECK((text[0] != '\0') == (i != PL_INCOMPLETE_ROW_LEFT_OUT));
        CHECK(strpbrk(text, "{}") == NULL);
    }
    CHECK_STR(say(0), "");
}

static void numbers_and_names_are_filled_in(void)
{
    fresh();
    result.execution_limit = 50;
    result.time_limit_ms = 1500;
    result.max_operations = 7;
    CHECK_STR(say(PL_INCOMPLETE_EXECUTIONS), "the limit of 50 executions was reached");
    CHECK_STR(say(PL_INCOMPLETE_TIME), "the time of 1.5 seconds was over");
    CHECK_STR(say(PL_INCOMPLETE_LIMITED), "complete up to 7 operations per thread");
    CHECK_STR(say(PL_INCOMPLETE_CROWDED),
              "more memory is shared than plait can remember (1048576 places)");
    CHECK_STR(say(PL_INCOMPLETE_OUTSIDE),
              "one place and another access shared memory in no order and under no common lock; "
              "use -s dpor");
    snprintf(result.outside, sizeof(result.outside), "bank.c:12");
    snprintf(result.beside, sizeof(result.beside), "bank.c:20");
    snprintf(result.outside_what, sizeof(result.outside_what), "balance");
    CHECK_STR(say(PL_INCOMPLETE_OUTSIDE),
              "bank.c:12 and bank.c:20 access balance in no order and under no common lock; "
              "use -s dpor");
}

static void the_first_reason_is_said(void)
{
    fresh();
    CHECK_STR(say(PL_INCOMPLETE_UNFAIR | PL_INCOMPLETE_BLIND | PL_INCOMPLETE_INTERRUPTED),
              "it was interrupted");
    CHECK_STR(say(PL_INCOMPLETE_UNFAIR | PL_INCOMPLETE_BLIND),
              "all schedules were executed, but a loop was cut short");
    CHECK_STR(say(PL_INCOMPLETE_UNFAIR | PL_INCOMPLETE_LEFT_OUT),
              "all schedules within the bound were executed, but a loop was cut short");
    CHECK_STR(say(PL_INCOMPLETE_LEFT_OUT | PL_INCOMPLETE_LIMITED), "");
#define THREE_ROUNDS                                                                             \
    "all schedules were executed in which loops that do not end by themselves go round at most " \
    "three times while others can go on"
    CHECK_STR(say(PL_INCOMPLETE_ROUNDS), THREE_ROUNDS);
    result.search_impossible = 1;
    CHECK_STR(say(PL_INCOMPLETE_ROUNDS),
              THREE_ROUNDS ", but for some that were to be reached by way of further rounds");
}

static void what_is_certain_within_a_bound_is_said_too(void)
{
    fresh();
    result.bound = 1;
    snprintf(result.bounds, sizeof(result.bounds), "preemption");
    CHECK_STR(say(PL_INCOMPLETE_LEFT_OUT),
              "every execution with at most 1 preemption has been seen");
    result.bound = 2;
    CHECK_STR(say(PL_INCOMPLETE_LEFT_OUT | PL_INCOMPLETE_LIMITED),
              "every execution with at most 2 preemptions has been seen, up to the limit of "
              "operations per thread");
    CHECK_STR(say(PL_INCOMPLETE_FINDING | PL_INCOMPLETE_LEFT_OUT),
              "it stopped at the first finding; every execution with at most 2 preemptions has "
              "been seen");
}

static void scopes_are_disjoint_and_make_up_all(void)
{
    uint32_t all = 0;

    for (unsigned i = PL_INCOMPLETE_OF_TOOL; i <= PL_INCOMPLETE_OF_ROUND; i++) {
        uint32_t of = pl_incomplete_within((enum pl_incomplete_scope)i);

        CHECK(of != 0 && (all & of) == 0);
        all |= of;
    }
    CHECK(all == (UINT64_C(1) << PL_INCOMPLETE_ROWS) - 1);
}

int main(void)
{
    every_reason_but_a_bound_has_a_sentence();
    numbers_and_names_are_filled_in();
    the_first_reason_is_said();
    what_is_certain_within_a_bound_is_said_too();
    scopes_are_disjoint_and_make_up_all();
    return unit_result();
}
