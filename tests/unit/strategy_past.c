/* SPDX-License-Identifier: MIT */
/*
 * What the past finds again: operations and granules keep their numbers, however many there are,
 * and also if a process died while a table was being moved.
 */
#include "unit.h"

#include "strategy/dpor/past_parts.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY = 64 << 20, MANY = 5000 };

static struct pl_past past;

static struct pl_past_record step(uint32_t i)
{
    struct pl_past_record r = {.known = true, .op.kind = PL_OP_WRITE, .op.way = PL_WAY_NORMAL};

    r.op.addr = 4096 + 8 * (uint64_t)(i % 700);
    r.op.effect = PL_EFFECT_WRITE;
    r.op.ordinal = i;
    r.op.pc = i * 7; /* what does not matter for what it depends on */
    return r;
}

/* The first of each is number 1. */
static void find_all(void)
{
    for (uint32_t i = 0; i < MANY; i++) {
        struct pl_past_record r = step(i);

        CHECK(pl_past_record(&past, &r) == i + 1);
        CHECK(pl_past_race_cell(&past, 1000 + i) == i + 1);
    }
    CHECK(past.n_records == MANY + 1 && past.n_cells == MANY + 1 && !past.full);
}

/* Entries are lost, as if the process that moved them had died. */
static void die_moving(struct pl_past_index *x)
{
    memset(x->table.slots, 0, x->table.capacity / 2 * sizeof(uint64_t));
    x->moving = true;
}

static void numbers_stay(void)
{
    find_all();
    CHECK(past.by_contents.table.slots == past.by_contents.large); /* there were many enough */
    CHECK(past.by_granule.table.slots == past.by_granule.large);
    find_all();
    die_moving(&past.by_contents);
    die_moving(&past.by_granule);
    find_all();
    CHECK(!past.by_contents.moving && !past.by_granule.moving);
    pl_past_clear(&past);
    CHECK(past.by_contents.table.slots == past.by_contents.small);
    find_all();
}

/* Each event is in its own clock, and what it depends on. */
static void clocks_grow(void)
{
    pl_past_clear(&past);
    for (uint32_t i = 0; i < 40; i++) {
        struct pl_operation op = step(i).op;

        op.tid = (pl_tid)(i % 4);
        op.name = op.tid + 100u;
        op.addr = i % 2 ? 64 : 4096 + 64 * (uint64_t)op.tid;
        op.waker = PL_TID_NONE;
        pl_past_push(&past, &op, false);
        CHECK(pl_past_before(&past, i, i));
        CHECK(i < 4 || pl_past_before(&past, i - 4, i)); /* its thread's last */
        CHECK(i < 2 || i % 2 == 0 || pl_past_before(&past, i - 2, i));
        CHECK(i % 2 || i < 2 || !pl_past_before(&past, i - 2, i));
    }
    pl_past_pop(&past, 7);
    CHECK(past.n_events == 7 && past.threads[2].last == 6 && past.threads[3].last == 3);
}

static void push(pl_tid tid, uint64_t addr, enum pl_effect effect, uint64_t other)
{
    struct pl_operation op = {.kind = PL_OP_CALL, .way = PL_WAY_NORMAL, .tid = tid};

    op.name = tid + 100u;
    op.addr = addr;
    op.effect = (uint8_t)effect;
    op.other = other;
    op.other_effect = (uint8_t)(other != 0 ? PL_EFFECT_WRITE : PL_EFFECT_NONE);
    op.waker = PL_TID_NONE;
    op.ready = true;
    pl_past_push(&past, &op, false);
}

/* What happened before something else that the operation is in a race with is in none, on whatever
 * object. */
static void races_have_nothing_between(void)
{
    pl_past_clear(&past);
    push(0, 4096, PL_EFFECT_READ, 0);
    push(0, 8192, PL_EFFECT_WRITE, 0);
    push(1, 4096, PL_EFFECT_WRITE, 8192);
    CHECK(past.n_races == 1 && past.races[0].second == 2 && past.races[0].taken[0] == 1);
}

int main(void)
{
    unsigned char *memory = calloc(1, MEMORY);

    pl_past_start(&past, memory, MEMORY);
    numbers_stay();
    clocks_grow();
    races_have_nothing_between();
    free(memory);
    return unit_result();
}
