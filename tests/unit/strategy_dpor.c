/* SPDX-License-Identifier: MIT */
/*
 * Partial-order reduction on programs that are lists of operations: as many
 * executions as there are classes by the closed forms, with every variant; and
 * what happens when a process dies or the program does not repeat itself.
 */
#include "unit.h"

#include "base/hash.h"
#include "strategy/hapset/hapset_search.h"
#include "strategy/shared/table.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 6, STEPS = 8, ARENA = 64 << 20 };

struct program {
    unsigned threads;
    struct {
        enum pl_op_kind kind;
        uint64_t addr;
    } steps[THREADS][STEPS]; /* up to kind NONE */
};

static unsigned char *arena;
static uint32_t room; /* nodes for plans of hapset; 0: as many as there are */
static struct pl_settings settings;
static struct pl_divergence divergence;
static struct pl_hapset *hapset;
static const struct pl_strategy *strategy = &pl_dpor; /* or one that is built on it */
static unsigned (*risk)(const struct pl_operation *op);
static pl_tid order[THREADS * STEPS]; /* of the last execution */

/* An answer that changes each time. */
static unsigned any_risk(const struct pl_operation *op)
{
    static unsigned asked;

    return (unsigned)pl_hash_mix(++asked * 8 + op->tid) % 3;
}

static struct pl_strategy_context fresh(const char *variant)
{
    memset(arena, 0, ARENA);
    memset(hapset, 0, sizeof(*hapset));
    divergence = (struct pl_divergence){0};
    settings = (struct pl_settings){0};
    strcpy(settings.parameters, variant);
    return (struct pl_strategy_context){.settings = &settings,
                                        .arena = arena,
                                        .arena_size = ARENA,
                                        .divergence = &divergence,
                                        .hapset = hapset,
                                        .risk = risk};
}

/* An execution in the making. */
struct execution {
    const struct program *program;
    unsigned at[THREADS];
    uint64_t held[THREADS][2]; /* locks, by thread */
    struct pl_operation ops[THREADS];
    const struct pl_operation *next[THREADS];
    int running;
};

static bool is_held(const struct execution *e, uint64_t addr)
{
    for (unsigned t = 0; t < THREADS; t++) {
        if (e->held[t][0] == addr || e->held[t][1] == addr)
            return true;
    }
    return false;
}

/* What thread t is about to do; false when it has ended. */
static bool announce(struct execution *e, unsigned t)
{
    enum pl_op_kind kind = e->program->steps[t][e->at[t]].kind;
    uint64_t addr = e->program->steps[t][e->at[t]].addr;

    if (t >= e->program->threads || kind == PL_OP_NONE)
        return false;
    e->ops[t] =
        (struct pl_operation){.kind = (uint8_t)kind,
                              .way = PL_WAY_NORMAL,
                              .tid = (pl_tid)t,
                              .size = 8,
                              .addr = addr,
                              .ordinal = e->at[t],
                              .name = t + 100,
                              .statement = (uint32_t)(kind + addr),
                              .effect = kind == PL_OP_READ ? PL_EFFECT_READ : PL_EFFECT_WRITE,
                              .waker = PL_TID_NONE};
    if (kind == PL_OP_MUTEX_LOCK && is_held(e, addr))
        e->ops[t].way = PL_WAY_BLOCKED;
    return true;
}

static unsigned collect(struct execution *e, bool blocked)
{
    unsigned n = 0;

    for (unsigned t = 0; t < e->program->threads; t++) {
        if (announce(e, t) && (e->ops[t].way == PL_WAY_BLOCKED) == blocked)
            e->next[n++] = &e->ops[t];
    }
    return n;
}

static void perform(struct execution *e, const struct pl_operation *op)
{
    uint64_t *held = e->held[op->tid];

    if (op->kind == PL_OP_MUTEX_LOCK)
        held[held[0] != 0] = op->addr;
    else if (op->kind == PL_OP_MUTEX_UNLOCK)
        held[held[0] != op->addr] = 0;
    e->at[op->tid]++;
    e->running = op->tid;
}

/* One execution; true if it ended in a deadlock.  It stops after `most` operations. */
static bool execute(struct pl_strategy_context *c, const struct program *p, unsigned most)
{
    struct execution e = {.program = p, .running = -1};
    unsigned n, at = 0;

    c->stuck = false;
    while ((n = collect(&e, false)) > 0 && most-- > 0) {
        struct pl_view view = {
            .kind = PL_CHOICE_THREAD, .options = n, .running = -1, .next = e.next};
        unsigned taken = 0;

        for (unsigned i = 0; i < n; i++) {
            if (e.next[i]->tid == e.running)
                view.running = (int)i;
        }
        if (n > 1)
            taken = strategy->choose(c, &view);
        CHECK(taken < n);
        order[at++] = e.next[taken]->tid;
        const struct pl_operation op = *e.next[taken];

        strategy->observe(c, &op);
        perform(&e, &op);
    }
    if (n > 0)
        return false; /* cut off: a process that was killed */
    n = collect(&e, true);
    c->stuck = true; /* no operation ended it */
    strategy->last(c, e.next, n);
    return n > 0;
}

/* The number of executions; those that deadlock in *deadlocks. */
static unsigned explore(const struct program *p, const char *variant, unsigned *deadlocks)
{
    struct pl_strategy_context c = fresh(variant);
    unsigned n = 0;
    bool more = true;

    *deadlocks = 0;
    CHECK(strategy->start(&c) == NULL);
    if (room != 0)
        ((struct pl_dpor *)((struct pl_hapset_search *)arena)->search.arena)->pool.max = room;
    while (more && n < 100000) {
        strategy->begin(&c, ++n);
        *deadlocks += execute(&c, p, 1000);
        more = strategy->end(&c, PL_OUTCOME_DONE, false);
    }
    CHECK(!divergence.happened);
    return n;
}

/* Whatever is taken first, and if guidance comes first. */
static void check_orders(const struct program *p, unsigned classes, unsigned deadlocks)
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

static void check(const struct program *p, unsigned classes, unsigned deadlocks)
{
    static const char *const variants[] = {"", "optimal", "source", "classic"};

    for (unsigned i = 0; i < 4; i++) {
        unsigned stuck, n = explore(p, variants[i], &stuck);

        CHECK(i < 2 ? n == classes : n >= classes);
        CHECK(i < 2 ? stuck == deadlocks : stuck >= deadlocks);
    }
    check_orders(p, classes, deadlocks);
}

static struct program program_of(unsigned threads)
{
    return (struct program){.threads = threads};
}

static void add(struct program *p, unsigned t, enum pl_op_kind kind, uint64_t addr)
{
    unsigned n = 0;

    while (p->steps[t][n].kind != PL_OP_NONE)
        n++;
    p->steps[t][n].kind = kind;
    p->steps[t][n].addr = addr;
}

static void closed_forms(void)
{
    static const unsigned factorial[] = {1, 1, 2, 6, 24, 120};

    for (unsigned n = 1; n <= 5; n++) {
        struct program writers = program_of(n), readers = program_of(n + 1);
        struct program own = program_of(n), sections = program_of(n);

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
        struct program p = program_of(n);

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
            struct program p = program_of(2);

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
    struct program p = program_of(2);

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
    struct program p = program_of(4), q = program_of(4);

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

static struct program program_of_many_classes(void)
{
    struct program p = program_of(3);

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
    const struct program p = program_of_many_classes();
    unsigned stuck, all = explore(&p, "then=dpor", &stuck), n = all;

    for (room = 1 << 16; n == all && room > 100; room -= room / 8)
        n = explore(&p, "then=dpor", &stuck);
    CHECK(n > all && n < 2 * all);
    room = 0;
}

/* An execution that was cut short by a death is done again; nothing is lost or done twice. */
static void deaths(const char *variant)
{
    const struct program p = program_of_many_classes();
    pl_tid before[THREADS * STEPS];
    unsigned n = 0;
    bool more = true;

    unsigned stuck, all = explore(&p, variant, &stuck);
    struct pl_strategy_context c = fresh(variant);

    CHECK(strategy->start(&c) == NULL);
    while (more && n < 100000) {
        unsigned deaths = n % 8;

        for (unsigned dies = 0; dies < deaths; dies++) {
            strategy->begin(&c, n);
            execute(&c, &p, dies < 6 ? 1 + dies : 1000);
            memcpy(before, order, sizeof(order));
            CHECK(strategy->end(&c, PL_OUTCOME_LOST, false));
        }
        strategy->begin(&c, ++n);
        execute(&c, &p, 1000);
        CHECK(memcmp(before, order, deaths * sizeof(order[0])) == 0 || deaths == 0);
        more = strategy->end(&c, PL_OUTCOME_DONE, false);
    }
    CHECK(all > 90 && n == all);
    CHECK(!divergence.happened);
}

/* A program that changes between executions is noticed, and the search ends all the same. */
static void strays(void)
{
    struct program p = program_of(2), other = program_of(2);
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
        pl_dpor.begin(&c, ++n);
        execute(&c, n % 2 ? &p : &other, 1000);
        more = pl_dpor.end(&c, PL_OUTCOME_DONE, false);
    }
    CHECK(!more && divergence.happened);
}

static void parameters(void)
{
    struct pl_strategy_context c = fresh("best");

    CHECK(pl_dpor.start(&c) != NULL);
}

int main(void)
{
    arena = malloc(ARENA);
    hapset = malloc(sizeof(*hapset));
    CHECK(arena != NULL && hapset != NULL);
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
    free(arena);
    free(hapset);
    return unit_result();
}
