/* SPDX-License-Identifier: MIT */
/*
 * The search over blocks, on programs that are words: a small letter takes a
 * lock, the capital one gives it up, a digit writes a variable.  Numbers of paths are those
 * of the closed forms and of the figures of the thesis.
 */
#include "unit.h"

#include "machine.h"
#include "strategy/exitblock/chain.h"
#include "strategy/exitblock/cuts.h"
#include "strategy/shared/table.h"

enum { ORDERS = 1000 };

static unsigned predicted;
static struct pl_cycle cycle;
static char orders[ORDERS][64]; /* who performed blocks, path by path */
static unsigned n_orders;

static void predict(const struct pl_cycle *c)
{
    predicted++;
    cycle = *c;
}

static struct pl_strategy_context fresh(const char *parameters)
{
    struct pl_strategy_context c = machine_context(parameters, MACHINE_ARENA);

    predicted = n_orders = 0;
    c.predict = predict;
    return c;
}

/* A word as the steps of a thread. */
static void spell(struct machine_program *p, unsigned t, const char *word)
{
    for (; *word != '\0'; word++) {
        if (*word >= 'a')
            machine_add(p, t, PL_OP_MUTEX_LOCK, 64 * (uint64_t)(*word - 'a' + 1));
        else if (*word >= 'A')
            machine_add(p, t, PL_OP_MUTEX_UNLOCK, 64 * (uint64_t)(*word - 'A' + 1));
        else
            machine_add(p, t, PL_OP_WRITE, 4096 + 8 * (uint64_t)(*word - '0'));
    }
}

static struct machine_program program_of(const char *const *words)
{
    struct machine_program p = {.quits = true};

    for (; words[p.n] != NULL; spell(&p, p.n - 1, words[p.n - 1]))
        p.n++;
    return p;
}

/* Blocks end where a lock is given up. */
static void note_blocks(unsigned n, const struct machine *m)
{
    char *order = orders[n % ORDERS];
    unsigned length = 0;

    for (unsigned i = 0; i < m->run.n && length + 1 < sizeof(orders[0]); i++) {
        if (m->performed[i].kind == PL_OP_MUTEX_UNLOCK)
            order[length++] = (char)('A' + m->run.who[i]);
    }
    order[length] = '\0';
}

/* All executions.  Every `lost`-th is lost in the middle, and so made again; 0: none is. */
static struct pl_paths explore_losing(const char *parameters, const char *const *words,
                                      unsigned lost, unsigned *deadlocks)
{
    struct pl_strategy_context c = fresh(parameters);
    const struct machine_program p = program_of(words);
    static struct machine m;
    unsigned n = 0;
    bool more = true;

    *deadlocks = 0;
    CHECK(pl_exitblock.start(&c) == NULL);
    while (more && n < 100000) {
        n++;
        enum pl_outcome outcome = machine_execute(&m, &p, &pl_exitblock, &c, n,
                                                  lost != 0 && n % lost == 0 ? n % 7 : 1000);

        note_blocks(n_orders, &m);
        *deadlocks += outcome == PL_OUTCOME_FINDING;
        more = pl_exitblock.end(&c, outcome, false);
        n_orders += outcome != PL_OUTCOME_LOST && n_orders + 1 < ORDERS;
    }
    CHECK(!given.divergence.happened);
    CHECK(n < 100000);
    CHECK(given.coverage.paths.total == given.coverage.paths.finished + given.coverage.paths.cut +
                                            given.coverage.paths.stuck + given.coverage.paths.late);
    return given.coverage.paths;
}

static struct pl_paths explore(const char *parameters, const char *const *program)
{
    unsigned deadlocks;

    return explore_losing(parameters, program, 0, &deadlocks);
}

static void check(const char *parameters, const char *const *program, unsigned paths,
                  unsigned aborts, unsigned reports)
{
    for (unsigned lost = 0; lost <= 5; lost += 5) {
        unsigned deadlocks;
        struct pl_paths p = explore_losing(parameters, program, lost, &deadlocks);

        CHECK(p.total == paths);
        CHECK(p.aborts == aborts);
        CHECK(p.reports == reports);
        if (p.stuck == 0 && lost == 0 && strstr(parameters, "dd") != NULL)
            CHECK(predicted == reports);
    }
}

/* Figure 2.4: the six orders of three regions, in the order of the search. */
static void three_regions(void)
{
    static const char *const program[] = {"xX", "xX", "xX", NULL};
    static const char *const expected[] = {"ABC", "ACB", "BCA", "BAC", "CAB", "CBA"};

    check("plain", program, 6, 0, 0);
    explore("plain", program);
    for (unsigned i = 0; i < 6; i++)
        CHECK(strcmp(orders[i], expected[i]) == 0);
}

static uint64_t power(uint64_t base, unsigned n)
{
    return n == 0 ? 1 : base * power(base, n - 1);
}

static uint64_t factorial(unsigned n)
{
    return n == 0 ? 1 : n * factorial(n - 1);
}

/* k threads with n regions each: (kn)!/(n!)^k orders, of which rw has (n+1)^(k-1). */
static void closed_forms(void)
{
    static const unsigned most[] = {0, 0, 4, 2, 1, 1};

    for (unsigned k = 2; k <= 5; k++) {
        for (unsigned n = 1; n <= most[k]; n++) {
            const char *program[MACHINE_THREADS] = {NULL};
            char word[16] = "";

            for (unsigned i = 0; i < n; i++)
                strcat(word, i % 2 == 0 ? "aA" : "bB");
            for (unsigned i = 0; i < k; i++)
                program[i] = word;
            check("plain", program, (unsigned)(factorial(k * n) / power(factorial(n), k)), 0, 0);
            check("rw", program, (unsigned)power(n + 1, k - 1), 0, 0);
        }
    }
}

/* Figures 2.6, 2.14, 2.16, 2.17 and three locks in a circle. */
static void figures(void)
{
    static const char *const fig_2_6[] = {"a0bBA", "a0AbB", NULL};
    static const char *const fig_2_14[] = {"abBA", "baAB", NULL};
    static const char *const fig_2_16[] = {"aAbB", "bBaA", NULL};
    static const char *const fig_2_17[] = {"abBA", "aAbaAB", NULL};
    static const char *const circle[] = {"abBA", "bcCB", "caAC", NULL};

    check("dd", fig_2_6, 5, 1, 0);
    check("dd", fig_2_14, 4, 2, 2);
    check("rwdd", fig_2_14, 4, 2, 2);
    check("dd", fig_2_16, 6, 0, 0);
    check("dd", fig_2_17, 6, 3, 2);
    check("", fig_2_17, 6, 3, 2);
    check("dd", circle, 30, 12, 3);
    check("plain", circle, 30, 12, 0);
}

/* Who waits for what in the circle that is foretold. */
static void cycle_is_told(void)
{
    static const char *const program[] = {"abBA", "bcCB", "caAC", NULL};

    explore("dd", program);
    CHECK(predicted == 3);
    CHECK(cycle.n == 3);
    for (unsigned i = 0; i < cycle.n; i++) {
        CHECK(cycle.members[i].wants == cycle.members[(i + 1) % cycle.n].holds);
        CHECK(cycle.members[i].name == cycle.members[i].tid + 100u);
    }
}

/* What is seen after the last path is told of, too, in one more execution. */
static void all_is_told(void)
{
    static const char *const program[] = {"cabBAC", "cCbaAB", "abBA", NULL};
    static const char *const parameters[] = {"dd", "rwdd", "dd,order=newest", "dd,order=random"};

    for (unsigned i = 0; i < 4; i++) {
        struct pl_paths p = explore(parameters[i], program);

        CHECK(p.reports > 0);
        CHECK(p.stuck == 0);
        CHECK(predicted == p.reports);
    }
}

/* From hand to hand along a list: locks that are not nested make no circle (F). */
static void hand_over_hand(void)
{
    static const char *const program[] = {"whWH", "whWH", NULL};
    static const char *const nested[] = {"whHW", "whHW", NULL};

    CHECK(explore("dd", program).reports == 0);
    CHECK(explore("dd", nested).reports == 0);
}

/* A deadlock that is reached is shown: the thread that has it ends with a lock held. */
static void real_deadlock(void)
{
    static const char *const program[] = {"a", "aA", NULL};
    unsigned deadlocks;
    struct pl_paths p = explore_losing("dd", program, 0, &deadlocks);

    CHECK(p.stuck == 1);
    CHECK(p.reports == 1);
    CHECK(deadlocks == 1);
}

/* Blocks that write the same are tried in both orders, others in one. */
static void conflicts(void)
{
    static const char *const same[] = {"a0A", "a0A", NULL};
    static const char *const other[] = {"a0A", "a1A", NULL};

    CHECK(explore("rw", same).finished == 2);
    CHECK(explore("rw", other).finished == 1);
}

/* Verdicts do not depend on who is chosen first. */
static void any_order(void)
{
    static const char *const program[] = {"abBA", "bcCB", "caAC", NULL};
    static const char *const parameters[] = {"dd", "dd,order=newest", "dd,order=random"};

    for (unsigned i = 0; i < 3; i++) {
        struct pl_paths p = explore(parameters[i], program);

        CHECK(p.finished == 24);
        CHECK(p.reports > 0);
    }
}

static void parameters_are_checked(void)
{
    static const char *const bad[] = {"fast", "dd,cuts=c", "order=last", "rw,bound=3"};

    for (unsigned i = 0; i < 4; i++) {
        struct pl_strategy_context c = fresh(bad[i]);

        CHECK(pl_exitblock.start(&c) != NULL);
    }
}

/* ---- sets ---- */

static unsigned char *arena;
static struct pl_cuts *cuts;

static uint32_t set_of(pl_tid tid, uint64_t addr, uint64_t size, enum pl_effect effect)
{
    pl_cuts_open(cuts, tid);
    pl_blocks_touch(&cuts->blocks, addr, size, effect);
    return pl_cuts_close(cuts, false);
}

static void start_cuts(void)
{
    arena = machine_context("", MACHINE_ARENA).arena;
    cuts = (struct pl_cuts *)arena;
    pl_blocks_start(&cuts->blocks, pl_arena_of(arena + (8 << 20), 16 << 20));
    pl_chain_start(&cuts->chain, pl_arena_of(arena + (32 << 20), 16 << 20));
}

static void sets_meet_in_bytes(void)
{
    start_cuts();
    uint32_t low = set_of(1, 64, 4, PL_EFFECT_WRITE), high = set_of(2, 68, 4, PL_EFFECT_WRITE);
    uint32_t across = set_of(3, 67, 20, PL_EFFECT_READ), add = set_of(4, 64, 4, PL_EFFECT_ADD);
    uint32_t also = set_of(5, 64, 4, PL_EFFECT_ADD), part = set_of(6, 64, 2, PL_EFFECT_ADD);
    uint32_t read = set_of(7, 64, 8, PL_EFFECT_READ), none = set_of(8, 64, 8, PL_EFFECT_NONE);
    const struct pl_blocks *b = &cuts->blocks;

    CHECK(!pl_blocks_conflict(b, low, high));
    CHECK(pl_blocks_conflict(b, low, across));
    CHECK(pl_blocks_conflict(b, across, high));
    CHECK(!pl_blocks_conflict(b, add, also));
    CHECK(pl_blocks_conflict(b, add, part));
    CHECK(pl_blocks_conflict(b, add, read));
    CHECK(!pl_blocks_conflict(b, across, read));
    CHECK(pl_blocks_conflict(b, low, add));
    CHECK(b->sets[none].n == 0);
    CHECK(!pl_blocks_conflict(b, none, low));
}

/* Many cells, in any order, some of them twice; then two sets as one. */
static void sets_are_sorted(void)
{
    start_cuts();
    struct pl_blocks *b = &cuts->blocks;

    pl_cuts_open(cuts, 1);
    for (uint64_t i = 0; i < 20000; i++)
        pl_blocks_touch(b, (i * 7919 % 10000) * 8 + 8, 8, PL_EFFECT_WRITE);
    uint32_t large = pl_cuts_close(cuts, false);

    CHECK(b->sets[large].n == 10000);
    for (uint32_t i = 1; i < b->sets[large].n; i++)
        CHECK(b->cells[b->sets[large].first + i - 1].granule <
              b->cells[b->sets[large].first + i].granule);
    uint32_t inside = set_of(2, 8 * 5000, 1, PL_EFFECT_READ);
    uint32_t outside = set_of(2, 8 * 20000, 1, PL_EFFECT_READ);

    CHECK(pl_blocks_conflict(b, large, inside));
    CHECK(!pl_blocks_conflict(b, large, outside));
    pl_blocks_merge(b, inside);
    uint32_t writer = set_of(3, 8 * 20000, 1, PL_EFFECT_WRITE);

    CHECK(pl_blocks_conflict(b, inside, writer));
}

static void take_lock(pl_tid tid, enum pl_op_kind kind, uint64_t addr)
{
    struct pl_operation op = {
        .kind = (uint8_t)kind, .tid = tid, .addr = addr, .effect = PL_EFFECT_WRITE};

    pl_cuts_perform(cuts, &op);
}

/* Readers are in nobody's way but a writer's, wherever their blocks end. */
static void read_and_write_sides(void)
{
    static const bool expected[4][4] = {
        {false, false, false, true},
        {false, false, true, true},
        {false, true, false, true},
        {true, true, true, true},
    }; /* reader within, reader across, writer within, writer across */
    uint32_t sets[2][4];

    start_cuts();
    for (unsigned side = 0; side < 2; side++) {
        for (unsigned i = 0; i < 4; i++) {
            pl_tid tid = (pl_tid)(1 + side * 4 + i);

            pl_cuts_open(cuts, tid);
            take_lock(tid, i < 2 ? PL_OP_RWLOCK_READ : PL_OP_RWLOCK_WRITE, 64);
            if (i % 2 == 0)
                take_lock(tid, PL_OP_RWLOCK_UNLOCK, 64);
            sets[side][i] = pl_cuts_close(cuts, false);
        }
    }
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned j = 0; j < 4; j++)
            CHECK(pl_blocks_conflict(&cuts->blocks, sets[0][i], sets[1][j]) == expected[i][j]);
    }
}

static void access_by(pl_tid tid, enum pl_op_kind kind, uint64_t addr)
{
    struct pl_operation op = {.kind = (uint8_t)kind,
                              .tid = tid,
                              .addr = addr,
                              .size = 4,
                              .pc = addr + tid,
                              .effect = kind == PL_OP_READ ? PL_EFFECT_READ : PL_EFFECT_WRITE};

    pl_cuts_perform(cuts, &op);
}

static void note(pl_tid tid, enum pl_op_kind kind, pl_tid other)
{
    struct pl_operation op = {
        .kind = (uint8_t)kind, .way = PL_WAY_NORMAL, .tid = tid, .aux = other};

    pl_cuts_note(cuts, &op);
}

static void start_discipline(void)
{
    start_cuts();
    pl_discipline_start(&cuts->discipline, pl_arena_of(arena + (48 << 20), 8 << 20));
    pl_cuts_open(cuts, 1);
}

/* Without the lock that others hold; bytes beside it are another matter. */
static void missing_lock(void)
{
    start_discipline();
    take_lock(1, PL_OP_MUTEX_LOCK, 64);
    access_by(1, PL_OP_WRITE, 800);
    take_lock(1, PL_OP_MUTEX_UNLOCK, 64);
    access_by(2, PL_OP_WRITE, 804);
    CHECK(cuts->discipline.outside.pc == 0);
    struct pl_cuts_mark mark = pl_cuts_mark(cuts);

    for (unsigned i = 0; i < 2; i++) { /* the second time after all of it has been undone */
        take_lock(2, PL_OP_MUTEX_LOCK, 64);
        access_by(2, PL_OP_WRITE, 800);
        take_lock(2, PL_OP_MUTEX_UNLOCK, 64);
        CHECK(cuts->discipline.outside.pc == 0);
        access_by(1, PL_OP_READ, 800);
        CHECK(cuts->discipline.outside.pc == 801);
        CHECK(cuts->discipline.outside.addr == 800);
        pl_cuts_back(cuts, mark);
        cuts->discipline.outside.pc = 0;
    }
}

/* A reader's lock does not protect a write. */
static void readers_lock(void)
{
    start_discipline();
    for (pl_tid tid = 1; tid <= 3; tid++) {
        take_lock(tid, PL_OP_RWLOCK_READ, 64);
        access_by(tid, PL_OP_READ, 800);
    }
    CHECK(cuts->discipline.outside.pc == 0);
    access_by(3, PL_OP_WRITE, 800);
    CHECK(cuts->discipline.outside.pc == 803);
}

/* What a thread does that gives birth to another. */
static void create(pl_tid tid, pl_tid child)
{
    struct pl_operation op = {.kind = PL_OP_THREAD_CREATE, .tid = tid, .aux = child};

    pl_cuts_perform(cuts, &op);
}

static void perform_on(pl_tid tid, enum pl_op_kind kind, uint64_t addr, enum pl_effect effect)
{
    struct pl_operation op = {
        .kind = (uint8_t)kind, .tid = tid, .addr = addr, .effect = (uint8_t)effect};

    pl_cuts_perform(cuts, &op);
}

/* Set up before a thread exists, used by it alone, looked at when it has been joined. */
static void handed_over(void)
{
    start_discipline();
    access_by(0, PL_OP_WRITE, 800);
    create(0, 1);
    access_by(1, PL_OP_WRITE, 800);
    note(0, PL_OP_THREAD_JOIN, 1);
    access_by(0, PL_OP_WRITE, 800);
    CHECK(cuts->discipline.outside.pc == 0);
    create(0, 2);
    access_by(2, PL_OP_WRITE, 800);
    CHECK(cuts->discipline.outside.pc == 0);
    access_by(0, PL_OP_WRITE, 800); /* it has not been joined */
    CHECK(cuts->discipline.outside.pc == 800);
    CHECK(cuts->discipline.outside.other_pc == 802);
}

/* Who joins knows, and nobody else does. */
static void joined_by_another(void)
{
    start_discipline();
    create(0, 1);
    create(0, 2);
    access_by(1, PL_OP_WRITE, 800);
    note(0, PL_OP_THREAD_JOIN, 1);
    access_by(2, PL_OP_WRITE, 800);
    CHECK(cuts->discipline.outside.pc == 802);
}

/* A post tells what came before it, and nothing that comes later. */
static void told_by_semaphore(void)
{
    start_discipline();
    access_by(1, PL_OP_WRITE, 800);
    perform_on(1, PL_OP_SEM_POST, 64, PL_EFFECT_ADD);
    access_by(1, PL_OP_WRITE, 900);
    perform_on(2, PL_OP_SEM_WAIT, 64, PL_EFFECT_WRITE);
    access_by(2, PL_OP_READ, 800);
    CHECK(cuts->discipline.outside.pc == 0);
    access_by(2, PL_OP_READ, 900);
    CHECK(cuts->discipline.outside.pc == 902);
}

/* Written under a lock and read under it, a flag tells what came before; the lock alone does not.
 */
static void told_by_flag(void)
{
    for (unsigned reads = 0; reads < 2; reads++) {
        start_discipline();
        access_by(1, PL_OP_WRITE, 800);
        take_lock(1, PL_OP_MUTEX_LOCK, 64);
        access_by(1, PL_OP_WRITE, 900);
        take_lock(1, PL_OP_MUTEX_UNLOCK, 64);
        take_lock(2, PL_OP_MUTEX_LOCK, 64);
        if (reads != 0)
            access_by(2, PL_OP_READ, 900);
        take_lock(2, PL_OP_MUTEX_UNLOCK, 64);
        access_by(2, PL_OP_READ, 800);
        CHECK(cuts->discipline.outside.pc == (reads != 0 ? 0 : 802));
    }
}

/* The whole and its parts; an earlier access without the lock is not forgotten. */
static void pairs_of_bytes(void)
{
    start_discipline();
    access_by(1, PL_OP_WRITE, 806); /* into the next eight bytes */
    access_by(2, PL_OP_READ, 804);
    CHECK(cuts->discipline.outside.pc == 806 && cuts->discipline.outside.addr == 806);
    start_discipline();
    access_by(1, PL_OP_WRITE, 800);
    take_lock(1, PL_OP_MUTEX_LOCK, 64);
    access_by(1, PL_OP_WRITE, 800);
    take_lock(1, PL_OP_MUTEX_UNLOCK, 64);
    take_lock(2, PL_OP_MUTEX_LOCK, 64);
    access_by(2, PL_OP_WRITE, 800);
    CHECK(cuts->discipline.outside.pc == 802);
}

/* Locks of one thread end no blocks, until another takes one of them. */
static void own_locks(void)
{
    struct pl_operation unlock = {
        .kind = PL_OP_MUTEX_UNLOCK, .tid = 1, .addr = 64, .effect = PL_EFFECT_WRITE};

    start_discipline();
    take_lock(1, PL_OP_MUTEX_LOCK, 64);
    CHECK(pl_cuts_perform(cuts, &unlock));
    CHECK(pl_cuts_judge(cuts));
    CHECK(!pl_cuts_judge(cuts));
    take_lock(1, PL_OP_MUTEX_LOCK, 64);
    CHECK(!pl_cuts_perform(cuts, &unlock) && !cuts->again);
    take_lock(2, PL_OP_MUTEX_LOCK, 64);
    CHECK(cuts->again);
    take_lock(2, PL_OP_MUTEX_UNLOCK, 64);
    take_lock(1, PL_OP_MUTEX_LOCK, 64);
    CHECK(pl_cuts_perform(cuts, &unlock));
}

int main(void)
{
    three_regions();
    closed_forms();
    figures();
    cycle_is_told();
    all_is_told();
    hand_over_hand();
    real_deadlock();
    conflicts();
    any_order();
    parameters_are_checked();
    sets_meet_in_bytes();
    sets_are_sorted();
    read_and_write_sides();
    missing_lock();
    readers_lock();
    handed_over();
    joined_by_another();
    told_by_semaphore();
    told_by_flag();
    pairs_of_bytes();
    own_locks();
    return unit_result();
}
