/* SPDX-License-Identifier: MIT */
/* Which pair of operations is said to decide, given a failing and a passing execution. */
#include "engine/findings/explain.h"
#include "unit.h"

#include <stdlib.h>
#include <sys/mman.h>

enum { X = 0x1000, Y = 0x2000, M = 0x3000 };

static const struct pl_thread_name threads[] = {
    {.parent = PL_TID_NONE}, {.parent = 0, .nth = 1}, {.parent = 0, .nth = 2}};
static struct pl_scene scene = {threads, 3, NULL, NULL, NULL};

/* The ordinal-th operation of a thread. */
static struct pl_event event(pl_tid tid, uint32_t ordinal, unsigned kind, uint64_t addr)
{
    return (struct pl_event){.op = {.kind = (uint8_t)kind,
                                    .tid = tid,
                                    .ordinal = ordinal,
                                    .addr = addr,
                                    .size = 4,
                                    .name = 100u + tid},
                             .object = {.kind = PL_PLACE_STACK, .tid = (pl_tid)(addr >> 12)}};
}

static struct pl_explain_side side(const struct pl_event *events, uint64_t n)
{
    return (struct pl_explain_side){&scene, events, n};
}

/* first and second are the operations `thread`.`ordinal` that are expected. */
static void check(const struct pl_explain_pair *pair, unsigned first, unsigned second,
                  bool conflict)
{
    CHECK(pair->conflict == conflict);
    CHECK(pair->first != NULL && pair->second != NULL);
    if (pair->first == NULL || pair->second == NULL)
        return;
    CHECK(pair->first->op.tid * 10u + pair->first->op.ordinal == first);
    CHECK(pair->second->op.tid * 10u + pair->second->op.ordinal == second);
}

/* Both read before one writes: a lost update. */
static void the_read_that_comes_too_soon(void)
{
    const struct pl_event f[] = {event(1, 0, PL_OP_READ, X), event(2, 0, PL_OP_READ, X),
                                 event(2, 1, PL_OP_WRITE, X), event(1, 1, PL_OP_WRITE, X)};
    const struct pl_event p[] = {event(1, 0, PL_OP_READ, X), event(1, 1, PL_OP_WRITE, X),
                                 event(2, 0, PL_OP_READ, X), event(2, 1, PL_OP_WRITE, X)};
    struct pl_explain_side a = side(f, 4), b = side(p, 4);
    struct pl_explain_pair pair = pl_explain_find(&a, &b, false);
    struct pl_result_explanation e = {.ordered = false};

    check(&pair, 20, 11, true);
    pl_explain_order(&e, &a, &b, &pair);
    CHECK(e.ordered);
    CHECK_STR(e.first.thread, "0.2");
    CHECK_STR(e.second.operation, "write");
    CHECK_STR(e.text, "thread 0.2 reads stack of 0.1 before thread 0.1 writes it");
}

/* Two reads, other objects and a thread's own operations are in no order that matters. */
static void what_commutes_is_passed_over(void)
{
    const struct pl_event f[] = {event(2, 0, PL_OP_READ, X), event(2, 1, PL_OP_WRITE, Y),
                                 event(1, 0, PL_OP_READ, X), event(1, 1, PL_OP_READ, Y)};
    const struct pl_event p[] = {event(1, 0, PL_OP_READ, X), event(1, 1, PL_OP_READ, Y),
                                 event(2, 0, PL_OP_READ, X), event(2, 1, PL_OP_WRITE, Y)};
    struct pl_explain_side a = side(f, 4), b = side(p, 4);
    struct pl_explain_pair pair = pl_explain_find(&a, &b, false);

    check(&pair, 21, 11, true);
}

/* A deadlock is about locks, other findings about what the locks protect. */
static void locks_or_what_they_protect(void)
{
    const struct pl_event f[] = {event(2, 0, PL_OP_MUTEX_LOCK, M), event(2, 1, PL_OP_READ, X),
                                 event(1, 0, PL_OP_MUTEX_LOCK, M), event(1, 1, PL_OP_WRITE, X)};
    const struct pl_event p[] = {event(1, 0, PL_OP_MUTEX_LOCK, M), event(1, 1, PL_OP_WRITE, X),
                                 event(2, 0, PL_OP_MUTEX_LOCK, M), event(2, 1, PL_OP_READ, X)};
    struct pl_explain_side a = side(f, 4), b = side(p, 4);
    struct pl_explain_pair memory = pl_explain_find(&a, &b, false);
    struct pl_explain_pair locks = pl_explain_find(&a, &b, true);

    check(&memory, 21, 11, true);
    check(&locks, 20, 10, true);
}

/* Where it fails the second operation may never come. */
static void an_execution_that_ends_early(void)
{
    const struct pl_event f[] = {event(1, 0, PL_OP_MUTEX_LOCK, M),
                                 event(2, 0, PL_OP_MUTEX_LOCK, Y)};
    const struct pl_event p[] = {event(1, 0, PL_OP_MUTEX_LOCK, M), event(1, 1, PL_OP_MUTEX_LOCK, Y),
                                 event(2, 0, PL_OP_MUTEX_LOCK, Y)};
    struct pl_explain_side a = side(f, 2), b = side(p, 3);
    struct pl_explain_pair pair = pl_explain_find(&a, &b, true);

    check(&pair, 20, 11, true);
}

/* A pointer that was changed first: what it leads to is other memory where it fails, or is not read
 * there at all.  The order of the two accesses to the pointer is what is true. */
static void what_is_read_where_it_fails(void)
{
    const struct pl_event p[] = {event(1, 0, PL_OP_READ, Y), event(1, 1, PL_OP_READ, X),
                                 event(2, 0, PL_OP_WRITE, X), event(2, 1, PL_OP_WRITE, Y)};

    for (uint32_t gone = 0; gone <= 1; gone++) {
        const struct pl_event f[] = {event(2, 0, PL_OP_WRITE, X), event(2, 1, PL_OP_WRITE, Y),
                                     event(1, 0, PL_OP_READ, Y), event(1, 1 + gone, PL_OP_READ, M)};
        struct pl_explain_side a = side(f, 4), b = side(p, 4);
        struct pl_explain_pair pair = pl_explain_find(&a, &b, false);

        check(&pair, 21, 10, true);
    }
}

/* What has the same number in both executions may be about two objects. */
static void what_is_written_where_it_fails(void)
{
    const struct pl_event f[] = {event(2, 0, PL_OP_WRITE, M), event(2, 1, PL_OP_WRITE, Y),
                                 event(1, 0, PL_OP_READ, X), event(1, 1, PL_OP_READ, Y)};
    const struct pl_event p[] = {event(1, 0, PL_OP_READ, X), event(1, 1, PL_OP_READ, Y),
                                 event(2, 0, PL_OP_WRITE, X), event(2, 1, PL_OP_WRITE, Y)};
    struct pl_explain_side a = side(f, 4), b = side(p, 4);
    struct pl_explain_pair pair = pl_explain_find(&a, &b, false);

    check(&pair, 21, 11, true);
}

/* Without a conflict: where they part. */
static void nothing_conflicts(void)
{
    const struct pl_event f[] = {event(1, 0, PL_OP_READ, X), event(2, 0, PL_OP_READ, Y)};
    const struct pl_event p[] = {event(1, 0, PL_OP_READ, X), event(1, 1, PL_OP_READ, X)};
    struct pl_explain_side a = side(f, 2), b = side(p, 2), none = side(p, 0);
    struct pl_explain_pair pair = pl_explain_find(&a, &b, false);
    struct pl_result_explanation e = {.ordered = true};

    check(&pair, 20, 11, false);
    pl_explain_order(&e, &a, &b, &pair);
    CHECK_STR(e.text, "thread 0.2 reads stack of 0.2 before thread 0.1 reads stack of 0.1");
    e.text[0] = '\0';
    pair = pl_explain_find(&a, &none, false);
    CHECK(pair.second == NULL);
    pl_explain_order(&e, &a, &none, &pair);
    CHECK(!e.ordered);
    CHECK_STR(e.text, "thread 0.1 reads stack of 0.1 at a bad moment");
}

static void choices_that_are_no_switches(void)
{
    const struct pl_event f[] = {event(1, 0, PL_OP_CHOOSE, 0)};
    struct pl_choice taken = {.kind = PL_CHOICE_VALUE, .tid = 1, .taken = 2, .target = PL_TID_NONE};
    struct pl_choice other = taken;
    struct pl_explain_side a = side(f, 1);
    struct pl_result_explanation e = {.ordered = false};

    other.taken = 0;
    pl_explain_choice(&e, &a, &taken, &other);
    CHECK_STR(e.text, "plait_choose() in thread 0.1 returns 2 and not 0");
    taken = (struct pl_choice){.kind = PL_CHOICE_WAITER, .tid = 0, .target = 1};
    other = (struct pl_choice){.kind = PL_CHOICE_WAITER, .tid = 0, .target = 2};
    pl_explain_choice(&e, &a, &taken, &other);
    CHECK_STR(e.text, "thread 0 wakes thread 0.1 and not thread 0.2");
    taken = (struct pl_choice){.kind = PL_CHOICE_WEAK_CAS, .tid = 1, .taken = 1};
    pl_explain_choice(&e, &a, &taken, &other);
    CHECK_STR(e.text, "a weak compare-exchange in thread 0.1 fails for no reason");
}

int main(void)
{
    struct pl_board *board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    CHECK(board != MAP_FAILED);
    scene.symbols = pl_symbols_open(board, "/proc/self/exe");
    the_read_that_comes_too_soon();
    what_commutes_is_passed_over();
    locks_or_what_they_protect();
    an_execution_that_ends_early();
    what_is_read_where_it_fails();
    what_is_written_where_it_fails();
    nothing_conflicts();
    choices_that_are_no_switches();
    pl_symbols_close(scene.symbols);
    return unit_result();
}
