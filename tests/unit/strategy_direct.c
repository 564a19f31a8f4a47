/* SPDX-License-Identifier: MIT */
/* Who may go on while an order is sought; and somebody always may. */
#include "unit.h"

#include "machine.h"
#include "strategy/shared/direct.h"

#include <stdlib.h>

enum { X = 0x1000 };
#define A PL_SOUGHT_FIRST(0)
#define B PL_SOUGHT_SECOND(0)

static struct pl_sought_run run;
static struct pl_direct direct;
static unsigned may[8];

static struct pl_operation announced(pl_tid tid, enum pl_op_kind kind, uint32_t roles)
{
    struct pl_operation op = machine_operation(kind, tid, X);

    op.ordinal = 5;
    op.sought = roles;
    return op;
}

static unsigned filter(const struct pl_operation *a, const struct pl_operation *b)
{
    const struct pl_operation *next[] = {a, b};
    struct pl_view view = {.kind = PL_CHOICE_THREAD, .options = b ? 2 : 1, .next = next};

    return pl_direct_filter(&direct, &run, &view, may);
}

static void begin(void)
{
    pl_sought_run_begin(&run);
    direct = (struct pl_direct){.on = true, .held = PL_TID_NONE};
}

static void the_second_waits_for_the_first_and_is_next_then(void)
{
    struct pl_operation first = announced(1, PL_OP_WRITE, A), second = announced(2, PL_OP_READ, B);
    struct pl_operation spoils = announced(1, PL_OP_WRITE, 0);

    begin();
    CHECK(filter(&second, &first) == 1 && may[0] == 1);
    pl_sought_run_see(&run, &first, 0);
    CHECK(filter(&spoils, &second) == 1 && may[0] == 1);
}

static void what_was_written_stays_until_the_second_comes(void)
{
    struct pl_operation first = announced(1, PL_OP_WRITE, A);
    struct pl_operation spoils = announced(1, PL_OP_WRITE, 0), looks = announced(3, PL_OP_READ, 0);

    begin();
    pl_sought_run_see(&run, &first, 0);
    CHECK(filter(&spoils, &looks) == 1 && may[0] == 1);
}

static void nobody_waits_if_nobody_else_can_go_on(void)
{
    struct pl_operation one = announced(1, PL_OP_READ, B), two = announced(2, PL_OP_READ, B);

    begin();
    CHECK(filter(&one, &two) == 2 && may[0] == 0 && may[1] == 1);
    CHECK(direct.visits > 0); /* a later visit may be the right one */
    begin();
    CHECK(filter(&one, NULL) == 1);
}

static void at_one_place_that_is_both_one_waits_for_the_other(void)
{
    struct pl_operation one = announced(1, PL_OP_WRITE, A | B);
    struct pl_operation two = announced(2, PL_OP_WRITE, A | B);

    begin();
    CHECK(filter(&one, &two) == 1 && may[0] == 1);
    pl_sought_run_see(&run, &two, 0);
    CHECK(filter(&one, &two) == 1 && may[0] == 0);
}

static void a_thread_may_wait_before_it_comes_there(void)
{
    struct pl_operation locks = announced(2, PL_OP_MUTEX_LOCK, 0);
    struct pl_operation first = announced(1, PL_OP_WRITE, A);

    begin();
    direct.early = locks.name;
    direct.ordinal = 5;
    CHECK(filter(&locks, &first) == 1 && may[0] == 1);
    pl_sought_run_see(&run, &first, 0);
    first.sought = 0;
    first.kind = PL_OP_READ;
    CHECK(filter(&locks, &first) == 2);
}

/* Most executions are led, some are not; which order is drawn among those not shown. */
static void executions_take_turns(void)
{
    struct pl_sought *s = calloc(1, sizeof(*s));
    unsigned led = 0, early = 0;

    s->n = 2;
    s->orders[0].shown = 1;
    pl_sought_meet(&s->orders[1], 102, 9);
    pl_sought_meet(&s->orders[1], 102, 7);
    for (unsigned n = 1; n <= 400; n++) {
        pl_direct_begin(&direct, s, 1, n);
        led += direct.on;
        early += direct.early == 102;
        CHECK(!direct.on || direct.order == 1);
        CHECK(direct.ordinal <= 9);
    }
    CHECK(led == 300);
    CHECK(early > 100 && early < 200);
    s->orders[1].shown = 1;
    pl_direct_begin(&direct, s, 1, 1);
    CHECK(!direct.on);
    free(s);
}

int main(void)
{
    the_second_waits_for_the_first_and_is_next_then();
    what_was_written_stays_until_the_second_comes();
    nobody_waits_if_nobody_else_can_go_on();
    at_one_place_that_is_both_one_waits_for_the_other();
    a_thread_may_wait_before_it_comes_there();
    executions_take_turns();
    return unit_result();
}
