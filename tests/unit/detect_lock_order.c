/* SPDX-License-Identifier: MIT */
/*
 * The detector lock-order, told by hand what threads do: the circles that it predicts.
 */
#include "unit.h"

#include "detect_host.h"

enum { A = 0x1000, B = 0x2000, C = 0x3000, GATE = 0x4000, COND = 0x5000, ONCE = 0x6000 };

/* ---- what threads do ---- */

/* The place of an operation says who wants what. */
static uint64_t place(pl_tid tid, uint64_t addr)
{
    return addr + 0x100u * tid;
}

static void take(pl_tid tid, uint64_t addr, bool shared, bool tried)
{
    host_acquire((struct pl_sync){.kind = PL_SYNC_LOCK,
                                  .object = PL_OBJECT_MUTEX,
                                  .tid = tid,
                                  .addr = addr,
                                  .shared = shared,
                                  .tried = tried,
                                  .op = shared ? PL_OP_RWLOCK_READ : PL_OP_MUTEX_LOCK,
                                  .pc = place(tid, addr)});
}

static void lock(pl_tid tid, uint64_t addr)
{
    take(tid, addr, false, false);
}

static void unlock(pl_tid tid, uint64_t addr)
{
    host_unlock(tid, addr);
}

static void both(pl_tid tid, uint64_t first, uint64_t second)
{
    lock(tid, first);
    lock(tid, second);
    unlock(tid, second);
    unlock(tid, first);
}

static void create(pl_tid tid, pl_tid other)
{
    host_sync((struct pl_sync){.kind = PL_SYNC_CREATE, .tid = tid, .other = other});
}

static void join(pl_tid tid, pl_tid other)
{
    host_sync((struct pl_sync){
        .kind = PL_SYNC_JOIN, .tid = tid, .other = other, .op = PL_OP_THREAD_JOIN, .pc = 77});
}

static void create_all(pl_tid n)
{
    host_begin(&pl_lock_order);
    for (pl_tid i = 1; i <= n; i++)
        create(0, i);
}

/* ---- facts ---- */

static void two_orders_are_a_circle(void)
{
    create_all(2);
    both(1, A, B);
    CHECK(host.n_predicted == 0);
    both(2, B, A);
    CHECK(host.n_predicted == 1);
    const struct pl_cycle *c = &host.predicted[0];

    CHECK(c->n == 2);
    CHECK(c->members[0].tid == 2 && c->members[0].name == 102);
    CHECK(c->members[0].wants == A && c->members[0].wants_pc == place(2, A));
    CHECK(c->members[0].holds == B && c->members[0].holds_pc == place(2, B));
    CHECK(c->members[1].tid == 1);
    CHECK(c->members[1].wants == B && c->members[1].holds == A);
    CHECK(c->members[0].op == PL_OP_MUTEX_LOCK);
}

static void the_same_is_looked_at_once(void)
{
    create_all(2);
    for (int i = 0; i < 100; i++)
        both(1, A, B);
    size_t before = host.used;

    for (int i = 0; i < 100; i++)
        both(1, A, B);
    CHECK(host.used == before);
    for (int i = 0; i < 100; i++)
        both(2, B, A);
    CHECK(host.n_predicted == 1);
}

static void one_thread_is_no_circle(void)
{
    create_all(2);
    both(1, A, B);
    both(1, B, A);
    CHECK(host.n_predicted == 0);
}

static void a_common_gate_keeps_apart(void)
{
    create_all(2);
    lock(1, GATE);
    both(1, A, B);
    unlock(1, GATE);
    lock(2, GATE);
    both(2, B, A);
    CHECK(host.n_predicted == 0);
    unlock(2, GATE);
    both(2, B, A);
    CHECK(host.n_predicted == 1);
}

static void a_gate_that_both_read_does_not(void)
{
    create_all(3);
    take(1, GATE, true, false);
    both(1, A, B);
    take(2, GATE, true, false);
    both(2, B, A);
    CHECK(host.n_predicted == 1);
    take(3, GATE, false, false);
    both(3, B, A);
    CHECK(host.n_predicted == 1);
}

static void readers_do_not_wait_for_readers(void)
{
    create_all(3);
    take(1, A, true, false);
    take(1, B, true, false);
    take(2, B, true, false);
    take(2, A, true, false);
    CHECK(host.n_predicted == 0);
    take(3, B, true, false);
    take(3, A, false, false);
    CHECK(host.n_predicted == 0); /* 3 waits for 1, but 1 does not for 3 */
    CHECK(host.n_locks[3] == 2);
}

static void a_writer_waits_for_readers(void)
{
    create_all(2);
    take(1, A, true, false);
    take(1, B, false, false);
    unlock(1, B);
    unlock(1, A);
    take(2, B, true, false);
    take(2, A, false, false);
    CHECK(host.n_predicted == 1);
    CHECK(!host.predicted[0].members[0].shared && host.predicted[0].members[0].holds_shared);
}

static void what_is_tried_is_held_but_not_waited_for(void)
{
    create_all(2);
    both(1, A, B);
    lock(2, B);
    take(2, A, false, true);
    CHECK(host.n_predicted == 0);
    unlock(2, A);
    unlock(2, B);
    take(2, B, false, true);
    lock(2, A);
    CHECK(host.n_predicted == 1);
}

static void taking_it_again_is_no_waiting(void)
{
    create_all(2);
    take(1, A, true, false);
    take(1, B, true, false);
    take(1, A, true, false);
    take(2, A, false, false);
    take(2, B, false, false);
    CHECK(host.n_predicted == 0);
}

static void creation_orders(void)
{
    host_begin(&pl_lock_order);
    both(0, B, A);
    create(0, 1);
    both(1, A, B);
    CHECK(host.n_predicted == 0);
    both(0, B, A);
    CHECK(host.n_predicted == 1);
}

static void join_orders(void)
{
    create_all(1);
    both(1, A, B);
    join(0, 1);
    both(0, B, A);
    create(0, 2);
    both(2, B, A);
    CHECK(host.n_predicted == 0);
}

static void joins_are_handed_down(void)
{
    create_all(2);
    both(1, A, B);
    join(2, 1);
    create(2, 3);
    both(3, B, A);
    CHECK(host.n_predicted == 0);
    join(0, 2);
    create(0, 4);
    both(4, B, A);
    CHECK(host.n_predicted == 0);
}

static void circles_of_many(void)
{
    enum { N = PL_CYCLE_MAX };

    create_all(N + 1);
    for (pl_tid i = 1; i <= N; i++)
        both(i, 0x1000u * i, 0x1000u * (i % N + 1));
    CHECK(host.n_predicted == 1);
    CHECK(host.predicted[0].n == N);
    for (unsigned i = 0; i < N; i++)
        CHECK(host.predicted[0].members[i].wants == host.predicted[0].members[(i + 1) % N].holds);
    create_all(N + 1);
    for (pl_tid i = 1; i <= N + 1; i++)
        both(i, 0x1000u * i, 0x1000u * (i % (N + 1) + 1));
    CHECK(host.n_predicted == 0); /* one more than there is room for */
}

static void hand_over_hand_is_no_circle(void)
{
    create_all(2);
    for (pl_tid i = 1; i <= 2; i++) {
        lock(i, A);
        lock(i, B);
        unlock(i, A);
        lock(i, C);
        unlock(i, B);
        unlock(i, C);
    }
    CHECK(host.n_predicted == 0);
}

/* While it has the first, the thread takes the second, gives it up, and takes it again. */
static void twice(pl_tid tid, uint64_t first, uint64_t second)
{
    lock(tid, first);
    lock(tid, second);
    unlock(tid, second);
    lock(tid, second);
    unlock(tid, second);
    unlock(tid, first);
}

static void what_was_given_up_may_keep_apart(void)
{
    create_all(2);
    twice(1, A, B);
    both(2, B, A);
    CHECK(host.n_predicted == 2); /* at the first of 1 and at its second */
    create_all(2);
    twice(1, A, B);
    lock(2, B);
    lock(2, A);
    CHECK(host.n_predicted == 2);
    unlock(2, A);
    lock(2, A);
    /* With the first of 1 once more, but both second times cannot come together. */
    CHECK(host.n_predicted == 3);
}

static void condition(uint8_t kind, pl_tid tid, pl_tid other, bool timed)
{
    host_sync((struct pl_sync){.kind = kind,
                               .object = PL_OBJECT_COND,
                               .op = timed ? PL_OP_COND_TIMEDWAIT : PL_OP_COND_WAIT,
                               .tried = timed,
                               .tid = tid,
                               .other = other,
                               .addr = COND,
                               .pc = place(tid, COND)});
}

/* 1 waits with A in hand; 2 wakes it after it had B, which 3 has when it wants A. */
static void through_a_condition(bool timed, bool before)
{
    create_all(3);
    both(3, B, A);
    if (before) {
        lock(2, B);
        unlock(2, B);
        condition(PL_SYNC_SIGNAL, 2, PL_TID_NONE, false);
    }
    lock(1, A);
    condition(PL_SYNC_WAIT, 1, PL_TID_NONE, timed);
    if (!before) {
        lock(2, B);
        unlock(2, B);
    }
    condition(PL_SYNC_WAKE, 2, 1, false);
    condition(PL_SYNC_SIGNAL, 2, PL_TID_NONE, false);
}

static void a_signal_that_takes_locks_is_waited_for(void)
{
    through_a_condition(false, false);
    CHECK(host.n_predicted == 1);
    CHECK(host.predicted[0].n == 3);
    for (unsigned i = 0; i < 3; i++) {
        if (host.predicted[0].members[i].tid == 1)
            CHECK(host.predicted[0].members[i].wants == COND &&
                  host.predicted[0].members[i].op == PL_OP_COND_WAIT);
    }
    through_a_condition(true, false);
    CHECK(host.n_predicted == 0); /* it would not have waited for ever */
    through_a_condition(false, true);
    CHECK(host.n_predicted == 0); /* the lock was for the signal before */
}

static void ends_of_threads_are_waited_for(void)
{
    create_all(1);
    lock(1, A);
    unlock(1, A);
    lock(0, A);
    join(0, 1);
    CHECK(host.n_predicted == 1);
    CHECK(host.predicted[0].n == 2 && host.predicted[0].members[0].op == PL_OP_THREAD_JOIN);
    create_all(1);
    lock(1, A);
    unlock(1, A);
    join(0, 1);
    CHECK(host.n_predicted == 0);
}

static void initialise(pl_tid tid, uint64_t lock_inside)
{
    host_acquire((struct pl_sync){.kind = PL_SYNC_LOCK,
                                  .object = PL_OBJECT_ONCE,
                                  .tid = tid,
                                  .addr = ONCE,
                                  .op = PL_OP_ONCE});
    lock(tid, lock_inside);
    unlock(tid, lock_inside);
    unlock(tid, ONCE);
}

static void pass(pl_tid tid)
{
    host_sync((struct pl_sync){.kind = PL_SYNC_RECEIVE,
                               .object = PL_OBJECT_ONCE,
                               .tid = tid,
                               .addr = ONCE,
                               .op = PL_OP_ONCE});
}

static void initialisations_are_waited_for(void)
{
    create_all(2);
    initialise(1, A);
    lock(2, A);
    pass(2);
    CHECK(host.n_predicted == 1);
    create_all(2);
    initialise(1, A);
    pass(2);
    lock(2, A);
    pass(2);
    CHECK(host.n_predicted == 0); /* it knows that it is over */
}

static void fresh_memory_has_other_locks(void)
{
    create_all(2);
    both(1, A, B);
    pl_lock_order.fresh(0x10000000, 8 << 20);
    both(2, B, A);
    CHECK(host.n_predicted == 1);
    create_all(2);
    both(1, A, B);
    pl_lock_order.fresh(B - 0x10, 0x20);
    both(2, B, A);
    CHECK(host.n_predicted == 0);
}

static void no_room_is_no_harm(void)
{
    create_all(2);
    both(1, A, B);
    host.used = HOST_MEMORY;
    both(2, B, A);
    create(0, 3);
    both(3, B, A);
    join(0, 3);
    CHECK(host.n_predicted == 0);
    CHECK(host.full); /* and it is said */
}

int main(void)
{
    two_orders_are_a_circle();
    the_same_is_looked_at_once();
    one_thread_is_no_circle();
    a_common_gate_keeps_apart();
    a_gate_that_both_read_does_not();
    readers_do_not_wait_for_readers();
    a_writer_waits_for_readers();
    what_is_tried_is_held_but_not_waited_for();
    taking_it_again_is_no_waiting();
    creation_orders();
    join_orders();
    joins_are_handed_down();
    circles_of_many();
    hand_over_hand_is_no_circle();
    what_was_given_up_may_keep_apart();
    a_signal_that_takes_locks_is_waited_for();
    ends_of_threads_are_waited_for();
    initialisations_are_waited_for();
    fresh_memory_has_other_locks();
    no_room_is_no_harm();
    return unit_result();
}
