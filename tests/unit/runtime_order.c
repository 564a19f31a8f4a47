/* SPDX-License-Identifier: MIT */
/*
 * The order of operations of free threads as it is recorded: an entry wherever memory or the
 * monitor changes hands and the order is not known already, and the list of choices that becomes
 * of it.  Each test has a process of its own, since nothing is forgotten before the process ends.
 *
 * What threads do is done here by one, one after the other: nobody ever has to wait for memory.
 */
#include "unit.h"

#include "machine.h"
#include "model/order.h"
#include "runtime_stage.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 64, STRIPES = 1 << 16, X = 0x100000 };

static void apart(void (*test)(void))
{
    int status = 1;
    pid_t child = fork();

    CHECK(child >= 0);
    if (child == 0) {
        stage_set(3);
        pl_free = true;
        pl_order_begin();
        test();
        _exit(unit_failures != 0);
    }
    CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* An access of the thread as its event number `ordinal`; others may have the memory then. */
static void touch(pl_tid tid, uint32_t ordinal, uint64_t addr, uint64_t size)
{
    struct pl_thread *t = stage_thread(tid);

    t->ordinal = ordinal;
    pl_order_claim(t, addr, size);
    pl_order_release(t);
    t->ordinal++;
}

static void enter(pl_tid tid, uint32_t ordinal)
{
    stage_thread(tid)->op.ordinal = ordinal;
    pl_order_perform(stage_thread(tid));
}

static bool is_passed(uint64_t i, pl_tid tid, uint32_t ordinal)
{
    const struct pl_order_entry *e = &pl_board->order[i];

    return i < pl_board->n_order && e->kind == PL_ORDER_PASSED && e->tid == tid &&
           e->ordinal == ordinal;
}

/* ---- entries ---- */

static void what_one_thread_uses_costs_nothing(void)
{
    for (unsigned i = 0; i < 100; i++)
        touch(0, i, X + 8 * i, 8);
    CHECK(pl_board->n_order == 0);
}

static void changes_of_hands_are_recorded(void)
{
    touch(0, 3, X, 8);
    touch(1, 0, X + 4, 4);
    CHECK(pl_board->n_order == 1 && is_passed(0, 0, 4));
    touch(0, 4, X, 8);
    CHECK(pl_board->n_order == 2 && is_passed(1, 1, 1));
    touch(2, 7, X + LINE, 8); /* another line */
    CHECK(pl_board->n_order == 2);
}

/* What a thread has been told of another's progress it need not be told again. */
static void what_is_known_is_not_repeated(void)
{
    touch(0, 3, X, 8);
    touch(0, 5, X + LINE, 8);
    touch(0, 8, X + 2 * LINE, 8);
    touch(1, 0, X + LINE, 8);
    CHECK(pl_board->n_order == 1 && is_passed(0, 0, 6));
    touch(1, 1, X, 8); /* that was before */
    CHECK(pl_board->n_order == 1);
    touch(1, 2, X + 2 * LINE, 8);
    CHECK(pl_board->n_order == 2 && is_passed(1, 0, 9));
    touch(2, 0, X, 8); /* what another one knows is no help: it had it last */
    CHECK(pl_board->n_order == 3 && is_passed(2, 1, 2));
}

/* Memory over several lines needs each of them, in any order of claims. */
static void ranges_have_all_their_lines(void)
{
    struct pl_thread *t = stage_thread(1);

    touch(0, 1, X + 3 * LINE, 1);
    touch(1, 0, X + 8, 3 * LINE); /* reaches into it */
    CHECK(pl_board->n_order == 1 && is_passed(0, 0, 2));
    touch(0, 9, X, 1);
    t->ordinal = 5;
    pl_order_claim(t, X + 8 * LINE, 8);
    pl_order_claim(t, X, 8);
    CHECK(t->free.n_claims == 2 && t->free.claims[0].first < t->free.claims[1].first);
    CHECK(is_passed(2, 0, 10));
    pl_order_release(t);
    CHECK(t->free.n_claims == 0);
}

/* The table of stripes is a ring: the end of a range may come before its beginning. */
static void ranges_may_go_round(void)
{
    uint64_t end = (uint64_t)STRIPES * LINE;

    touch(0, 1, end - LINE, 1);
    touch(0, 2, end, 1); /* the first stripe again */
    touch(1, 0, end - LINE, 2 * LINE);
    CHECK(pl_board->n_order >= 1 && is_passed(pl_board->n_order - 1, 0, 3));
    touch(2, 0, X, end); /* all there are */
    CHECK(is_passed(pl_board->n_order - 1, 1, 1) || is_passed(pl_board->n_order - 2, 1, 1));
}

/* Let go for a while, and still its own. */
static void a_pause_keeps_the_claims(void)
{
    struct pl_thread *t = stage_thread(0);

    t->ordinal = 1;
    pl_order_claim(t, X, 8);
    pl_order_pause(t);
    CHECK(t->free.n_claims == 1);
    touch(1, 0, X, 8);
    CHECK(is_passed(0, 0, 2));
    pl_order_release(t);
}

static void the_monitor_changes_hands_too(void)
{
    enter(0, 2);
    enter(0, 3);
    CHECK(pl_board->n_order == 0);
    enter(1, 0);
    CHECK(pl_board->n_order == 1 && is_passed(0, 0, 4));
    touch(0, 1, X, 8);
    touch(1, 1, X, 8); /* earlier than what it knows from the monitor */
    CHECK(pl_board->n_order == 1);
}

static void other_choices_are_recorded(void)
{
    const struct pl_choice c = {
        .kind = PL_CHOICE_WAITER, .tid = 2, .ordinal = 6, .target = 1, .taken = 1, .options = 2};

    pl_order_choice(&c);
    const struct pl_order_entry *e = &pl_board->order[0];

    CHECK(pl_board->n_order == 1 && e->kind == PL_ORDER_CHOICE && e->choice == PL_CHOICE_WAITER);
    CHECK(e->tid == 2 && e->ordinal == 6 && e->other == 1 && e->taken == 1 && e->options == 2);
}

/* ---- the list of choices ---- */

/* Accesses by 0, 1, 0 and 2 to one place come in that order in the schedule. */
static void accesses_become_choices(void)
{
    static const struct {
        pl_tid tid;
        uint32_t ordinal;
    } happened[] = {{0, 4}, {1, 2}, {0, 7}, {2, 1}};

    for (unsigned i = 0; i < 4; i++)
        touch(happened[i].tid, happened[i].ordinal, X, 8);
    pl_free_self = stage_thread(2);
    pl_order_close();
    CHECK(pl_board->fate.known && pl_board->fate.last == 2 && pl_board->fate.at[0] == 8);
    pl_order_settle();
    CHECK(pl_board->n_choices == 3 && pl_board->n_decisions == 3);
    for (unsigned i = 0; i < 3; i++) {
        const struct pl_choice *c = &pl_board->choices[i];

        CHECK(c->kind == PL_CHOICE_THREAD && c->tid == happened[i].tid);
        CHECK(c->ordinal == happened[i].ordinal + 1 && c->target == happened[i + 1].tid);
    }
}

/* What is recorded after the execution was found to fail is not part of it. */
static void what_comes_after_the_end_is_left_out(void)
{
    touch(0, 4, X, 8);
    touch(1, 2, X, 8);
    pl_order_freeze();
    touch(2, 9, X, 8);
    touch(0, 5, X, 8);
    pl_free_self = stage_thread(1);
    pl_order_close();
    CHECK(pl_board->n_order == 3 && pl_board->fate.n == 1);
    pl_order_settle();
    CHECK(pl_board->n_choices == 1 && pl_board->choices[0].target == 1);
}

/* Everybody who waits has come to where it waits. */
static void a_deadlock_has_everybody(void)
{
    touch(1, 2, X, 8);
    touch(2, 3, X, 8);
    for (pl_tid t = 1; t < 3; t++) {
        stage_thread(t)->announced = true;
        stage_thread(t)->op.ordinal = 5 + t;
        pl_board->finding.rows[pl_board->finding.n_rows++].tid = t;
    }
    pl_board->finding.kind = PL_FINDING_DEADLOCK;
    pl_board->outcome = PL_OUTCOME_FINDING;
    pl_free_self = stage_thread(2);
    pl_order_close();
    CHECK(pl_board->fate.at[1] == 6 && pl_board->fate.at[2] == 7);
    pl_order_settle();
    CHECK(pl_board->n_choices == 2);
    CHECK(pl_board->choices[0].tid == 0 && pl_board->choices[0].target == 1);
    CHECK(pl_board->choices[1].tid == 1 && pl_board->choices[1].ordinal == 6 &&
          pl_board->choices[1].target == 2);
}

int main(void)
{
    apart(what_one_thread_uses_costs_nothing);
    apart(changes_of_hands_are_recorded);
    apart(what_is_known_is_not_repeated);
    apart(ranges_have_all_their_lines);
    apart(ranges_may_go_round);
    apart(a_pause_keeps_the_claims);
    apart(the_monitor_changes_hands_too);
    apart(other_choices_are_recorded);
    apart(accesses_become_choices);
    apart(what_comes_after_the_end_is_left_out);
    apart(a_deadlock_has_everybody);
    return unit_result();
}
