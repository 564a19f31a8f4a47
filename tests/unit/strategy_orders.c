/* SPDX-License-Identifier: MIT */
/* Which orders are possible although no race leads to them, in executions written by hand. */
#include "unit.h"

#include "machine.h"
#include "strategy/hapset/orders.h"

#include <stdlib.h>
#include <string.h>

enum { MEMORY = 1 << 22, MOST = 128 };
enum { X = 0x1000, M = 0x2000, N = 0x2100, C = 0x3000 };

static struct pl_past past;
static struct pl_orders orders;
static struct pl_predecessors_event events[MOST];
static uint32_t ordinals[8];
static bool told[MOST][MOST];

static void begin(void)
{
    memset(ordinals, 0, sizeof(ordinals));
    pl_past_clear(&past);
}

static struct pl_operation operation(pl_tid tid, enum pl_op_kind kind, uint64_t addr)
{
    struct pl_operation op = machine_operation(kind, tid, addr);

    op.ordinal = ordinals[tid]++;
    return op;
}

/* The next event; its number is its statement. */
static uint32_t perform(struct pl_operation op)
{
    uint32_t e = past.n_events;

    op.statement = e;
    events[e] = pl_predecessors_event(&op);
    pl_past_push(&past, &op, false);
    pl_orders_note(&orders, &past, &op);
    return e;
}

static uint32_t event(pl_tid tid, enum pl_op_kind kind, uint64_t addr)
{
    return perform(operation(tid, kind, addr));
}

static void tell(void *to, uint32_t y, uint32_t x)
{
    CHECK(to == told);
    told[y][x] = true;
}

static void find(void)
{
    memset(told, 0, sizeof(told));
    pl_orders_find(&orders, &past, events, past.n_events, tell, told);
}

/* A lock that has nothing to do with them is handed on between. */
static void what_locks_order_by_chance(void)
{
    begin();
    uint32_t y = event(1, PL_OP_WRITE, X);

    event(1, PL_OP_MUTEX_LOCK, M);
    event(1, PL_OP_MUTEX_UNLOCK, M);
    event(2, PL_OP_MUTEX_LOCK, M);
    event(2, PL_OP_MUTEX_UNLOCK, M);
    uint32_t x = event(2, PL_OP_READ, X);

    find();
    CHECK(told[y][x]);
    CHECK(pl_past_before(&past, y, x)); /* so it is no race */
    CHECK(pl_orders_possible(&orders, &past, y, x));
    CHECK(pl_orders_obstacle(&orders, &past, y) == PL_PAST_NONE);
    CHECK(!pl_orders_hidden(&orders, &past, events, y, y, x));
}

/* Then the thread must stop before the section, also if it has another lock around it. */
static void what_is_in_critical_sections(void)
{
    begin();
    event(1, PL_OP_MUTEX_LOCK, N);
    uint32_t section = event(1, PL_OP_MUTEX_LOCK, M);
    uint32_t y = event(1, PL_OP_WRITE, X);

    event(1, PL_OP_MUTEX_UNLOCK, M);
    event(1, PL_OP_MUTEX_UNLOCK, N);
    event(2, PL_OP_MUTEX_LOCK, M);
    uint32_t x = event(2, PL_OP_READ, X);

    event(2, PL_OP_MUTEX_UNLOCK, M);
    CHECK(pl_orders_possible(&orders, &past, y, x));
    CHECK(pl_orders_obstacle(&orders, &past, y) == section);
    CHECK(pl_orders_obstacle(&orders, &past, section) == PL_PAST_NONE); /* nobody needs N */
    CHECK(!pl_orders_hidden(&orders, &past, events, section, y, x));
}

/* An earlier section of the same lock is over, and no obstacle. */
static void what_was_given_back(void)
{
    begin();
    event(1, PL_OP_MUTEX_LOCK, M);
    event(1, PL_OP_MUTEX_UNLOCK, M);
    uint32_t y = event(1, PL_OP_WRITE, X);

    event(2, PL_OP_MUTEX_LOCK, M);
    uint32_t x = event(2, PL_OP_READ, X);

    CHECK(pl_orders_possible(&orders, &past, y, x));
    CHECK(pl_orders_obstacle(&orders, &past, y) == PL_PAST_NONE);
}

/* A thread cannot do anything before it is created, nor before the signal that it waits for. */
static void what_is_needed(void)
{
    begin();
    uint32_t y = event(1, PL_OP_WRITE, X);
    struct pl_operation create = operation(1, PL_OP_THREAD_CREATE, 0);

    create.aux = 2;
    perform(create);
    event(2, PL_OP_THREAD_START, 0);
    uint32_t x = event(2, PL_OP_READ, X);

    CHECK(!pl_orders_possible(&orders, &past, y, x));
    begin();
    y = event(1, PL_OP_WRITE, X);
    struct pl_operation signal = operation(1, PL_OP_COND_SIGNAL, C), wake;
    uint32_t late;

    perform(signal);
    late = event(1, PL_OP_WRITE, X);
    wake = operation(2, PL_OP_COND_WAKE, C);
    wake.other = M;
    wake.waker = 1;
    wake.wake = signal.ordinal;
    perform(wake);
    x = event(2, PL_OP_READ, X);
    CHECK(!pl_orders_possible(&orders, &past, y, x));
    CHECK(pl_orders_possible(&orders, &past, late, x));
    CHECK(orders.floor == late);
}

/* In one section the thread of y, or that of x, touches it twice: only one of both is seen. */
static void what_hides_the_order(void)
{
    begin();
    uint32_t section = event(1, PL_OP_MUTEX_LOCK, M), first = event(1, PL_OP_READ, X);
    uint32_t y = event(1, PL_OP_WRITE, X);

    event(1, PL_OP_MUTEX_UNLOCK, M);
    event(2, PL_OP_MUTEX_LOCK, M);
    uint32_t x = event(2, PL_OP_READ, X), last = event(2, PL_OP_WRITE, X);

    event(2, PL_OP_MUTEX_UNLOCK, M);
    CHECK(pl_orders_possible(&orders, &past, y, last));
    CHECK(pl_orders_hidden(&orders, &past, events, section, y, last));  /* by `first` */
    CHECK(pl_orders_hidden(&orders, &past, events, section, first, x)); /* by `last` */
    CHECK(!pl_orders_hidden(&orders, &past, events, section, first, last));
}

/* Of the events of one statement and thread the last one counts. */
static void rounds_of_a_loop(void)
{
    begin();
    uint32_t earlier = event(1, PL_OP_WRITE, X), y = event(1, PL_OP_WRITE, X);

    events[y].statement = events[earlier].statement;
    uint32_t x = event(2, PL_OP_READ, X), other = event(3, PL_OP_READ, X);

    find();
    CHECK(told[y][x] && told[y][other] && !told[earlier][x]);
    CHECK(!told[x][other]); /* two reads */
}

static uint32_t first_before[MOST], last_after[MOST];

static void tell_end(void *to, uint32_t y, uint32_t x, bool first)
{
    CHECK(to == told);
    if (first)
        first_before[x] = y + 1;
    else
        last_after[y] = x + 1;
}

/* To come first, the last thread has to come before the first round; the first one after all. */
static void what_would_come_first_or_last(void)
{
    begin();
    memset(first_before, 0, sizeof(first_before));
    memset(last_after, 0, sizeof(last_after));
    uint32_t earlier = event(1, PL_OP_WRITE, X), later = event(1, PL_OP_WRITE, X);
    uint32_t between = event(2, PL_OP_READ, X), x = event(3, PL_OP_WRITE, X);

    events[later].statement = events[earlier].statement;
    find();
    pl_orders_ends(&orders, events, tell_end, told);
    CHECK(first_before[x] == earlier + 1 && first_before[between] == earlier + 1);
    CHECK(last_after[later] == x + 1 && last_after[between] == x + 1 && last_after[earlier] == 0);
    CHECK(first_before[earlier] == 0 && last_after[x] == 0);
}

/* Of many threads that do the same the first is known to the end. */
static void the_first_of_many(void)
{
    begin();
    memset(first_before, 0, sizeof(first_before));
    uint32_t earliest = event(1, PL_OP_WRITE, X);

    for (pl_tid i = 0; i < 100; i++) {
        uint32_t e = past.n_events;
        struct pl_operation op = machine_operation(PL_OP_WRITE, (pl_tid)(8 + i), X);

        perform(op);
        events[e].statement = events[earliest].statement;
    }
    uint32_t x = event(3, PL_OP_READ, X);

    find();
    pl_orders_ends(&orders, events, tell_end, told);
    CHECK(first_before[x] == earliest + 1);
    CHECK(told[x - 1][x] && told[earliest][x]);
}

int main(void)
{
    unsigned char *memory = calloc(2, MEMORY);

    pl_past_start(&past, memory, MEMORY);
    pl_orders_start(&orders, memory + MEMORY, MEMORY);
    what_locks_order_by_chance();
    what_is_in_critical_sections();
    what_was_given_back();
    what_is_needed();
    what_hides_the_order();
    rounds_of_a_loop();
    what_would_come_first_or_last();
    the_first_of_many();
    free(memory);
    return unit_result();
}
