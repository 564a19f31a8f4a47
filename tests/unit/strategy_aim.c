/* SPDX-License-Identifier: MIT */
/* Orders of static pairs as goals: which are taken, and who waits so that they come true. */
#include "unit.h"

#include "machine.h"
#include "strategy/shared/aim.h"
#include "trace/pairs.h"

#include <stdlib.h>
#include <string.h>

/* One thread writes x, then locks and reads y; the other one reads x, then writes y. */
enum { WRITE_X, LOCK, READ_Y, READ_X, WRITE_Y, SITES };
enum { X = 0x1000, Y = 0x2000, PC = 0x100, TARGETS = 4 };

static struct pl_pairs_site sites[SITES] = {
    [WRITE_X] = {{.key = 1, .op = PL_OP_WRITE, .position = WRITE_X, .target = 0}, "a.c", "f", NULL},
    [LOCK] = {{.key = 2, .op = PL_OP_MUTEX_LOCK, .position = LOCK, .target = PL_PAIR_NONE},
              "a.c",
              "f",
              NULL},
    [READ_Y] = {{.key = 3, .op = PL_OP_READ, .position = READ_Y, .target = 1}, "a.c", "f", NULL},
    [READ_X] = {{.key = 4, .op = PL_OP_READ, .position = READ_X, .target = 2}, "a.c", "g", NULL},
    [WRITE_Y] = {{.key = 5, .op = PL_OP_WRITE, .position = WRITE_Y, .target = 3}, "a.c", "g", NULL},
};
static struct pl_pairs_pair pairs[] = {
    {{.a = WRITE_X, .b = READ_X, .kind = PL_PAIR_RW, .priority = 9}, "x", NULL, NULL},
    {{.a = READ_Y, .b = WRITE_Y, .kind = PL_PAIR_RW, .priority = 8}, "y", NULL, NULL},
};
static struct pl_pairs_root roots[] = {{{.created = PL_PAIR_NONE, .row = 0}, "main"}};
/* From each position on; the last one is nothing. */
static uint64_t rows[] = {3, 2, 2, 12, 8, 0};
static struct pl_pair_position positions[SITES] = {
    {WRITE_X, 0, 1}, {LOCK, 1, 2}, {READ_Y, 2, 5}, {READ_X, 3, 4}, {WRITE_Y, 4, 5}};
static struct pl_pair_place places[SITES];
static struct pl_pairs_module modules[] = {{""}};
static uint32_t targets[] = {WRITE_X, READ_Y, READ_X, WRITE_Y};

static struct pl_pair_table *table;
static struct pl_judgements *verdicts;
static struct pl_goals goals;
static struct pl_aim aim;
static struct pl_operation at[3];
static unsigned may[3];

static unsigned stack(pl_tid tid, uint64_t *pcs, unsigned room, bool *whole)
{
    pcs[0] = at[tid].pc;
    *whole = true;
    return room > 0;
}

static struct pl_strategy_context context = {.stack = stack};

static void make(void)
{
    for (unsigned i = 0; i < SITES; i++)
        places[i] = (struct pl_pair_place){PC + i, i, 0};
    struct pl_pairs_parts p = {.sites = sites,
                               .pairs = pairs,
                               .roots = roots,
                               .positions = positions,
                               .places = places,
                               .modules = modules,
                               .rows = rows,
                               .targets = targets,
                               .n_sites = SITES,
                               .n_pairs = 2,
                               .n_roots = 1,
                               .n_positions = SITES,
                               .n_places = SITES,
                               .n_modules = 1,
                               .n_rows = 6,
                               .n_targets = TARGETS};

    context.pairs = table = pl_pairs_pack(&p);
    verdicts = calloc(1, sizeof(*verdicts));
    CHECK(table != NULL && verdicts != NULL);
}

static void come(pl_tid tid, unsigned site, enum pl_op_kind kind, uint64_t addr)
{
    at[tid] = machine_operation(kind, tid, addr);
    at[tid].pc = PC + site;
    pl_aim_come(&aim, &context, &at[tid], false);
}

static unsigned filter(void)
{
    const struct pl_operation *next[] = {&at[1], &at[2]};
    struct pl_view view = {.kind = PL_CHOICE_THREAD, .options = 2, .next = next};

    return pl_aim_filter(&aim, &view, may);
}

static void begin(uint32_t pair, unsigned direction, unsigned turn)
{
    const struct pl_pair *p = &pl_pair_pairs(table)[pair];
    struct pl_goal_order goal = {.pair = pair,
                                 .first = direction == 0 ? p->a : p->b,
                                 .second = direction == 0 ? p->b : p->a,
                                 .direction = direction,
                                 .turn = turn};

    pl_aim_begin(&aim, &goal);
}

static void each_open_order_has_its_turns(void)
{
    struct pl_goal_order g;
    unsigned n = 0;

    CHECK(pl_goals_left(&goals, table));
    CHECK(pl_goals_take(&goals, verdicts, table, &g) && g.first == WRITE_X && g.second == READ_X);
    CHECK(pl_goals_take(&goals, verdicts, table, &g) && g.first == READ_X && g.turn == 0);
    pl_judged_show(verdicts, 0, 0);
    pl_judged_show(verdicts, 0, 1);
    CHECK(!pl_goals_wait_at(verdicts, table, READ_X) && pl_goals_wait_at(verdicts, table, READ_Y));
    for (; pl_goals_take(&goals, verdicts, table, &g); n++)
        CHECK(g.pair == 1 && g.turn < PL_GOAL_TURNS);
    CHECK(n == 2 * PL_GOAL_TURNS && !pl_goals_left(&goals, table));
    memset(verdicts, 0, sizeof(*verdicts));
}

static void what_executions_show_is_noted(void)
{
    static struct pl_goals_run run;
    struct pl_operation w = machine_operation(PL_OP_WRITE, 1, X);
    struct pl_operation r = machine_operation(PL_OP_READ, 2, X);
    struct pl_operation other = machine_operation(PL_OP_READ, 2, Y);

    pl_goals_see(&run, verdicts, table, 1, &w, WRITE_X);
    pl_goals_see(&run, verdicts, table, 1, &other, READ_X);
    CHECK(verdicts->pairs[0][0].shown == 0); /* another object */
    pl_goals_see(&run, verdicts, table, 2, &r, READ_X);
    CHECK(verdicts->pairs[0][0].shown == 0); /* another execution */
    pl_goals_see(&run, verdicts, table, 2, &w, WRITE_X);
    CHECK(verdicts->pairs[0][0].shown == 0 && verdicts->pairs[0][1].shown == 1);
    memset(verdicts, 0, sizeof(*verdicts));
}

static void the_second_waits_for_the_first_and_then_goes_on_at_once(void)
{
    begin(0, 1, 1); /* the read, then the write */
    come(1, WRITE_X, PL_OP_WRITE, X);
    come(2, READ_X, PL_OP_READ, X);
    CHECK(filter() == 1 && may[0] == 1);
    CHECK(!pl_aim_see(&aim, &at[2], WRITE_Y));
    CHECK(pl_aim_see(&aim, &at[2], READ_X));
    come(2, WRITE_Y, PL_OP_WRITE, Y);
    CHECK(filter() == 1 && may[0] == 0 && !aim.on);
}

static void another_object_is_not_it(void)
{
    begin(0, 1, 1);
    come(1, WRITE_X, PL_OP_WRITE, X);
    come(2, READ_X, PL_OP_READ, Y);
    CHECK(filter() == 1 && may[0] == 1);
    CHECK(!pl_aim_see(&aim, &at[2], READ_X));
}

static void the_way_is_straight_at_first(void)
{
    begin(1, 1, 0); /* the write of y before the read of it */
    come(1, WRITE_X, PL_OP_WRITE, X);
    come(2, READ_X, PL_OP_READ, X);
    CHECK(filter() == 1 && may[0] == 0); /* who can come to the read goes on, */
    come(1, READ_Y, PL_OP_READ, Y);
    CHECK(filter() == 1 && may[0] == 1); /* and waits there */
}

static void who_needs_a_lock_waits_before_it(void)
{
    begin(1, 1, 4);
    come(1, LOCK, PL_OP_MUTEX_LOCK, 0x3000);
    come(2, READ_X, PL_OP_READ, X);
    CHECK(filter() == 1 && may[0] == 1);
    CHECK(pl_aim_see(&aim, &(struct pl_operation){.tid = 2}, WRITE_Y));
    CHECK(filter() == 1 && may[0] == 0);
}

static void nobody_waits_if_nobody_else_can_go_on(void)
{
    const struct pl_operation *next[] = {&at[1]};
    struct pl_view view = {.kind = PL_CHOICE_THREAD, .options = 1, .next = next};

    begin(0, 1, 1);
    come(1, WRITE_X, PL_OP_WRITE, X);
    CHECK(pl_aim_filter(&aim, &view, may) == 1 && may[0] == 0 && aim.held.tid == PL_TID_NONE);
    CHECK(filter() == 2);
}

int main(void)
{
    make();
    each_open_order_has_its_turns();
    what_executions_show_is_noted();
    the_second_waits_for_the_first_and_then_goes_on_at_once();
    another_object_is_not_it();
    the_way_is_straight_at_first();
    who_needs_a_lock_waits_before_it();
    nobody_waits_if_nobody_else_can_go_on();
    free(verdicts);
    free(table);
    return unit_result();
}
