/* SPDX-License-Identifier: MIT */
/* Which executions show an order that is sought, told operation by operation. */
#include "unit.h"

#include "model/sought.h"

#include <stdlib.h>

enum { X = 0x1000, LOCK = 0x2000 };
#define A PL_SOUGHT_FIRST(0)
#define B PL_SOUGHT_SECOND(0)

static struct pl_sought_run run;

/* A thread performs something; true when that shows order 0. */
static bool act(pl_tid tid, unsigned kind, uint64_t addr, uint32_t roles)
{
    struct pl_operation op = {.kind = (uint8_t)kind,
                              .tid = tid,
                              .addr = addr,
                              .size = 4,
                              .effect = (uint8_t)pl_operation_effect(kind),
                              .sought = roles | PL_SOUGHT_KNOWN};

    return pl_sought_run_see(&run, &op, 77) == 1;
}

static void a_write_and_a_read_of_another_thread(void)
{
    pl_sought_run_begin(&run);
    CHECK(!act(1, PL_OP_WRITE, X, A));
    CHECK(!act(1, PL_OP_READ, X, B)); /* the same thread */
    CHECK(act(2, PL_OP_READ, X, B));
    CHECK(!act(2, PL_OP_READ, X, B)); /* has been shown */
    CHECK(run.shown[0].first.tid == 1 && run.shown[0].second.tid == 2);
    CHECK(run.shown[0].first.pc == 77);
    CHECK((run.had[0] & PL_SOUGHT_REVERSED) == 0);
}

static void memory_must_overlap_and_not_be_read_twice(void)
{
    pl_sought_run_begin(&run);
    CHECK(!act(1, PL_OP_WRITE, X, A));
    CHECK(!act(2, PL_OP_READ, X + 4, B));
    CHECK((run.had[0] & PL_SOUGHT_MET) == 0);
    CHECK((run.had[0] & PL_SOUGHT_LATER) != 0);
    CHECK(act(2, PL_OP_READ, X + 3, B));

    pl_sought_run_begin(&run);
    CHECK(!act(1, PL_OP_READ, X, A));
    CHECK(!act(2, PL_OP_READ, X, B));
    CHECK((run.had[0] & PL_SOUGHT_MET) == 0);
    CHECK(act(2, PL_OP_WRITE, X, B));
}

static void a_change_between_parts_them_and_a_look_does_not(void)
{
    pl_sought_run_begin(&run);
    act(1, PL_OP_WRITE, X, A);
    act(3, PL_OP_READ, X, 0);
    act(3, PL_OP_WRITE, X + 8, 0);
    CHECK(act(2, PL_OP_READ, X, B));

    pl_sought_run_begin(&run);
    act(1, PL_OP_WRITE, X, A);
    act(3, PL_OP_WRITE, X, 0);
    CHECK(!act(2, PL_OP_READ, X, B));
    CHECK(run.had[0] == (PL_SOUGHT_HAD_FIRST | PL_SOUGHT_HAD_SECOND | PL_SOUGHT_MET |
                         PL_SOUGHT_BETWEEN | PL_SOUGHT_LATER));
    act(1, PL_OP_WRITE, X, A); /* once more */
    CHECK(act(2, PL_OP_READ, X, B));
}

static void the_other_order_is_seen(void)
{
    pl_sought_run_begin(&run);
    CHECK(!act(2, PL_OP_READ, X, B));
    CHECK(!act(1, PL_OP_WRITE, X, A));
    CHECK((run.had[0] & PL_SOUGHT_REVERSED) != 0);
    CHECK((run.had[0] & PL_SOUGHT_LATER) == 0);
}

static void one_place_may_be_both(void)
{
    pl_sought_run_begin(&run);
    CHECK(!act(1, PL_OP_WRITE, X, A | B));
    CHECK(!act(1, PL_OP_WRITE, X, A | B));
    CHECK(act(2, PL_OP_WRITE, X, A | B));
}

static void who_takes_a_lock_next(void)
{
    pl_sought_run_begin(&run);
    act(1, PL_OP_MUTEX_LOCK, LOCK, A);
    act(1, PL_OP_MUTEX_UNLOCK, LOCK, 0);
    CHECK(act(2, PL_OP_MUTEX_LOCK, LOCK, B));

    pl_sought_run_begin(&run);
    act(1, PL_OP_MUTEX_LOCK, LOCK, A);
    act(1, PL_OP_MUTEX_UNLOCK, LOCK, 0);
    act(3, PL_OP_MUTEX_LOCK, LOCK, 0);
    act(3, PL_OP_MUTEX_UNLOCK, LOCK, 0);
    CHECK(!act(2, PL_OP_MUTEX_LOCK, LOCK, B));

    pl_sought_run_begin(&run); /* memory at the address of a lock is something else */
    act(1, PL_OP_MUTEX_LOCK, LOCK, A);
    CHECK(!act(2, PL_OP_WRITE, LOCK, B));
}

static void what_would_happen_is_known_before(void)
{
    struct pl_operation read = {.kind = PL_OP_READ, .tid = 2, .addr = X, .size = 4, .sought = B};
    struct pl_operation write = {.kind = PL_OP_WRITE, .tid = 3, .addr = X, .size = 4};

    pl_sought_run_begin(&run);
    CHECK(!pl_sought_run_would_show(&run, &read, 0));
    CHECK(!pl_sought_run_would_part(&run, &write, 0));
    act(1, PL_OP_WRITE, X, A);
    CHECK(pl_sought_run_would_show(&run, &read, 0));
    CHECK(!pl_sought_run_would_show(&run, &read, 1));
    CHECK(pl_sought_run_would_part(&run, &write, 0));
    CHECK(!pl_sought_run_would_part(&run, &read, 0));
    read.tid = 1;
    CHECK(!pl_sought_run_would_show(&run, &read, 0));
}

static void changes_that_commute_are_told(void)
{
    pl_sought_run_begin(&run);
    CHECK(!act(1, PL_OP_SEM_POST, LOCK, A));
    CHECK((run.had[0] & PL_SOUGHT_COMMUTED) == 0);
    CHECK(act(2, PL_OP_SEM_POST, LOCK, B));
    CHECK((run.had[0] & PL_SOUGHT_COMMUTED) != 0);
}

/* More than can be remembered: what is over goes first, and what is lost is said. */
static void memory_of_an_execution_is_limited(void)
{
    pl_sought_run_begin(&run);
    for (unsigned i = 0; i < 10 * PL_SOUGHT_MARKS; i++) {
        act(1, PL_OP_WRITE, X + 8 * i, A);
        act(3, PL_OP_WRITE, X + 8 * i, 0);
    }
    CHECK(!run.lost);
    act(1, PL_OP_WRITE, X, A);
    CHECK(act(2, PL_OP_READ, X, B));
    pl_sought_run_begin(&run);
    for (unsigned i = 0; i <= PL_SOUGHT_MARKS; i++)
        act(1, PL_OP_WRITE, X + 8 * i, A);
    CHECK(run.lost);
}

static void executions_add_up(struct pl_sought *s)
{
    s->n = 1;
    a_change_between_parts_them_and_a_look_does_not();
    pl_sought_count(s, &run);
    the_other_order_is_seen();
    pl_sought_count(s, &run);
    pl_sought_run_begin(&run);
    act(1, PL_OP_WRITE, X, A);
    pl_sought_count(s, &run);
    const struct pl_sought_order *o = &s->orders[0];

    CHECK(o->first == 3 && o->second == 2 && o->both == 2 && o->met == 2);
    CHECK(o->reversed == 2 && o->between == 1); /* the first one had B, then A again */
    CHECK(!pl_sought_all_done(s));
    s->orders[0].later = 1; /* which counts for nothing, as they have met */
    CHECK(!pl_sought_all_done(s) && !pl_sought_is_later(&s->orders[0]));
    s->orders[0].shown = 1;
    CHECK(pl_sought_all_done(s));
}

static void places_are_remembered(struct pl_sought *s)
{
    CHECK(pl_sought_find(s, 0x401000) == 0);
    for (uint64_t pc = 0x401000; pc < 0x401000 + 20000; pc++)
        pl_sought_learn(s, pc, pc % 3 == 0 ? A : 0);
    CHECK(pl_sought_find(s, 0x401000) == (PL_SOUGHT_KNOWN | (0x401000 % 3 == 0 ? A : 0)));
    CHECK(pl_sought_find(s, 0x401001) == (PL_SOUGHT_KNOWN | (0x401001 % 3 == 0 ? A : 0)));
    CHECK(s->n_places == 20000 && !s->lost);
    for (uint64_t pc = 0x501000; pc < 0x501000 + PL_SOUGHT_PLACES; pc++)
        pl_sought_learn(s, pc, 0);
    CHECK(s->lost);
}

int main(void)
{
    struct pl_sought *s = calloc(1, sizeof(*s));

    a_write_and_a_read_of_another_thread();
    memory_must_overlap_and_not_be_read_twice();
    a_change_between_parts_them_and_a_look_does_not();
    the_other_order_is_seen();
    one_place_may_be_both();
    who_takes_a_lock_next();
    what_would_happen_is_known_before();
    changes_that_commute_are_told();
    memory_of_an_execution_is_limited();
    executions_add_up(s);
    places_are_remembered(s);
    free(s);
    return unit_result();
}
