/* SPDX-License-Identifier: MIT */
/* The analysis held against executions: which conflicts are contradictions. */
#include "unit.h"

#include "model/pair_check.h"
#include "trace/pairs.h"

#include <stdlib.h>

enum { WRITE_A, WRITE_B, READ_C, LOCK_A, LOCK_B, SITES };
enum { X = 0x1000, Y = 0x1010, M = 0x2000 };

static struct pl_pair_table *table;
static struct pl_pair_check check;

/* The first two are a pair, and so are the locks. */
static void make(void)
{
    struct pl_pairs_site sites[SITES] = {0};
    struct pl_pairs_pair pairs[] = {{.pair = {.a = WRITE_A, .b = WRITE_B, .kind = PL_PAIR_RW}},
                                    {.pair = {.a = LOCK_A, .b = LOCK_B, .kind = PL_PAIR_MM}}};
    struct pl_pairs_parts parts = {.sites = sites, .n_sites = SITES, .pairs = pairs, .n_pairs = 2};

    for (unsigned i = 0; i < SITES; i++)
        sites[i].site.position = sites[i].site.target = PL_PAIR_NONE;
    table = pl_pairs_pack(&parts);
}

/* A thread performs something while it holds a lock, or none; true when that is a contradiction. */
static bool act(pl_tid tid, unsigned kind, uint64_t addr, uint32_t site, uint64_t held)
{
    struct pl_operation op = {.kind = (uint8_t)kind,
                              .tid = tid,
                              .addr = addr,
                              .size = 4,
                              .effect = (uint8_t)pl_operation_effect(kind)};

    return pl_pair_check_see(&check, table, &op, site, &held, held != 0) != NULL;
}

static void thread(pl_tid tid, unsigned kind, unsigned other)
{
    struct pl_operation op = {.kind = (uint8_t)kind, .tid = tid, .aux = other};

    pl_pair_check_see(&check, table, &op, PL_PAIR_NONE, NULL, 0);
}

static void what_is_in_no_pair_is_a_contradiction(void)
{
    pl_pair_check_begin(&check);
    CHECK(!act(1, PL_OP_WRITE, X, WRITE_A, 0));
    CHECK(!act(2, PL_OP_WRITE, X, WRITE_B, 0)); /* a pair */
    pl_pair_check_begin(&check);
    CHECK(!act(1, PL_OP_WRITE, X, WRITE_A, 0));
    CHECK(!act(1, PL_OP_READ, X, READ_C, 0)); /* the same thread */
    CHECK(!act(2, PL_OP_READ, X + 4, READ_C, 0));
    CHECK(act(2, PL_OP_READ, X, READ_C, 0));
    CHECK(act(3, PL_OP_WRITE, X, WRITE_A, 0)); /* with itself, in another thread */
}

/* Who comes to memory that has been freed comes to another block, unless it is an error anyway. */
static void memory_that_is_used_again_is_another_object(void)
{
    pl_pair_check_begin(&check);
    CHECK(!act(1, PL_OP_WRITE, X, WRITE_A, 0));
    CHECK(!act(1, PL_OP_FREE, X, WRITE_A, 0));
    CHECK(!act(2, PL_OP_READ, X, READ_C, 0));
    CHECK(act(3, PL_OP_FREE, X, WRITE_A, 0)); /* that one is in use */
}

/* A base is one address in each thread. */
static void what_is_settled_does_not_change(void)
{
    struct pl_pairs_site sites[2] = {{.site = {.base = 1, .size = 4}},
                                     {.site = {.base = 1, .offset = 8, .size = 4}}};
    struct pl_pairs_parts parts = {.sites = sites, .n_sites = 2};
    struct pl_operation op = {.kind = PL_OP_READ, .tid = 1, .addr = X, .size = 4};

    for (unsigned i = 0; i < 2; i++)
        sites[i].site.position = sites[i].site.target = PL_PAIR_NONE;
    struct pl_pair_table *t = pl_pairs_pack(&parts);

    pl_pair_check_begin(&check);
    CHECK(pl_pair_check_address(&check, t, &op, 0));
    op.addr = X + 8;
    CHECK(pl_pair_check_address(&check, t, &op, 1) && !pl_pair_check_address(&check, t, &op, 0));
    op.tid = 2;
    CHECK(pl_pair_check_address(&check, t, &op, 0)); /* another thread has another */
    free(t);
}

static void locks_that_both_hold_and_creation_order_accesses(void)
{
    pl_pair_check_begin(&check);
    CHECK(!act(1, PL_OP_WRITE, X, WRITE_A, M));
    CHECK(!act(2, PL_OP_READ, X, READ_C, M));
    CHECK(act(3, PL_OP_READ, X, READ_C, M + 8));
    pl_pair_check_begin(&check);
    CHECK(!act(0, PL_OP_WRITE, X, WRITE_A, 0));
    thread(0, PL_OP_THREAD_CREATE, 1);
    CHECK(!act(1, PL_OP_READ, X, READ_C, 0)); /* created after the write */
    thread(0, PL_OP_THREAD_JOIN, 1);
    CHECK(!act(0, PL_OP_WRITE, X, WRITE_B, 0)); /* joined before it */
    CHECK(!act(0, PL_OP_WRITE, X, WRITE_A, 0));
    thread(0, PL_OP_THREAD_CREATE, 2);
    CHECK(!act(2, PL_OP_WRITE, X, WRITE_B, 0));
    CHECK(!act(0, PL_OP_WRITE, X, WRITE_A, 0)); /* a pair */
    CHECK(act(0, PL_OP_WRITE, X, WRITE_B, 0));  /* and this is none */
}

static void objects_are_told_apart_by_kind(void)
{
    pl_pair_check_begin(&check);
    CHECK(!act(1, PL_OP_MUTEX_LOCK, M, LOCK_A, 0));
    CHECK(!act(2, PL_OP_MUTEX_UNLOCK, M, READ_C, 0)); /* no contention */
    CHECK(!act(2, PL_OP_MUTEX_LOCK, M, LOCK_B, 0));
    CHECK(act(2, PL_OP_MUTEX_LOCK, M, READ_C, 0));
    pl_pair_check_begin(&check);
    CHECK(!act(1, PL_OP_MUTEX_LOCK, M, LOCK_A, 0));
    CHECK(!act(2, PL_OP_READ, M + 4, READ_C, 0));
    CHECK(act(2, PL_OP_READ, M - 1, READ_C, 0)); /* the lock is copied */
    CHECK(pl_pair_kind_of(PL_OP_MUTEX_LOCK, PL_OP_MUTEX_LOCK) == PL_PAIR_MM);
    CHECK(pl_pair_kind_of(PL_OP_RWLOCK_READ, PL_OP_RWLOCK_READ) == PL_PAIR_KINDS);
    CHECK(pl_pair_kind_of(PL_OP_RWLOCK_READ, PL_OP_RWLOCK_WRITE) == PL_PAIR_MM);
    CHECK(pl_pair_kind_of(PL_OP_MUTEX_TRYLOCK, PL_OP_MUTEX_UNLOCK) == PL_PAIR_TRY);
    CHECK(pl_pair_kind_of(PL_OP_COND_WAIT, PL_OP_COND_SIGNAL) == PL_PAIR_WN);
    CHECK(pl_pair_kind_of(PL_OP_COND_WAIT, PL_OP_COND_WAIT) == PL_PAIR_KINDS);
    CHECK(pl_pair_kind_of(PL_OP_COND_WAKE, PL_OP_MUTEX_LOCK) == PL_PAIR_WM);
    CHECK(pl_pair_kind_of(PL_OP_COND_WAKE, PL_OP_COND_WAKE) == PL_PAIR_WW);
    CHECK(pl_pair_kind_of(PL_OP_SEM_POST, PL_OP_SEM_POST) == PL_PAIR_KINDS);
    CHECK(pl_pair_kind_of(PL_OP_SEM_POST, PL_OP_SEM_WAIT) == PL_PAIR_SEM);
}

/* Three threads meet twice; in the second round the first of them hurries on. */
static void barriers_order_accesses(void)
{
    pl_pair_check_begin(&check);
    CHECK(!act(1, PL_OP_WRITE, X, WRITE_A, 0));
    for (pl_tid t = 1; t <= 3; t++)
        CHECK(!act(t, PL_OP_BARRIER_WAIT, M, PL_PAIR_NONE, 0));
    CHECK(!act(1, PL_OP_BARRIER_LEAVE, M, PL_PAIR_NONE, 0));
    CHECK(!act(2, PL_OP_BARRIER_LEAVE, M, PL_PAIR_NONE, 0));
    CHECK(!act(2, PL_OP_READ, X, READ_C, 0)); /* what was written lies behind it */
    CHECK(!act(1, PL_OP_WRITE, Y, WRITE_A, 0));
    CHECK(!act(1, PL_OP_BARRIER_WAIT, M, PL_PAIR_NONE, 0));
    CHECK(!act(3, PL_OP_BARRIER_LEAVE, M, PL_PAIR_NONE, 0)); /* the round before */
    CHECK(act(3, PL_OP_READ, Y, READ_C, 0));
}

static void what_cannot_be_reached_any_more_is_not_come_to(void)
{
    struct pl_pairs_site sites[2] = {{.site = {.position = 0, .target = 0}},
                                     {.site = {.position = 1, .target = 1}}};
    struct pl_pair_position positions[] = {{0, 0, 1}, {1, 1, 2}};
    struct pl_pair_place places[] = {{.pc = 0x10, .position = 0}, {.pc = 0x20, .position = 1}};
    uint64_t rows[] = {3, 2, 0};
    uint32_t targets[] = {0, 1};
    struct pl_pairs_parts parts = {.sites = sites,
                                   .n_sites = 2,
                                   .positions = positions,
                                   .n_positions = 2,
                                   .places = places,
                                   .n_places = 2,
                                   .rows = rows,
                                   .n_rows = 3,
                                   .targets = targets,
                                   .n_targets = 2};
    struct pl_pair_table *t = pl_pairs_pack(&parts);
    uint64_t first = 0x10, second = 0x20;

    pl_pair_check_begin(&check);
    CHECK(pl_pair_check_come(&check, t, 1, &first, 1, true, 0));
    CHECK(pl_pair_check_come(&check, t, 1, &second, 1, true, 1));
    CHECK(pl_pair_check_come(&check, t, 2, &first, 1, true, 0)); /* another thread */
    CHECK(!pl_pair_check_come(&check, t, 1, &first, 1, true, 0));
    CHECK(pl_pair_check_come(&check, t, 1, &first, 1, true, 0)); /* another part of the same call */
    CHECK(pl_pair_check_come(&check, t, 2, &second, 1, false, 1));
    CHECK(pl_pair_check_come(&check, t, 2, &first, 1, true, 0)); /* who knows what lies below */
    free(t);
}

int main(void)
{
    make();
    what_cannot_be_reached_any_more_is_not_come_to();
    what_is_in_no_pair_is_a_contradiction();
    memory_that_is_used_again_is_another_object();
    what_is_settled_does_not_change();
    locks_that_both_hold_and_creation_order_accesses();
    objects_are_told_apart_by_kind();
    barriers_order_accesses();
    free(table);
    return unit_result();
}
