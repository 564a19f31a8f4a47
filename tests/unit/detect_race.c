/* SPDX-License-Identifier: MIT */
/*
 * The race detector, told of events by hand, with the host of detect_host.h.  That it is
 * right about any sequence of events is checked in detect_race_random.c.
 */
#include "unit.h"

#include "detect_host.h"

enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };
enum { X = 0x1000, FLAG = 0x2000, MUTEX = 0x3000, OTHER = 0x4000 };

/* Threads 1 and 2, made by thread 0. */
static void begin(void)
{
    host_begin(&pl_race);
    host_thread(PL_SYNC_CREATE, 0, 1);
    host_thread(PL_SYNC_CREATE, 0, 2);
}

static void lock(pl_tid tid, uint64_t addr)
{
    host_lock(tid, addr, false, addr + 1);
}

static void unlock(pl_tid tid, uint64_t addr)
{
    host_unlock(tid, addr);
}

static void an_unordered_pair_is_a_race(void)
{
    begin();
    host_write(1, X, 4, 11);
    host_read(2, X, 4, 22);
    CHECK(host.n_findings == 1);
    const struct pl_finding *f = &host.findings[0];

    CHECK(f->kind == PL_FINDING_RACE && f->n_accesses == 2 && f->pc == 22 && f->other_pc == 11);
    CHECK(f->accesses[0].tid == 1 && f->accesses[1].tid == 2);
    CHECK(f->accesses[0].addr == X && f->accesses[0].size == 4);
    CHECK_STR(f->text, "4 bytes are read that another thread has written, and nothing orders the "
                       "two");
}

static void two_statements_are_one_finding_in_either_order(void)
{
    uint64_t first;

    begin();
    host_write(1, X, 4, 11);
    host_read(2, X, 4, 22);
    first = host.findings[0].signature;
    begin();
    host_read(2, X, 4, 22);
    host_write(1, X, 4, 11);
    CHECK(host.n_findings == 1 && host.findings[0].signature == first);
    host_write(1, X + 8, 4, 11);
    host_read(2, X + 8, 4, 22);
    CHECK(host.n_findings == 1);
    host_write(2, X + 8, 4, 22);
    CHECK(host.n_findings == 2);
}

static void reads_are_no_race(void)
{
    begin();
    host_read(1, X, 4, 11);
    host_read(2, X, 4, 22);
    host_read(0, X, 4, 33);
    CHECK(host.n_findings == 0);
    host_write(1, X, 4, 12); /* both other readers */
    CHECK(host.n_findings == 2);
}

static void a_mutex_orders(void)
{
    begin();
    lock(1, MUTEX);
    host_write(1, X, 4, 11);
    unlock(1, MUTEX);
    lock(2, MUTEX);
    host_write(2, X, 4, 22);
    unlock(2, MUTEX);
    CHECK(host.n_findings == 0);
    host_write(1, X, 4, 12);
    CHECK(host.n_findings == 1);
}

static void another_mutex_does_not(void)
{
    begin();
    lock(1, MUTEX);
    host_write(1, X, 4, 11);
    unlock(1, MUTEX);
    lock(2, OTHER);
    host_write(2, X, 4, 22);
    unlock(2, OTHER);
    CHECK(host.n_findings == 1);
}

static void what_comes_after_the_release_is_not_covered(void)
{
    begin();
    lock(1, MUTEX);
    unlock(1, MUTEX);
    host_write(1, X, 4, 11);
    lock(2, MUTEX);
    host_write(2, X, 4, 22);
    CHECK(host.n_findings == 1);
}

static void readers_of_an_rwlock_order_writers_only(void)
{
    begin();
    host_lock(1, MUTEX, true, MUTEX + 1);
    host_write(1, X, 4, 11);
    host_write(1, X + 8, 4, 12);
    host_unlock(1, MUTEX);
    host_lock(2, MUTEX, true, MUTEX + 1);
    host_write(2, X, 4, 22);
    host_unlock(2, MUTEX);
    CHECK(host.n_findings == 1);
    host_lock(0, MUTEX, false, MUTEX + 1);
    host_write(0, X + 8, 4, 33);
    CHECK(host.n_findings == 1);
}

static void creation_and_join_order(void)
{
    host_begin(&pl_race);
    host_write(0, X, 4, 1);
    host_thread(PL_SYNC_CREATE, 0, 1);
    host_write(1, X, 4, 11);
    host_thread(PL_SYNC_EXIT, 1, PL_TID_NONE);
    host_thread(PL_SYNC_JOIN, 0, 1);
    host_write(0, X, 4, 2);
    host_thread(PL_SYNC_CREATE, 0, 2);
    host_write(2, X, 4, 22);
    CHECK(host.n_findings == 0);
    host_read(0, X, 4, 3);
    CHECK(host.n_findings == 1);
}

static void what_is_sent_is_received_until_it_is_reset(void)
{
    begin();
    host_write(1, X, 4, 11);
    host_object(PL_SYNC_SEND, 1, OTHER);
    host_object(PL_SYNC_RECEIVE, 2, OTHER);
    host_read(2, X, 4, 22);
    CHECK(host.n_findings == 0);
    host_object(PL_SYNC_RESET, 1, OTHER);
    host_object(PL_SYNC_RECEIVE, 0, OTHER);
    host_read(0, X, 4, 33);
    CHECK(host.n_findings == 1);
}

static void bytes_are_told_apart(void)
{
    begin();
    host_write(1, X + 3, 1, 11);
    host_write(2, X + 4, 4, 22);
    host_write(0, X, 3, 33);
    CHECK(host.n_findings == 0);
    host_read(2, X, 4, 23); /* bytes 0 to 3: of 0 and of 1 */
    CHECK(host.n_findings == 2);
    begin();
    host_write(1, X + 6, 4, 11); /* across two granules */
    host_write(2, X + 10, 1, 22);
    CHECK(host.n_findings == 0);
    host_write(2, X + 9, 1, 23);
    CHECK(host.n_findings == 1);
    CHECK(host.findings[0].accesses[0].addr == X + 6 && host.findings[0].accesses[0].size == 4);
    CHECK(host.findings[0].object.site == X + 9);
}

static void a_range_touches_all_of_it(void)
{
    begin();
    host_write(1, X + 100, 1, 11);
    host_access(2, X, 101, PL_ACCESS_READ | PL_ACCESS_RANGE, 0, 22);
    CHECK(host.n_findings == 1);
    host_access(2, X, 100, PL_ACCESS_READ | PL_ACCESS_RANGE, 0, 23);
    CHECK(host.n_findings == 1);
}

static void a_partly_overwritten_access_stays_for_the_rest(void)
{
    begin();
    lock(1, MUTEX);
    host_write(1, X, 8, 11);
    unlock(1, MUTEX);
    lock(2, MUTEX);
    host_write(2, X, 4, 22);
    unlock(2, MUTEX);
    CHECK(host.n_findings == 0);
    host_read(0, X + 4, 4, 33);
    CHECK(host.n_findings == 1 && host.findings[0].other_pc == 11);
}

static void one_race_does_not_hide_another(void)
{
    begin();
    host_write(1, X, 4, 11);
    host_write(2, X, 4, 22);
    host_read(0, X, 4, 33);
    CHECK(host.n_findings == 3);
    host_read(0, X, 4, 34);
    CHECK(host.n_findings == 5);
}

static void atomics_race_with_plain_accesses_only(void)
{
    begin();
    host_atomic(1, X, 4, PL_ACCESS_WRITE, RELAXED, 11);
    host_atomic(2, X, 4, PL_ACCESS_READ | PL_ACCESS_WRITE, RELAXED, 22);
    host_atomic(0, X, 4, PL_ACCESS_READ, RELAXED, 33);
    CHECK(host.n_findings == 0);
    host_read(0, X, 4, 34); /* both atomic writes */
    CHECK(host.n_findings == 2);
    begin();
    host_atomic(1, X, 4, PL_ACCESS_READ, SEQ_CST, 11);
    host_read(2, X, 4, 22);
    CHECK(host.n_findings == 0);
    host_write(2, X, 4, 23);
    CHECK(host.n_findings == 1);
}

/* Whether a store and a load with these orders order what is before and after them. */
static bool publishes(unsigned store, unsigned load)
{
    begin();
    host_write(1, X, 4, 11);
    host_atomic(1, FLAG, 4, PL_ACCESS_WRITE, store, 12);
    host_atomic(2, FLAG, 4, PL_ACCESS_READ, load, 22);
    host_read(2, X, 4, 23);
    return host.n_findings == 0;
}

static void all_orders_of_stores_and_loads(void)
{
    for (unsigned load = RELAXED; load <= SEQ_CST; load++) {
        bool acquires = load != RELAXED && load != RELEASE;

        CHECK(!publishes(RELAXED, load));
        CHECK(publishes(RELEASE, load) == acquires);
        CHECK(publishes(SEQ_CST, load) == acquires);
    }
}

static void a_failed_exchange_only_reads(void)
{
    begin();
    host_write(1, X, 4, 11);
    host_atomic(1, FLAG, 4, PL_ACCESS_READ, ACQ_REL, 12);
    host_atomic(2, FLAG, 4, PL_ACCESS_READ, ACQUIRE, 22);
    host_read(2, X, 4, 23);
    CHECK(host.n_findings == 1);
}

/* What happens to a release sequence of thread 1 at the hands of thread `by`. */
static bool goes_on(pl_tid by, unsigned flags)
{
    begin();
    host_write(1, X, 4, 11);
    host_atomic(1, FLAG, 4, PL_ACCESS_WRITE, RELEASE, 12);
    host_atomic(by, FLAG, 4, flags, RELAXED, 13);
    host_atomic(2, FLAG, 4, PL_ACCESS_READ, ACQUIRE, 22);
    host_read(2, X, 4, 23);
    return host.n_findings == 0;
}

static void release_sequences_go_on_through_updates_only(void)
{
    CHECK(goes_on(0, PL_ACCESS_READ | PL_ACCESS_WRITE));
    CHECK(goes_on(1, PL_ACCESS_READ | PL_ACCESS_WRITE));
    CHECK(!goes_on(0, PL_ACCESS_WRITE));
    CHECK(!goes_on(1, PL_ACCESS_WRITE)); /* since C++20 */
}

static void an_update_joins_what_it_releases_to_the_sequence(void)
{
    begin();
    host_write(1, X, 4, 11);
    host_atomic(1, FLAG, 4, PL_ACCESS_WRITE, RELEASE, 12);
    host_write(0, X + 8, 4, 31);
    host_atomic(0, FLAG, 4, PL_ACCESS_READ | PL_ACCESS_WRITE, RELEASE, 32);
    host_atomic(2, FLAG, 4, PL_ACCESS_READ, ACQUIRE, 22);
    host_read(2, X, 4, 23);
    host_read(2, X + 8, 4, 24);
    CHECK(host.n_findings == 0);
}

static void fences_release_and_acquire(void)
{
    for (unsigned order = RELAXED; order <= SEQ_CST; order++) {
        begin();
        host_write(1, X, 4, 11);
        host_fence(1, order);
        host_atomic(1, FLAG, 4, PL_ACCESS_WRITE, RELAXED, 12);
        host_atomic(2, FLAG, 4, PL_ACCESS_READ, ACQUIRE, 22);
        host_read(2, X, 4, 23);
        CHECK((host.n_findings == 0) == (order >= RELEASE));
        begin();
        host_write(1, X, 4, 11);
        host_atomic(1, FLAG, 4, PL_ACCESS_WRITE, RELEASE, 12);
        host_atomic(2, FLAG, 4, PL_ACCESS_READ, RELAXED, 22);
        host_fence(2, order);
        host_read(2, X, 4, 23);
        CHECK((host.n_findings == 0) == (order != RELAXED && order != RELEASE));
    }
}

static void a_fence_covers_what_is_before_it_only(void)
{
    begin();
    host_fence(1, RELEASE);
    host_write(1, X, 4, 11);
    host_atomic(1, FLAG, 4, PL_ACCESS_WRITE, RELAXED, 12);
    host_atomic(2, FLAG, 4, PL_ACCESS_READ, ACQUIRE, 22);
    host_read(2, X, 4, 23);
    CHECK(host.n_findings == 1);
    begin();
    host_write(1, X, 4, 11);
    host_atomic(1, FLAG, 4, PL_ACCESS_WRITE, RELEASE, 12);
    host_fence(2, ACQUIRE);
    host_atomic(2, FLAG, 4, PL_ACCESS_READ, RELAXED, 22);
    host_read(2, X, 4, 23);
    CHECK(host.n_findings == 1);
}

static void neighbouring_atomics_are_told_apart(void)
{
    begin();
    host_write(1, X, 4, 11);
    host_atomic(1, FLAG, 1, PL_ACCESS_WRITE, RELEASE, 12);
    host_atomic(2, FLAG + 1, 1, PL_ACCESS_READ, ACQUIRE, 22);
    host_read(2, X, 4, 23);
    CHECK(host.n_findings == 1);
    begin();
    host_write(1, X, 4, 11);
    host_atomic(1, FLAG + 12, 4, PL_ACCESS_WRITE, RELEASE, 12);
    host_atomic(2, FLAG, 16, PL_ACCESS_READ, ACQUIRE, 22); /* sees a part of another's store */
    host_read(2, X, 4, 23);
    CHECK(host.n_findings == 0);
}

static void fresh_memory_has_no_past(void)
{
    begin();
    host_write(1, X, 8, 11);
    host_write(1, X + 8, 8, 12);
    pl_race.fresh(X, 12);
    host_write(2, X, 8, 22);
    host_write(2, X + 8, 4, 23);
    CHECK(host.n_findings == 0);
    host_write(2, X + 12, 4, 24); /* beyond the fresh part */
    CHECK(host.n_findings == 1);
    begin();
    lock(1, MUTEX);
    host_write(1, X, 4, 11);
    unlock(1, MUTEX);
    pl_race.fresh(MUTEX & ~0xfffULL, 8 << 20); /* more than is known: the other way round */
    lock(2, MUTEX);
    host_write(2, X, 4, 22);
    CHECK(host.n_findings == 1);
}

static void a_freed_block_is_written(void)
{
    begin();
    host_read(1, X + 40, 4, 11);
    host_access(2, X, 64, PL_ACCESS_WRITE | PL_ACCESS_FREE, 0, 22);
    CHECK(host.n_findings == 1);
    CHECK_STR(host.findings[0].text,
              "64 bytes are freed that another thread has read, and nothing orders the two");
}

static void a_pointer_to_functions_written_as_it_was_is_read(void)
{
    begin();
    host_access(1, X, 8, PL_ACCESS_WRITE | PL_ACCESS_VPTR | PL_ACCESS_SAME, 0, 11);
    host_access(2, X, 8, PL_ACCESS_READ | PL_ACCESS_VPTR, 0, 22);
    CHECK(host.n_findings == 0);
    host_access(1, X, 8, PL_ACCESS_WRITE | PL_ACCESS_VPTR, 0, 12);
    CHECK(host.n_findings == 1);
}

static void locks_and_stacks_of_both_accesses_are_told(void)
{
    begin();
    lock(1, MUTEX);
    lock(1, OTHER);
    host.stacks[1] = 7;
    host_write(1, X, 4, 11);
    unlock(1, OTHER);
    unlock(1, MUTEX);
    host.stacks[2] = 8;
    host_write(2, X, 4, 22);
    CHECK(host.n_findings == 1);
    const struct pl_finding_access *a = host.findings[0].accesses;

    CHECK(a[0].n_locks == 2 && a[0].locks[0].addr == MUTEX && a[0].locks[1].addr == OTHER);
    CHECK(a[1].n_locks == 0);
    CHECK(a[0].n_frames == 1 && a[0].frames[0] == 7 && a[1].frames[0] == 8);
    host_write(1, X, 4, 12);
    CHECK(host.n_findings == 2 && host.findings[1].accesses[1].n_locks == 0);
}

/* Many threads and many granules: the tables grow. */
static void nothing_is_lost_when_tables_grow(void)
{
    enum { THREADS = 100, CELLS = 20000 };

    host_begin(&pl_race);
    for (pl_tid i = 1; i < THREADS; i++)
        host_thread(PL_SYNC_CREATE, 0, i);
    for (uint64_t i = 0; i < CELLS; i++)
        host_write(1 + (pl_tid)(i % (THREADS - 1)), X + i * 8, 8, 1 + i % (THREADS - 1));
    CHECK(host.n_findings == 0);
    for (uint64_t i = 1; i <= 64; i++)
        host_read(1, X + i * 8, 8, 1000 + i);
    CHECK(host.n_findings == 64);
    for (pl_tid i = 1; i < THREADS; i++)
        host_thread(PL_SYNC_JOIN, 0, i);
    for (uint64_t i = 0; i < CELLS; i++)
        host_write(0, X + i * 8, 8, 500);
    CHECK(host.n_findings == 64);
    host_thread(PL_SYNC_CREATE, 0, THREADS);
    host_read(THREADS, X + (CELLS - 1) * 8, 8, 600);
    CHECK(host.n_findings == 64);
    host_write(0, X + (CELLS - 1) * 8, 8, 501);
    CHECK(host.n_findings == 65);
}

/* Memory put back is a state put back: the same events give the same answers. */
static void a_state_put_back_gives_the_same_answers(void)
{
    begin();
    host_write(1, X, 4, 11);
    host_save();
    for (unsigned i = 0; i < 3; i++) {
        host_write(2, X, 4, 22);
        lock(0, MUTEX);
        host_write(0, X + 8, 4, 33);
        unlock(0, MUTEX);
        host_read(1, X + 8, 4, 12);
        CHECK(host.n_findings == 2);
        host_restore();
        CHECK(host.n_findings == 0);
    }
    host_read(1, X + 8, 4, 12); /* of what was undone nothing is known */
    CHECK(host.n_findings == 0);
}

static void without_memory_nothing_is_claimed(void)
{
    begin();
    host.room = 64;
    host.used = 0;
    pl_race.start();
    host_write(1, X, 4, 11);
    lock(1, MUTEX);
    CHECK(host.n_findings == 0);
    begin();
    host.room = host.used;
    for (unsigned i = 0; i < 100; i++) {
        lock(1, MUTEX + i * 64);
        host_write(1, X, 4, 11);
        unlock(1, MUTEX + i * 64);
        lock(2, MUTEX + i * 64);
        host_write(2, X, 4, 22);
        unlock(2, MUTEX + i * 64);
    }
    CHECK(host.n_findings == 0 && host.full);
}

int main(void)
{
    an_unordered_pair_is_a_race();
    two_statements_are_one_finding_in_either_order();
    reads_are_no_race();
    a_mutex_orders();
    another_mutex_does_not();
    what_comes_after_the_release_is_not_covered();
    readers_of_an_rwlock_order_writers_only();
    creation_and_join_order();
    what_is_sent_is_received_until_it_is_reset();
    bytes_are_told_apart();
    a_range_touches_all_of_it();
    a_partly_overwritten_access_stays_for_the_rest();
    one_race_does_not_hide_another();
    atomics_race_with_plain_accesses_only();
    all_orders_of_stores_and_loads();
    a_failed_exchange_only_reads();
    release_sequences_go_on_through_updates_only();
    an_update_joins_what_it_releases_to_the_sequence();
    fences_release_and_acquire();
    a_fence_covers_what_is_before_it_only();
    neighbouring_atomics_are_told_apart();
    fresh_memory_has_no_past();
    a_freed_block_is_written();
    a_pointer_to_functions_written_as_it_was_is_read();
    locks_and_stacks_of_both_accesses_are_told();
    nothing_is_lost_when_tables_grow();
    a_state_put_back_gives_the_same_answers();
    without_memory_nothing_is_claimed();
    return unit_result();
}
