/* SPDX-License-Identifier: MIT */
/* Eraser: which orders of accesses and locks it complains about, and about which bytes. */
#include "unit.h"

#include "detect/locks.h"
#include "detect_host.h"

enum { A = 0xa000, B = 0xb000, C = 0xc000 }; /* locks */
enum { X = 0x1000 };

static void begin(void)
{
    host_begin(&pl_lockset);
}

static void touch(pl_tid tid, unsigned flags, uint64_t addr, uint64_t size, uint64_t pc)
{
    host_access(tid, addr, size, flags, 0, pc);
}

static void reads(pl_tid tid, uint64_t addr, uint64_t size)
{
    touch(tid, PL_ACCESS_READ, addr, size, 100 + tid);
}

static void writes(pl_tid tid, uint64_t addr, uint64_t size)
{
    touch(tid, PL_ACCESS_WRITE, addr, size, 200 + tid);
}

static void lock(pl_tid tid, uint64_t addr)
{
    host_lock(tid, addr, false, addr + 1);
}

static void lock_shared(pl_tid tid, uint64_t addr)
{
    host_lock(tid, addr, true, addr + 2);
}

static void unlock(pl_tid tid, uint64_t addr)
{
    host_unlock(tid, addr);
}

static void write_with(pl_tid tid, uint64_t addr)
{
    lock(tid, addr);
    writes(tid, X, 4);
    unlock(tid, addr);
}

static void the_first_thread_needs_no_lock(void)
{
    begin();
    writes(1, X, 4);
    reads(1, X, 4);
    write_with(1, A);
    writes(1, X, 4);
    CHECK(host.n_findings == 0);
}

static void reading_together_needs_no_lock(void)
{
    begin();
    writes(1, X, 4);
    reads(2, X, 4);
    reads(3, X, 4);
    reads(1, X, 4);
    CHECK(host.n_findings == 0);
}

static void a_write_by_the_second_needs_one(void)
{
    begin();
    reads(1, X, 4);
    writes(2, X, 4);
    CHECK(host.n_findings == 1);
}

static void a_write_to_shared_memory_needs_one(void)
{
    begin();
    reads(1, X, 4);
    reads(2, X, 4);
    CHECK(host.n_findings == 0);
    writes(1, X, 4);
    CHECK(host.n_findings == 1);
}

/* Reads leave candidates out although nothing is said while nobody writes. */
static void reads_refine_silently(void)
{
    begin();
    reads(1, X, 4);
    lock(2, A);
    reads(2, X, 4);
    unlock(2, A);
    reads(3, X, 4);
    CHECK(host.n_findings == 0);
    write_with(1, A);
    CHECK(host.n_findings == 1);
}

static void one_lock_for_all_is_enough(void)
{
    begin();
    for (pl_tid t = 1; t < 5; t++) {
        write_with(t, A);
        write_with(t, A);
    }
    CHECK(host.n_findings == 0);
    writes(2, X, 4);
    CHECK(host.n_findings == 1);
}

static void of_two_locks_the_common_one_counts(void)
{
    begin();
    write_with(1, A);
    lock(2, B);
    lock(2, A);
    writes(2, X, 4);
    unlock(2, B);
    unlock(2, A);
    lock(3, A);
    lock(3, C);
    writes(3, X, 4);
    CHECK(host.n_findings == 0);
    unlock(3, A);
    writes(3, X, 4); /* with c, which 2 did not have */
    CHECK(host.n_findings == 1);
}

/* Each pair of threads has a lock in common, all three have none. */
static void locks_in_pairs_are_not_enough(void)
{
    begin();
    lock(1, A);
    lock(1, B);
    writes(1, X, 4); /* the first has it for itself */
    lock(2, B);
    lock(2, C);
    writes(2, X, 4);
    unlock(2, B);
    unlock(2, C);
    lock(3, C);
    lock(3, A);
    writes(3, X, 4);
    CHECK(host.n_findings == 0);
    writes(1, X, 4);
    CHECK(host.n_findings == 1);
}

static void writers_must_hold_it_for_writing(void)
{
    begin();
    reads(1, X, 4);
    lock_shared(2, A);
    reads(2, X, 4);
    unlock(2, A);
    write_with(3, A);
    lock_shared(1, A);
    reads(1, X, 4);
    CHECK(host.n_findings == 0);
    writes(1, X, 4);
    CHECK(host.n_findings == 1);
    CHECK(host.findings[0].accesses[1].n_locks == 1 &&
          host.findings[0].accesses[1].locks[0].shared);
}

static void it_is_said_once(void)
{
    begin();
    writes(1, X, 4);
    writes(2, X, 4);
    writes(1, X, 4);
    touch(2, PL_ACCESS_READ, X, 4, 999);
    CHECK(host.n_findings == 1);
    writes(1, X + 64, 4); /* another one at the same places: an array, most likely */
    writes(2, X + 64, 4);
    CHECK(host.n_findings == 1);
    touch(1, PL_ACCESS_WRITE, X + 64, 4, 300); /* it has been said of this memory */
    CHECK(host.n_findings == 1);
    touch(1, PL_ACCESS_WRITE, X + 128, 4, 300);
    touch(2, PL_ACCESS_WRITE, X + 128, 4, 301);
    CHECK(host.n_findings == 2);
    CHECK(host.findings[0].signature != host.findings[1].signature);
}

/* The finding is about the memory, whoever comes first and wherever. */
static void the_signature_is_that_of_the_memory(void)
{
    begin();
    writes(1, X, 4);
    writes(2, X, 4);
    uint64_t signature = host.findings[0].signature;

    begin();
    reads(2, X, 4);
    touch(1, PL_ACCESS_WRITE, X, 4, 777);
    CHECK(host.n_findings == 1 && host.findings[0].signature == signature);
}

static void both_accesses_are_told(void)
{
    begin();
    host.stacks[2] = 42;
    lock(1, B);
    writes(1, X, 4);
    lock(2, A);
    writes(2, X, 4);
    unlock(2, A);
    writes(1, X, 4);
    CHECK(host.n_findings == 1 && host.findings[0].n_accesses == 2);
    const struct pl_finding_access *then = &host.findings[0].accesses[0];
    const struct pl_finding_access *now = &host.findings[0].accesses[1];

    CHECK(then->tid == 2 && then->pc == 202 && then->size == 4 && then->addr == X);
    CHECK(then->n_frames == 1 && then->frames[0] == 42);
    CHECK(then->n_locks == 1 && then->locks[0].addr == A && then->locks[0].pc == A + 1);
    CHECK(then->locks[0].place.site == A);
    CHECK(now->tid == 1 && now->pc == 201 && now->flags == PL_ACCESS_WRITE);
    CHECK(now->n_locks == 1 && now->locks[0].addr == B);
    CHECK(host.findings[0].tid == 1 && host.findings[0].pc == 201 &&
          host.findings[0].object.site == X);
}

/* Of earlier accesses by others one that conflicts is the better witness. */
static void a_write_is_told_rather_than_a_read(void)
{
    begin();
    reads(1, X, 4);
    lock(2, A);
    writes(2, X, 4);
    reads(2, X, 4);
    unlock(2, A);
    lock(3, A);
    reads(3, X, 4);
    unlock(3, A);
    reads(1, X, 4);
    CHECK(host.n_findings == 1);
    CHECK(host.findings[0].accesses[0].tid == 2);
    CHECK(host.findings[0].accesses[0].flags == PL_ACCESS_WRITE);
}

static void neighbours_do_not_matter(void)
{
    begin();
    for (unsigned i = 0; i < 8; i++)
        writes((pl_tid)(1 + i % 4), X + i, 1);
    writes(1, X + 8, 4);
    writes(2, X + 12, 4);
    CHECK(host.n_findings == 0);
}

static void overlaps_of_different_sizes_are_seen(void)
{
    begin();
    writes(1, X, 8);
    writes(2, X + 7, 1);
    CHECK(host.n_findings == 1);
    CHECK(host.findings[0].object.site == X + 7);

    begin();
    writes(1, X + 2, 4);
    writes(2, X + 6, 2); /* beside it */
    writes(2, X, 2);
    CHECK(host.n_findings == 0);
    writes(3, X + 5, 2); /* over the end of one and the beginning of the other */
    CHECK(host.n_findings == 2);
    CHECK(host.findings[0].object.site == X + 5 && host.findings[1].object.site == X + 6);

    begin();
    writes(1, X + 6, 4); /* over the border of two granules */
    reads(2, X + 10, 2);
    writes(2, X, 6);
    CHECK(host.n_findings == 0);
    writes(2, X + 9, 1);
    CHECK(host.n_findings == 1 && host.findings[0].object.site == X + 9);
}

static void a_long_access_touches_all_of_it(void)
{
    begin();
    writes(1, X + 3, 1000);
    writes(2, X, 3);
    writes(2, X + 1003, 8);
    CHECK(host.n_findings == 0);
    writes(2, X + 1002, 1);
    CHECK(host.n_findings == 1);
    CHECK(host.findings[0].accesses[0].addr == X + 3 && host.findings[0].accesses[0].size == 1000);
}

static void fresh_memory_is_virgin(void)
{
    begin();
    writes(1, X, 8);
    writes(2, X + 8, 8);
    pl_lockset.fresh(X, 16);
    writes(2, X, 8);
    writes(1, X + 8, 8);
    CHECK(host.n_findings == 0);
    writes(1, X, 8);
    CHECK(host.n_findings == 1);
    pl_lockset.fresh(X, 16);
    writes(3, X, 8);
    CHECK(host.n_findings == 1);
    touch(4, PL_ACCESS_WRITE, X, 8, 400); /* said again: it is another object */
    CHECK(host.n_findings == 1);          /* by the detector; the host knows the signature */
}

static void a_part_can_be_fresh(void)
{
    begin();
    writes(1, X, 8);
    pl_lockset.fresh(X + 4, 4);
    writes(2, X + 4, 4);
    CHECK(host.n_findings == 0);
    writes(2, X + 3, 1);
    CHECK(host.n_findings == 1);
    pl_lockset.fresh(X + 2, 1); /* of bytes that are told apart */
    touch(2, PL_ACCESS_WRITE, X + 2, 1, 500);
    CHECK(host.n_findings == 1);
    touch(1, PL_ACCESS_WRITE, X + 2, 1, 501);
    CHECK(host.n_findings == 2);
}

static void a_whole_stack_can_be_fresh(void)
{
    begin();
    writes(1, X + (4 << 20), 8);
    pl_lockset.fresh(X, 8 << 20);
    writes(2, X + (4 << 20), 8);
    CHECK(host.n_findings == 0);
}

/* Over several pages, of which some have been accessed, and with more cells than granules. */
static void many_pages_can_be_fresh(void)
{
    begin();
    for (uint64_t i = 0; i < 8; i++)
        writes(1, X + 64 + i * 4096, 4096 * (i % 2));
    writes(1, X + (1 << 20), 1 << 20);
    writes(1, X, 8);
    writes(1, X + 8 * 4096, 8);
    pl_lockset.fresh(X + 8, 8 * 4096 - 8);
    writes(2, X + 8, 8 * 4096 - 8);
    CHECK(host.n_findings == 0);
    touch(2, PL_ACCESS_WRITE, X, 1, 300);
    touch(2, PL_ACCESS_WRITE, X + 8 * 4096, 1, 301);
    CHECK(host.n_findings == 2);
}

static void atomics_and_frees_do_not_count(void)
{
    begin();
    writes(1, X, 4);
    touch(2, PL_ACCESS_ATOMIC | PL_ACCESS_READ | PL_ACCESS_WRITE, X, 4, 300);
    touch(3, PL_ACCESS_FREE | PL_ACCESS_WRITE, X, 16, 300);
    writes(1, X, 4);
    CHECK(host.n_findings == 0);
    reads(2, X, 4); /* only the second plain one makes it shared */
    CHECK(host.n_findings == 0);
    touch(2, PL_ACCESS_ATOMIC | PL_ACCESS_WRITE, X, 4, 300);
    CHECK(host.n_findings == 0);
}

static void much_memory_is_told_apart(void)
{
    begin();
    for (uint64_t i = 0; i < 20000; i++)
        writes(1, X + i * 8, 8);
    for (uint64_t i = 0; i < 20000; i += 2)
        reads(2, X + i * 8, 8);
    CHECK(host.n_findings == 0);
    writes(1, X + 8 * 777, 8); /* still its own */
    CHECK(host.n_findings == 0);
    writes(1, X + 8 * 776, 8);
    CHECK(host.n_findings == 1 && host.findings[0].object.site == X + 8 * 776 && !host.full);
}

static void no_room_means_no_complaint(void)
{
    host_reset(&pl_lockset);
    host.used = HOST_MEMORY - 4096;
    pl_lockset.start();
    writes(1, X, 4);
    writes(2, X, 4);
    pl_lockset.fresh(X, 4);
    lock(1, A);
    CHECK(host.n_findings == 0 && host.full);

    begin();
    writes(1, X, 20 << 20);
    CHECK(host.full);
    writes(2, X, 1); /* what there is room for is judged all the same */
    CHECK(host.n_findings == 1);
}

static uint32_t set_of(struct pl_locks *l, pl_tid tid, bool writing)
{
    uint32_t held = pl_locks_held(l, tid);

    return writing ? pl_locks_writing(l, held) : pl_locks_any(l, held);
}

static void has(struct pl_locks *l, pl_tid tid, uint64_t addr, bool shared, uint64_t pc)
{
    host_hold(tid, (struct pl_finding_lock){.addr = addr, .shared = shared, .pc = pc});
    pl_locks_changed(l, tid);
}

static void equal_sets_have_equal_numbers(void)
{
    host_reset(&pl_lockset);
    struct pl_locks *l = pl_locks_open();

    CHECK(set_of(l, 1, false) == PL_LOCKS_NONE);
    has(l, 1, A, false, 1);
    has(l, 1, B, false, 2);
    has(l, 2, B, false, 3);
    has(l, 2, A, false, 4);
    has(l, 2, A, false, 5); /* twice: a recursive one */
    CHECK(pl_locks_held(l, 1) != pl_locks_held(l, 2));
    CHECK(set_of(l, 1, false) == set_of(l, 2, false));
    has(l, 3, A, true, 1);
    has(l, 3, B, false, 1);
    CHECK(set_of(l, 3, false) == set_of(l, 1, false));
    CHECK(set_of(l, 3, true) != set_of(l, 1, true));
    has(l, 4, B, false, 9);
    CHECK(set_of(l, 3, true) == set_of(l, 4, true));
    CHECK(pl_locks_held(l, 4) == pl_locks_held(l, 4));
}

static void intersections_are_exact(void)
{
    host_reset(&pl_lockset);
    struct pl_locks *l = pl_locks_open();

    for (uint64_t i = 0; i < 40; i++) { /* multiples of 2, of 3, of 6, and odd ones */
        if (i % 2 == 0)
            has(l, 1, A + i, false, 1);
        if (i % 3 == 0)
            has(l, 2, A + i, false, 1);
        if (i % 6 == 0)
            has(l, 3, A + i, false, 1);
        if (i % 2 == 1)
            has(l, 4, A + i, false, 1);
    }
    uint32_t two = set_of(l, 1, false), three = set_of(l, 2, false), six = set_of(l, 3, false);

    for (unsigned times = 0; times < 2; times++) { /* the second time it is remembered */
        CHECK(pl_locks_common(l, two, three) == six);
        CHECK(pl_locks_common(l, three, two) == six);
        CHECK(pl_locks_common(l, two, set_of(l, 4, false)) == PL_LOCKS_NONE);
    }
    CHECK(pl_locks_common(l, six, two) == six);
    CHECK(pl_locks_common(l, two, PL_LOCKS_ALL) == two);
    CHECK(pl_locks_common(l, PL_LOCKS_ALL, two) == two);
    CHECK(pl_locks_common(l, two, PL_LOCKS_NONE) == PL_LOCKS_NONE);
}

int main(void)
{
    the_first_thread_needs_no_lock();
    reading_together_needs_no_lock();
    a_write_by_the_second_needs_one();
    a_write_to_shared_memory_needs_one();
    reads_refine_silently();
    one_lock_for_all_is_enough();
    of_two_locks_the_common_one_counts();
    locks_in_pairs_are_not_enough();
    writers_must_hold_it_for_writing();
    it_is_said_once();
    the_signature_is_that_of_the_memory();
    both_accesses_are_told();
    a_write_is_told_rather_than_a_read();
    neighbours_do_not_matter();
    overlaps_of_different_sizes_are_seen();
    a_long_access_touches_all_of_it();
    fresh_memory_is_virgin();
    a_part_can_be_fresh();
    a_whole_stack_can_be_fresh();
    many_pages_can_be_fresh();
    atomics_and_frees_do_not_count();
    much_memory_is_told_apart();
    no_room_means_no_complaint();
    equal_sets_have_equal_numbers();
    intersections_are_exact();
    return unit_result();
}
