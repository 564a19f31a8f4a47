/* SPDX-License-Identifier: MIT */
/*
 * The detector lock-order, told by hand what threads do.  The host below keeps
 * the locks that threads have and collects predictions.
 */
#include "unit.h"

#include "detect/detector.h"
#include "detect/host.h"

#include <stdlib.h>

enum { THREADS = 12, LOCKS = 30, PREDICTED = 32, MEMORY = 64 << 20 };
enum { A = 0x1000, B = 0x2000, C = 0x3000, GATE = 0x4000, COND = 0x5000, ONCE = 0x6000 };

static unsigned char *memory;
static size_t used;
static struct pl_finding_lock held[THREADS][LOCKS];
static unsigned n_held[THREADS];
static struct pl_cycle predicted[PREDICTED];
static unsigned n_predicted;
static unsigned n_full;

void *pl_host_allocate(size_t size)
{
    size_t at = (used + 15) & ~(size_t)15;

    if (at + size > MEMORY)
        return NULL;
    used = at + size;
    return memory + at;
}

unsigned pl_host_locks(pl_tid tid, struct pl_finding_lock *locks, unsigned most)
{
    for (unsigned i = 0; i < n_held[tid] && i < most; i++)
        locks[i] = held[tid][i];
    return n_held[tid];
}

uint64_t pl_host_name(pl_tid tid)
{
    return 100 + tid;
}

void pl_host_predict(const struct pl_cycle *cycle)
{
    CHECK(n_predicted < PREDICTED);
    if (n_predicted < PREDICTED)
        predicted[n_predicted++] = *cycle;
}

void pl_host_full(void)
{
    n_full++;
}

uint32_t pl_host_stack(pl_tid tid)
{
    return 0;
}

unsigned pl_host_frames(uint32_t stack, uint64_t *frames, unsigned most)
{
    return 0;
}

uint64_t pl_host_relative(uint64_t pc)
{
    return pc;
}

struct pl_place pl_host_place(uint64_t addr, unsigned object_kind)
{
    return (struct pl_place){0};
}

struct pl_finding *pl_host_note(enum pl_finding_kind kind, uint64_t signature)
{
    return NULL;
}

/* ---- what threads do ---- */

static void begin(void)
{
    memset(memory, 0, used);
    used = 0;
    memset(n_held, 0, sizeof(n_held));
    n_predicted = n_full = 0;
    pl_lock_order.start();
}

static void tell(struct pl_sync s)
{
    pl_lock_order.sync(&s);
}

/* The place of an operation says who wants what. */
static uint64_t place(pl_tid tid, uint64_t addr)
{
    return addr + 0x100u * tid;
}

static void take(pl_tid tid, uint64_t addr, bool shared, bool tried)
{
    uint8_t op = shared ? PL_OP_RWLOCK_READ : PL_OP_MUTEX_LOCK;

    held[tid][n_held[tid]++] =
        (struct pl_finding_lock){.addr = addr, .shared = shared, .pc = place(tid, addr)};
    tell((struct pl_sync){.kind = PL_SYNC_LOCK,
                          .object = PL_OBJECT_MUTEX,
                          .tid = tid,
                          .addr = addr,
                          .shared = shared,
                          .tried = tried,
                          .op = op,
                          .pc = place(tid, addr)});
}

static void lock(pl_tid tid, uint64_t addr)
{
    take(tid, addr, false, false);
}

static void unlock(pl_tid tid, uint64_t addr)
{
    unsigned i = 0;

    while (held[tid][i].addr != addr)
        i++;
    for (n_held[tid]--; i < n_held[tid]; i++)
        held[tid][i] = held[tid][i + 1];
    tell((struct pl_sync){.kind = PL_SYNC_UNLOCK, .tid = tid, .addr = addr});
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
    tell((struct pl_sync){.kind = PL_SYNC_CREATE, .tid = tid, .other = other});
}

static void join(pl_tid tid, pl_tid other)
{
    tell((struct pl_sync){
        .kind = PL_SYNC_JOIN, .tid = tid, .other = other, .op = PL_OP_THREAD_JOIN, .pc = 77});
}

static void create_all(pl_tid n)
{
    begin();
    for (pl_tid i = 1; i <= n; i++)
        create(0, i);
}

/* ---- facts ---- */

static void two_orders_are_a_circle(void)
{
    create_all(2);
    both(1, A, B);
    CHECK(n_predicted == 0);
    both(2, B, A);
    CHECK(n_predicted == 1);
    const struct pl_cycle *c = &predicted[0];

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
    size_t before = used;

    for (int i = 0; i < 100; i++)
        both(1, A, B);
    CHECK(used == before);
    for (int i = 0; i < 100; i++)
        both(2, B, A);
    CHECK(n_predicted == 1);
}

static void one_thread_is_no_circle(void)
{
    create_all(2);
    both(1, A, B);
    both(1, B, A);
    CHECK(n_predicted == 0);
}

static void a_common_gate_keeps_apart(void)
{
    create_all(2);
    lock(1, GATE);
    both(1, A, B);
    unlock(1, GATE);
    lock(2, GATE);
    both(2, B, A);
    CHECK(n_predicted == 0);
    unlock(2, GATE);
    both(2, B, A);
    CHECK(n_predicted == 1);
}

static void a_gate_that_both_read_does_not(void)
{
    create_all(3);
    take(1, GATE, true, false);
    both(1, A, B);
    take(2, GATE, true, false);
    both(2, B, A);
    CHECK(n_predicted == 1);
    take(3, GATE, false, false);
    both(3, B, A);
    CHECK(n_predicted == 1);
}

static void readers_do_not_wait_for_readers(void)
{
    create_all(3);
    take(1, A, true, false);
    take(1, B, true, false);
    take(2, B, true, false);
    take(2, A, true, false);
    CHECK(n_predicted == 0);
    take(3, B, true, false);
    take(3, A, false, false);
    CHECK(n_predicted == 0); /* 3 waits for 1, but 1 does not for 3 */
    CHECK(n_held[3] == 2);
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
    CHECK(n_predicted == 1);
    CHECK(!predicted[0].members[0].shared && predicted[0].members[0].holds_shared);
}

static void what_is_tried_is_held_but_not_waited_for(void)
{
    create_all(2);
    both(1, A, B);
    lock(2, B);
    take(2, A, false, true);
    CHECK(n_predicted == 0);
    unlock(2, A);
    unlock(2, B);
    take(2, B, false, true);
    lock(2, A);
    CHECK(n_predicted == 1);
}

static void taking_it_again_is_no_waiting(void)
{
    create_all(2);
    take(1, A, true, false);
    take(1, B, true, false);
    take(1, A, true, false);
    take(2, A, false, false);
    take(2, B, false, false);
    CHECK(n_predicted == 0);
}

static void creation_orders(void)
{
    begin();
    both(0, B, A);
    create(0, 1);
    both(1, A, B);
    CHECK(n_predicted == 0);
    both(0, B, A);
    CHECK(n_predicted == 1);
}

static void join_orders(void)
{
    create_all(1);
    both(1, A, B);
    join(0, 1);
    both(0, B, A);
    create(0, 2);
    both(2, B, A);
    CHECK(n_predicted == 0);
}

static void joins_are_handed_down(void)
{
    create_all(2);
    both(1, A, B);
    join(2, 1);
    create(2, 3);
    both(3, B, A);
    CHECK(n_predicted == 0);
    join(0, 2);
    create(0, 4);
    both(4, B, A);
    CHECK(n_predicted == 0);
}

static void circles_of_many(void)
{
    enum { N = PL_CYCLE_MAX };

    create_all(N + 1);
    for (pl_tid i = 1; i <= N; i++)
        both(i, 0x1000u * i, 0x1000u * (i % N + 1));
    CHECK(n_predicted == 1);
    CHECK(predicted[0].n == N);
    for (unsigned i = 0; i < N; i++)
        CHECK(predicted[0].members[i].wants == predicted[0].members[(i + 1) % N].holds);
    create_all(N + 1);
    for (pl_tid i = 1; i <= N + 1; i++)
        both(i, 0x1000u * i, 0x1000u * (i % (N + 1) + 1));
    CHECK(n_predicted == 0); /* one more than there is room for */
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
    CHECK(n_predicted == 0);
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
    CHECK(n_predicted == 2); /* at the first of 1 and at its second */
    create_all(2);
    twice(1, A, B);
    lock(2, B);
    lock(2, A);
    CHECK(n_predicted == 2);
    unlock(2, A);
    lock(2, A);
    /* With the first of 1 once more, but both second times cannot come together. */
    CHECK(n_predicted == 3);
}

static void condition(uint8_t kind, pl_tid tid, pl_tid other, bool timed)
{
    tell((struct pl_sync){.kind = kind,
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
    CHECK(n_predicted == 1);
    CHECK(predicted[0].n == 3);
    for (unsigned i = 0; i < 3; i++) {
        if (predicted[0].members[i].tid == 1)
            CHECK(predicted[0].members[i].wants == COND &&
                  predicted[0].members[i].op == PL_OP_COND_WAIT);
    }
    through_a_condition(true, false);
    CHECK(n_predicted == 0); /* it would not have waited for ever */
    through_a_condition(false, true);
    CHECK(n_predicted == 0); /* the lock was for the signal before */
}

static void ends_of_threads_are_waited_for(void)
{
    create_all(1);
    lock(1, A);
    unlock(1, A);
    lock(0, A);
    join(0, 1);
    CHECK(n_predicted == 1);
    CHECK(predicted[0].n == 2 && predicted[0].members[0].op == PL_OP_THREAD_JOIN);
    create_all(1);
    lock(1, A);
    unlock(1, A);
    join(0, 1);
    CHECK(n_predicted == 0);
}

static void initialise(pl_tid tid, uint64_t lock_inside)
{
    held[tid][n_held[tid]++] = (struct pl_finding_lock){.addr = ONCE};
    tell((struct pl_sync){.kind = PL_SYNC_LOCK,
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
    tell((struct pl_sync){.kind = PL_SYNC_RECEIVE,
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
    CHECK(n_predicted == 1);
    create_all(2);
    initialise(1, A);
    pass(2);
    lock(2, A);
    pass(2);
    CHECK(n_predicted == 0); /* it knows that it is over */
}

static void fresh_memory_has_other_locks(void)
{
    create_all(2);
    both(1, A, B);
    pl_lock_order.fresh(0x10000000, 8 << 20);
    both(2, B, A);
    CHECK(n_predicted == 1);
    create_all(2);
    both(1, A, B);
    pl_lock_order.fresh(B - 0x10, 0x20);
    both(2, B, A);
    CHECK(n_predicted == 0);
}

static void no_room_is_no_harm(void)
{
    create_all(2);
    both(1, A, B);
    used = MEMORY;
    both(2, B, A);
    create(0, 3);
    both(3, B, A);
    join(0, 3);
    CHECK(n_predicted == 0);
    CHECK(n_full > 0); /* and it is said */
}

int main(void)
{
    memory = calloc(1, MEMORY);
    CHECK(memory != NULL);
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
    free(memory);
    return unit_result();
}
