/* SPDX-License-Identifier: MIT */
/* Which statement comes immediately after which, in executions written by hand. */
#include "unit.h"

#include "machine.h"
#include "model/hapset.h"
#include "strategy/hapset/predecessors.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY = 1 << 20, STATEMENTS = 16 };
enum { P = 0x1000, M = 0x2000, C = 0x3000 };

static struct pl_predecessors finder;
static bool found[STATEMENTS][STATEMENTS], firsts[STATEMENTS], lasts[STATEMENTS];

static void tell(void *to, uint32_t statement, uint32_t predecessor)
{
    CHECK(to == found);
    if (predecessor == PL_HAPSET_FIRST)
        firsts[statement] = true;
    else if (predecessor == PL_HAPSET_LAST)
        lasts[statement] = true;
    else
        found[statement][predecessor] = true;
}

static struct pl_operation operation(pl_tid tid, uint32_t statement, enum pl_op_kind kind,
                                     uint64_t addr)
{
    struct pl_operation op = machine_operation(kind, tid, addr);

    op.statement = statement;
    return op;
}

static void find(const struct pl_operation *ops, uint32_t n)
{
    struct pl_predecessors_event events[16];

    memset(found, 0, sizeof(found));
    memset(firsts, 0, sizeof(firsts));
    memset(lasts, 0, sizeof(lasts));
    for (uint32_t i = 0; i < n; i++)
        events[i] = pl_predecessors_event(&ops[i]);
    CHECK(pl_predecessors_find(&finder, events, 0, n, tell, found));
}

/* Exactly these: statement, predecessor, ..., 0. */
static void check_only(const unsigned *pairs)
{
    bool expected[STATEMENTS][STATEMENTS] = {0};

    for (; *pairs != 0; pairs += 2)
        expected[pairs[0]][pairs[1]] = true;
    CHECK(memcmp(found, expected, sizeof(found)) == 0);
}

/* T1: e1 p = &a, e4 p = NULL; T2: e2 tests p, e3 uses it. */
static void the_serial_order_of_the_paper(void)
{
    const struct pl_operation ops[] = {
        operation(1, 1, PL_OP_WRITE, P), operation(2, 2, PL_OP_READ, P),
        operation(2, 3, PL_OP_READ, P), operation(1, 4, PL_OP_WRITE, P)};

    find(ops, 4);
    check_only((unsigned[]){2, 1, 4, 3, 0});
}

static void the_failing_order_of_the_paper(void)
{
    const struct pl_operation ops[] = {
        operation(1, 1, PL_OP_WRITE, P), operation(2, 2, PL_OP_READ, P),
        operation(1, 4, PL_OP_WRITE, P), operation(2, 3, PL_OP_READ, P)};

    find(ops, 4);
    check_only((unsigned[]){2, 1, 4, 2, 3, 4, 0});
}

static void the_other_good_order_of_the_paper(void)
{
    const struct pl_operation ops[] = {operation(2, 2, PL_OP_READ, P),
                                       operation(1, 1, PL_OP_WRITE, P),
                                       operation(1, 4, PL_OP_WRITE, P)};

    find(ops, 3);
    check_only((unsigned[]){1, 2, 0});
}

static void an_unlock_is_no_predecessor(void)
{
    const struct pl_operation ops[] = {
        operation(1, 1, PL_OP_MUTEX_LOCK, M), operation(1, 2, PL_OP_MUTEX_UNLOCK, M),
        operation(2, 3, PL_OP_MUTEX_LOCK, M), operation(2, 4, PL_OP_MUTEX_UNLOCK, M),
        operation(1, 1, PL_OP_MUTEX_LOCK, M)};

    find(ops, 5);
    check_only((unsigned[]){3, 1, 1, 3, 0});
}

/* Two waits do not conflict; each conflicts with the signal, in either order. */
static void waits_and_signals(void)
{
    struct pl_operation ops[] = {
        operation(1, 1, PL_OP_COND_WAIT, C), operation(2, 2, PL_OP_COND_WAIT, C),
        operation(3, 3, PL_OP_COND_SIGNAL, C), operation(4, 4, PL_OP_COND_WAIT, C)};

    for (unsigned i = 0; i < 4; i++) { /* the mutex is given back */
        ops[i].other = i == 2 ? 0 : M;
        ops[i].other_effect = i == 2 ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
    }
    find(ops, 4);
    check_only((unsigned[]){3, 1, 3, 2, 4, 3, 0});
}

/* Waking up takes the mutex, as a lock does. */
static void waking_up_comes_after_who_had_the_mutex(void)
{
    struct pl_operation ops[] = {operation(2, 1, PL_OP_MUTEX_LOCK, M),
                                 operation(1, 2, PL_OP_COND_WAKE, C)};

    ops[1].effect = PL_EFFECT_NONE;
    ops[1].other = M;
    ops[1].other_effect = PL_EFFECT_WRITE;
    find(ops, 2);
    check_only((unsigned[]){2, 1, 0});
}

/* Of every other thread the last event, and reads do not conflict. */
static void several_threads(void)
{
    const struct pl_operation ops[] = {
        operation(1, 1, PL_OP_WRITE, P), operation(1, 2, PL_OP_READ, P),
        operation(2, 3, PL_OP_WRITE, P), operation(3, 4, PL_OP_READ, P),
        operation(4, 5, PL_OP_WRITE, P)};

    find(ops, 5);
    check_only((unsigned[]){3, 2, 4, 3, 5, 2, 5, 3, 5, 4, 0});
}

/* Neighbours in one word are different memory; an access to both has both before it. */
static void bytes_are_told_apart(void)
{
    struct pl_operation ops[] = {
        operation(1, 1, PL_OP_WRITE, P), operation(1, 2, PL_OP_WRITE, P + 4),
        operation(2, 3, PL_OP_READ, P), operation(3, 4, PL_OP_READ, P + 2)};

    ops[0].size = ops[1].size = ops[2].size = 4;
    ops[3].size = 4;
    find(ops, 4);
    check_only((unsigned[]){3, 1, 4, 2, 0}); /* of a thread only the last one counts */
}

static void an_execution_knows_nothing_of_the_one_before(void)
{
    const struct pl_operation one = operation(1, 1, PL_OP_WRITE, P);
    const struct pl_operation other = operation(2, 2, PL_OP_READ, P);

    find(&one, 1);
    find(&other, 1);
    check_only((unsigned[]){0});
}

/* Reads beside each other leave it open; what a thread did before its last event counts, too. */
static void who_comes_first(void)
{
    const struct pl_operation ops[] = {
        operation(1, 1, PL_OP_READ, P),  operation(2, 2, PL_OP_READ, P),
        operation(1, 3, PL_OP_WRITE, P), operation(1, 4, PL_OP_READ, P),
        operation(2, 5, PL_OP_READ, P),  operation(2, 6, PL_OP_READ, M)};

    find(ops, 6);
    CHECK(firsts[1] && firsts[2] && !firsts[3] && firsts[4] && !firsts[5]);
    CHECK(firsts[6]); /* nobody else is there */
    for (unsigned i = 0; i < STATEMENTS; i++)
        CHECK(!lasts[i]); /* that is of interest where somebody waits */
}

/* All signals come before the wait, so that it is the last; an earlier one of the same thread is
 * not. */
static void a_wait_after_all_signals(void)
{
    const struct pl_operation ops[] = {
        operation(3, 4, PL_OP_COND_WAIT, C), operation(1, 1, PL_OP_COND_SIGNAL, C),
        operation(2, 2, PL_OP_COND_SIGNAL, C), operation(3, 3, PL_OP_COND_WAIT, C)};

    find(ops, 4);
    CHECK(firsts[4] && !firsts[3] && lasts[3] && !lasts[4] && !lasts[1] && !lasts[2]);
    find(ops, 3);
    CHECK(!lasts[4]); /* the signals came after it */
}

static void how_two_events_are_related(void)
{
    const struct pl_operation ops[] = {
        operation(1, 1, PL_OP_READ, P), operation(2, 2, PL_OP_READ, P),
        operation(2, 3, PL_OP_WRITE, P + 4), operation(2, 4, PL_OP_WRITE, P + 8)};
    struct pl_predecessors_event e[4];

    for (unsigned i = 0; i < 4; i++)
        e[i] = pl_predecessors_event(&ops[i]);
    CHECK(pl_predecessors_relation(&e[0], &e[1]) == PL_PREDECESSORS_MEET);
    CHECK(pl_predecessors_relation(&e[0], &e[2]) == PL_PREDECESSORS_CONFLICT);
    CHECK(pl_predecessors_relation(&e[0], &e[3]) == PL_PREDECESSORS_APART);
}

int main(void)
{
    unsigned char *memory = calloc(1, MEMORY);

    pl_predecessors_start(&finder, memory, MEMORY);
    the_serial_order_of_the_paper();
    the_failing_order_of_the_paper();
    the_other_good_order_of_the_paper();
    an_unlock_is_no_predecessor();
    waits_and_signals();
    waking_up_comes_after_who_had_the_mutex();
    several_threads();
    bytes_are_told_apart();
    an_execution_knows_nothing_of_the_one_before();
    who_comes_first();
    a_wait_after_all_signals();
    how_two_events_are_related();
    free(memory);
    return unit_result();
}
