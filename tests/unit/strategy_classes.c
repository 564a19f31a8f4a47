/* SPDX-License-Identifier: MIT */
/*
 * Partial-order reduction against all interleavings, on drawn programs with every
 * kind of operation that the machine knows: dfs makes all executions of a program, the
 * machine says to which classes they belong, and dpor has to make one execution of each.
 */
#include "unit.h"

#include "machine.h"
#include "strategy/shared/table.h"

enum { MOST = 1 << 16, PROGRAMS = 80, CLASSES = 1 << 14 };
enum { X = 0x1000, Y = 0x1008, M = 0x2000, N = 0x2040, C = 0x3000 };

static struct machine machine;

/* Classes in ascending order, and what was executed. */
struct seen {
    uint64_t class[CLASSES];
    unsigned n, executions, deadlocks;
};

static struct seen all, reduced;

/* All executions of a strategy; false if there are too many. */
static bool explore(const struct pl_strategy *s, const struct machine_program *p, struct seen *seen)
{
    struct pl_strategy_context c = machine_context("", MACHINE_ARENA);
    bool more = true;

    seen->n = seen->executions = seen->deadlocks = 0;
    CHECK(s->start(&c) == NULL);
    while (more && seen->executions < MOST && seen->n < CLASSES - 1) {
        enum pl_outcome outcome =
            machine_execute(&machine, p, s, &c, ++seen->executions, MACHINE_ALL);

        if (machine_is_new(seen->class, &seen->n, machine_class(&machine)))
            seen->deadlocks += outcome == PL_OUTCOME_FINDING;
        more = s->end(&c, outcome, false);
    }
    CHECK(!given.divergence.happened);
    return !more;
}

/* One execution of each class; returns how many classes there are. */
static unsigned compare(const struct machine_program *p)
{
    if (!explore(&pl_dfs, p, &all))
        return 0;
    CHECK(explore(&pl_dpor, p, &reduced));
    CHECK(reduced.n == all.n && memcmp(reduced.class, all.class, all.n * sizeof(uint64_t)) == 0);
    CHECK(reduced.executions == reduced.n);
    CHECK(reduced.deadlocks == all.deadlocks);
    return all.n;
}

static void drawn_programs(enum machine_palette palette)
{
    unsigned several = 0;

    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        const struct machine_program p = machine_draw(3, palette, seed);

        several += compare(&p) > 1;
    }
    CHECK(several > PROGRAMS / 2);
}

/* Two mutexes in different orders, one of them tried: a failing trylock only looks. */
static void locks_that_are_nested_or_tried(void)
{
    static const enum pl_op_kind inner[] = {PL_OP_MUTEX_LOCK, PL_OP_MUTEX_TRYLOCK};

    for (unsigned i = 0; i < 2; i++) {
        struct machine_program p = {.n = 2};

        machine_add(&p, 0, PL_OP_MUTEX_LOCK, M);
        machine_add(&p, 0, inner[i], N);
        machine_add(&p, 1, PL_OP_MUTEX_LOCK, N);
        machine_add(&p, 1, PL_OP_MUTEX_LOCK, M);
        machine_add(&p, 1, PL_OP_MUTEX_UNLOCK, M);
        machine_add(&p, 1, PL_OP_MUTEX_UNLOCK, N);
        if (i == 0)
            machine_add(&p, 0, PL_OP_MUTEX_UNLOCK, N);
        machine_add(&p, 0, PL_OP_MUTEX_UNLOCK, M);
        CHECK(compare(&p) > 1);
        CHECK(all.deadlocks == 1);
    }
}

static void wait_for_signal(struct machine_program *p, unsigned t)
{
    machine_add(p, t, PL_OP_MUTEX_LOCK, M);
    machine_add(p, t, PL_OP_COND_WAIT, C)->other = M;
    machine_add(p, t, PL_OP_MUTEX_UNLOCK, M);
}

/* A signal that comes too early is lost: whoever waits then waits for ever. */
static void conditions(void)
{
    static const enum pl_op_kind kinds[] = {PL_OP_COND_SIGNAL, PL_OP_COND_BROADCAST};

    for (unsigned waiters = 1; waiters <= 2; waiters++) {
        for (unsigned i = 0; i < 2; i++) {
            struct machine_program p = {.n = waiters + 1};

            for (unsigned t = 0; t < waiters; t++)
                wait_for_signal(&p, t);
            machine_add(&p, waiters, kinds[i], C);
            CHECK(compare(&p) > 1);
            CHECK(all.deadlocks > 0 && all.deadlocks <= all.n);
        }
    }
}

/* What is done before a thread is created and after it is joined has one order. */
static void creation_and_join(void)
{
    struct machine_program p = {.n = 2};

    machine_add(&p, 0, PL_OP_WRITE, X);
    machine_add(&p, 0, PL_OP_THREAD_CREATE, 1);
    machine_add(&p, 1, PL_OP_WRITE, X);
    machine_add(&p, 0, PL_OP_THREAD_JOIN, 1);
    machine_add(&p, 0, PL_OP_WRITE, X);
    CHECK(compare(&p) == 1 && all.deadlocks == 0);
    p.threads[0].steps[2].kind = PL_OP_WRITE; /* in place of the join */
    p.threads[0].steps[2].addr = Y;
    CHECK(compare(&p) == 2);
}

int main(void)
{
    drawn_programs(MACHINE_MEMORY);
    drawn_programs(MACHINE_SYNC);
    locks_that_are_nested_or_tried();
    conditions();
    creation_and_join();
    return unit_result();
}
