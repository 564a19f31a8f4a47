/* SPDX-License-Identifier: MIT */
/*
 * Partial-order reduction on programs that are lists of operations: as many
 * executions as there are classes by the closed forms, with every variant; and
 * what happens when a process dies or the program does not repeat itself.
 */
#include "unit.h"

#include "base/hash.h"
#include "machine.h"
#include "strategy/hapset/hapset_search.h"
#include "strategy/shared/table.h"

static struct machine machine; /* the last execution */
static uint32_t room;          /* nodes for plans of hapset; 0: as many as there are */
static const struct pl_strategy *strategy = &pl_dpor; /* or one that is built on it */
static unsigned (*risk)(const struct pl_operation *op);

/* An answer that changes each time. */
static unsigned any_risk(const struct pl_operation *op)
{
    static unsigned asked;

    return (unsigned)pl_hash_mix(++asked * 8 + op->tid) % 3;
}

static struct pl_strategy_context fresh(const char *variant)
{
    struct pl_strategy_context c = machine_context(variant, MACHINE_ARENA);

    c.risk = risk;
    return c;
}

/* One execution; true if it ended in a deadlock.  It stops after `most` operations. */
static bool execute(struct pl_strategy_context *c, const struct machine_program *p, uint64_t n,
                    unsigned most)
{
    return machine_execute(&machine, p, strategy, c, n, most) == PL_OUTCOME_FINDING;
}

/* The number of executions; those that deadlock in *deadlocks. */
static unsigned explore(const struct machine_program *p, const char *variant, unsigned *deadlocks)
{
    struct pl_strategy_context c = fresh(variant);
    unsigned n = 0;
    bool more = true;

    *deadlocks = 0;
    CHECK(strategy->start(&c) == NULL);
    if (room != 0)
        ((struct pl_dpor *)((struct pl_hapset_search *)c.arena)->search.arena)->pool.max = room;
    while (more && n < 100000) {
        *deadlocks += execute(&c, p, ++n, 1000);
        more = strategy->end(&c, PL_OUTCOME_DONE, false);
    }
    CHECK(!given.divergence.happened);
    return n;
}

/* Whatever is taken first, and if guidance comes first. */
static void check_orders(const struct machine_program *p, unsigned classes, unsigned deadlocks)
{
    static const struct {
        const struct pl_strategy *strategy;
        const char *variant;
        bool risk;
    } ways[] = {
        {&pl_dpor, "", true},
        {&pl_hapset, "then=dpor", false},
        {&pl_hapset, "then=dpor", true},
        {&pl_hapset, "base=pcb,then=dpor", false},
        {&pl_hapset, "base=pcb,bound=0,then=dpor", true},
    };

    for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        unsigned stuck;

        strategy = ways[i].strategy;
        risk = ways[i].risk ? any_risk : NULL;
        unsigned n = explore(p, ways[i].variant, &stuck);

        CHECK(n == classes && stuck == deadlocks);
    }
    strategy = &pl_dpor;
    risk = NULL;
}

static void check(const struct machine_program *p, unsigned classes, unsigned deadlocks)
{
    static const char *const variants[] = {"", "optimal", "source", "classic"};

    for (unsigned i = 0; i < 4; i++) {
        unsigned stuck, n = explore(p, variants[i], &stuck);

        CHECK(i < 2 ? n == classes : n >= classes);
        CHECK(i < 2 ? stuck == deadlocks : stuck >= deadlocks);
    }
    check_orders(p, classes, deadlocks);
}

static struct machine_program program_of(unsigned threads)
{
    return (struct machine_program){.n = threads};
}

static void add(struct machine_program *p, unsigned t, enum pl_op_kind kind, uint64_t addr)
{
    machine_add(p, t, kind, addr)->pc = kind + addr;
}

static void closed_forms(void)
{
    static const unsigned factorial[] = {1, 1, 2, 6, 24, 120};

    for (unsigned n = 1; n <= 5; n++) {
        struct machine_program writers = program_of(n), readers = program_of(n + 1);
        struct machine_program own = program_of(n), sections = program_of(n);

        add(&readers, n, PL_OP_WRITE, 64);
        for (unsigned t = 0; t < n; t++) {
            add(&writers, t, PL_OP_WRITE, 64);
            add(&readers, t, PL_OP_READ, 64);
            add(&own, t, PL_OP_MUTEX_LOCK, 64 * (t + 1));
            add(&own, t, PL_OP_MUTEX_UNLOCK, 64 * (t + 1));
            add(&sections, t, PL_OP_MUTEX_LOCK, 64);
            add(&sections, t, PL_OP_MUTEX_UNLOCK, 64);
        }
        check(&writers, factorial[n], 0);
        check(&readers, 1u << n, 0);
        check(&own, 1, 0);
        check(&sections, factorial[n], 0);
    }
}

static void philosophers(void)
{
    for (unsigned n = 2; n <= 5; n++) {
        struct machine_program p = program_of(n);

        for (unsigned t = 0; t < n; t++) {
            uint64_t left = 64 * (t + 1), right = 64 * ((t + 1) % n + 1);

            add(&p, t, PL_OP_MUTEX_LOCK, left);
            add(&p, t, PL_OP_MUTEX_LOCK, right);
            add(&p, t, PL_OP_MUTEX_UNLOCK, right);
            add(&p, t, PL_OP_MUTEX_UNLOCK, left);
        }
        check(&p, (1u << n) - 1, 1);
    }
}

/* Two threads with m and k writes to one variable: (m+k)! / (m! k!). */
static void two_writers(void)
{
    static const unsigned binomial[4][4] = {
        {0, 0, 0, 0}, {0, 2, 3, 4}, {0, 3, 6, 10}, {0, 4, 10, 20}};

    for (unsigned m = 1; m <= 3; m++) {
        for (unsigned k = 1; k <= 3; k++) {
            struct machine_program p = program_of(2);

            for (unsigned i = 0; i < m; i++)
                add(&p, 0, PL_OP_WRITE, 64);
            for (unsigned i = 0; i < k; i++)
                add(&p, 1, PL_OP_WRITE, 64);
            check(&p, binomial[m][k], 0);
        }
    }
}

/* Bytes that do not overlap have nothing to do with each other, whatever granule they share. */
static void bytes_apart(void)
{
    struct machine_program p = program_of(2);

    add(&p, 0, PL_OP_WRITE, 64);
    add(&p, 1, PL_OP_WRITE, 72);
    check(&p, 1, 0);
    p = program_of(2);
    add(&p, 0, PL_OP_WRITE, 64);
    add(&p, 1, PL_OP_WRITE, 68); /* eight bytes each: they do overlap */
    check(&p, 2, 0);
}

/*
 * Classes that show only if a race is looked at again when what comes after it is another.  The
 * numbers are those of all interleavings, counted by their orders of dependent operations.
 */
static void races_that_are_repeated(void)
{
    struct machine_program p = program_of(4), q = program_of(4);

    add(&p, 0, PL_OP_WRITE, 192);
    add(&p, 0, PL_OP_READ, 64);
    add(&p, 1, PL_OP_WRITE, 128);
    add(&p, 1, PL_OP_READ, 128);
    add(&p, 2, PL_OP_READ, 64);
    add(&p, 2, PL_OP_WRITE, 192);
    add(&p, 2, PL_OP_WRITE, 128);
    add(&p, 3, PL_OP_WRITE, 128);
    add(&p, 3, PL_OP_WRITE, 64);
    add(&p, 3, PL_OP_READ, 128);
    check(&p, 133, 0);
    add(&q, 0, PL_OP_WRITE, 192);
    add(&q, 0, PL_OP_READ, 128);
    add(&q, 0, PL_OP_READ, 64);
    add(&q, 1, PL_OP_WRITE, 128);
    add(&q, 1, PL_OP_READ, 64);
    add(&q, 1, PL_OP_READ, 64);
    add(&q, 2, PL_OP_WRITE, 64);
    add(&q, 2, PL_OP_WRITE, 128);
    add(&q, 3, PL_OP_WRITE, 128);
    add(&q, 3, PL_OP_WRITE, 192);
    check(&q, 110, 0);
}

static struct machine_program program_of_many_classes(void)
{
    struct machine_program p = program_of(3);

    for (unsigned t = 0; t < 3; t++) {
        add(&p, t, PL_OP_WRITE, 64);
        add(&p, t, PL_OP_READ, 128);
        add(&p, t, PL_OP_WRITE, 64);
        add(&p, t, PL_OP_WRITE, 128);
    }
    return p;
}

/* Without room to keep what is left for later, the rest begins anew, and executes some again. */
static void little_room(void)
{
    const struct machine_program p = program_of_many_classes();
    unsigned stuck, all = explore(&p, "then=dpor", &stuck), n = all;

    for (room = 1 << 16; n == all && room > 100; room -= room / 8)
        n = explore(&p, "then=dpor", &stuck);
    CHECK(n > all && n < 2 * all);
    room = 0;
}

/* An execution that was cut short by a death is done again; nothing is lost or done twice. */
static void deaths(const char *variant)
{
    const struct machine_program p = program_of_many_classes();
    uint8_t before[MACHINE_LONGEST] = {0};
    unsigned n = 0;
    bool more = true;

    unsigned stuck, all = explore(&p, variant, &stuck);
    struct pl_strategy_context c = fresh(variant);

    CHECK(strategy->start(&c) == NULL);
    while (more && n < 100000) {
        unsigned deaths = n % 8;

        for (unsigned dies = 0; dies < deaths; dies++) {
            execute(&c, &p, n, dies < 6 ? 1 + dies : 1000);
            memcpy(before, machine.run.who, sizeof(before));
            CHECK(strategy->end(&c, PL_OUTCOME_LOST, false));
        }
        execute(&c, &p, ++n, 1000);
        CHECK(memcmp(before, machine.run.who, deaths * sizeof(before[0])) == 0 || deaths == 0);
        more = strategy->end(&c, PL_OUTCOME_DONE, false);
    }
    CHECK(all > 90 && n == all);
    CHECK(!given.divergence.happened);
}

/* A program that changes between executions is noticed, and the search ends all the same. */
static void strays(void)
{
    struct machine_program p = program_of(2), other = program_of(2);
    struct pl_strategy_context c = fresh("");
    unsigned n = 0;
    bool more = true;

    for (unsigned t = 0; t < 2; t++) {
        add(&p, t, PL_OP_WRITE, 64);
        add(&p, t, PL_OP_WRITE, 64);
        add(&other, t, PL_OP_WRITE, 128);
    }
    CHECK(pl_dpor.start(&c) == NULL);
    while (more && n < 1000) {
        n++;
        execute(&c, n % 2 ? &p : &other, n, 1000);
        more = pl_dpor.end(&c, PL_OUTCOME_DONE, false);
    }
    CHECK(!more && given.divergence.happened);
}

static void parameters(void)
{
    struct pl_strategy_context c = fresh("best");

    CHECK(pl_dpor.start(&c) != NULL);
}

int main(void)
{
    closed_forms();
    philosophers();
    two_writers();
    bytes_apart();
    races_that_are_repeated();
    deaths("");
    risk = any_risk;
    deaths("");
    strategy = &pl_hapset;
    little_room();
    deaths("then=dpor");
    risk = NULL;
    deaths("then=dpor");
    deaths("base=pcb,bound=1,then=dpor");
    strategy = &pl_dpor;
    strays();
    parameters();
    return unit_result();
}
