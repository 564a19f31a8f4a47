/* SPDX-License-Identifier: MIT */
/*
 * Value schedules on the little machine, with tables of pairs made of the programs: the worked
 * samples of Chen's thesis with the numbers of schedules that an independent enumeration gives,
 * what came of attempts, and drawn programs against all interleavings.
 */
#include "unit.h"

#include "base/rng.h"
#include "machine.h"
#include "model/depend.h"
#include "strategy/shared/table.h"
#include "trace/pairs.h"

#include <stdlib.h>

enum { MOST = 1 << 16, CLASSES = 1 << 14, PROGRAMS = 80, PLACES = MACHINE_THREADS * MACHINE_STEPS };
enum {
    X = 0x1000,
    Y = 0x1008,
    Z = 0x1010,
    B = 0x1018,
    M = 0x2000,
    N = 0x2040,
    O = 0x2080,
    C = 0x3000
};

static struct machine machine;
static struct pl_judgements verdicts;

/* ---- the table of a program ---- */

static uint64_t pc_of(unsigned t, unsigned step)
{
    return t * MACHINE_STEPS + step + 1;
}

static void place_steps(struct machine_program *p)
{
    for (unsigned t = 0; t < p->n; t++) {
        for (unsigned i = 0; i < MACHINE_STEPS; i++)
            p->threads[t].steps[i].pc = pc_of(t, i);
    }
}

static unsigned stack_of(pl_tid tid, uint64_t *pcs, unsigned room, bool *whole)
{
    *whole = !machine.at[tid].created;
    pcs[0] = machine.ops[tid].pc;
    return room > 0 ? 1 : 0;
}

static bool is_lock(const struct machine_step *s)
{
    return pl_operation_is(s->kind, PL_ROLE_ACQUIRES);
}

static bool may_be(const struct machine_step *a, uint64_t addr, bool coarse)
{
    bool memory = pl_operation_object(a->kind) == PL_OBJECT_MEMORY;

    return (coarse && memory) || a->addr / 16 == addr / 16 ||
           (a->elsewhere != 0 && a->elsewhere / 16 == addr / 16);
}

static bool same_object(const struct machine_step *a, const struct machine_step *b, bool coarse)
{
    bool memory = pl_operation_object(a->kind) == PL_OBJECT_MEMORY &&
                  pl_operation_object(b->kind) == PL_OBJECT_MEMORY;

    if (memory)
        return may_be(a, b->addr, coarse) || (b->elsewhere != 0 && may_be(a, b->elsewhere, coarse));
    return a->addr == b->addr;
}

/* The kind of pair that two steps of different threads are; PL_PAIR_KINDS: none. */
static unsigned kind_of(const struct machine_step *a, const struct machine_step *b, bool coarse)
{
    bool a_waits = pl_operation_is(a->kind, PL_ROLE_GIVES_UP);
    bool b_waits = pl_operation_is(b->kind, PL_ROLE_GIVES_UP);
    bool tries = pl_operation_is(a->kind, PL_ROLES(TRIES, TIMED)) ||
                 pl_operation_is(b->kind, PL_ROLES(TRIES, TIMED));

    if (a_waits && b_waits)
        return a->other == b->other ? PL_PAIR_WW : PL_PAIR_KINDS;
    if (a_waits || b_waits) {
        const struct machine_step *wait = a_waits ? a : b, *s = a_waits ? b : a;

        if (pl_operation_is(s->kind, PL_ROLE_WAKES))
            return s->addr == wait->addr ? PL_PAIR_WN : PL_PAIR_KINDS;
        if (s->addr == wait->other && is_lock(s))
            return tries ? PL_PAIR_TRY : PL_PAIR_WM;
        return s->addr == wait->other && tries ? PL_PAIR_TRY : PL_PAIR_KINDS;
    }
    if (a->addr == 0 || b->addr == 0 || pl_operation_is(a->kind, PL_ROLES(CREATES, JOINS)) ||
        pl_operation_is(b->kind, PL_ROLES(CREATES, JOINS)) || !same_object(a, b, coarse))
        return PL_PAIR_KINDS;
    if (pl_operation_object(a->kind) == PL_OBJECT_MEMORY)
        return pl_operation_is(a->kind, PL_ROLE_LOADS) && pl_operation_is(b->kind, PL_ROLE_LOADS)
                   ? PL_PAIR_KINDS
                   : PL_PAIR_RW;
    if (pl_operation_object(a->kind) == PL_OBJECT_SEM)
        return PL_PAIR_SEM;
    if (pl_operation_object(a->kind) == PL_OBJECT_COND)
        return PL_PAIR_WN;
    if (tries)
        return PL_PAIR_TRY;
    return is_lock(a) && is_lock(b) ? PL_PAIR_MM : PL_PAIR_KINDS;
}

static struct {
    struct pl_pairs_site sites[PLACES];
    struct pl_pairs_pair pairs[PLACES * 8];
    struct pl_pairs_root roots[MACHINE_THREADS];
    struct pl_pair_position positions[PLACES];
    struct pl_pair_place places[PLACES];
    uint64_t rows[(PLACES + MACHINE_THREADS) * ((PLACES + 63) / 64)];
    uint32_t targets[PLACES];
    struct pl_pairs_parts parts;
} making;

static const struct machine_step *step_at(const struct machine_program *p, uint32_t site)
{
    return &p->threads[site / MACHINE_STEPS].steps[site % MACHINE_STEPS];
}

/* Each step is a site, from which all later ones of its thread can be reached. */
static void make_sites(const struct machine_program *p)
{
    uint32_t n = p->n * MACHINE_STEPS, words = (n + 63) / 64;
    bool creates = p->threads[0].steps[0].kind == PL_OP_THREAD_CREATE;

    memset(&making, 0, sizeof(making));
    for (uint32_t i = 0; i < n; i++) {
        const struct machine_step *s = step_at(p, i);

        making.sites[i] = (struct pl_pairs_site){
            {.op = (uint8_t)s->kind,
             .position = i,
             .target = i,
             .line = i + 1,
             .roots = creates ? UINT64_C(1) << (i / MACHINE_STEPS) : 0,
             .creates = s->kind == PL_OP_THREAD_CREATE ? UINT64_C(1) << s->addr : 0},
            "drawn.c",
            "f",
            NULL};
        making.positions[i] = (struct pl_pair_position){i, i, i + 1};
        making.places[i] = (struct pl_pair_place){.pc = i + 1, .position = i};
        making.targets[i] = i;
        for (uint32_t j = i; j < (i / MACHINE_STEPS + 1) * MACHINE_STEPS; j++)
            making.rows[i * words + j / 64] |= UINT64_C(1) << (j % 64);
        if (i % MACHINE_STEPS == MACHINE_STEPS - 1)
            making.positions[i].past = n; /* an empty row */
    }
    for (unsigned t = 0; t < p->n; t++)
        making.roots[t] =
            (struct pl_pairs_root){{.created = PL_PAIR_NONE, .row = t * MACHINE_STEPS}, "f"};
}

/* Without pairs of what is at `but`. */
static struct pl_pair_table *make_table(const struct machine_program *p, bool coarse, uint64_t but)
{
    static struct pl_pairs_module module = {""};
    uint32_t n = p->n * MACHINE_STEPS, n_pairs = 0;

    make_sites(p);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = (a / MACHINE_STEPS + 1) * MACHINE_STEPS; b < n; b++) {
            unsigned kind = kind_of(step_at(p, a), step_at(p, b), coarse);

            if (kind == PL_PAIR_KINDS || step_at(p, a)->addr == but || step_at(p, b)->addr == but ||
                step_at(p, a)->kind == PL_OP_NONE || step_at(p, b)->kind == PL_OP_NONE)
                continue;
            PL_ASSERT(n_pairs < PLACES * 8);
            making.pairs[n_pairs++] =
                (struct pl_pairs_pair){{.a = a,
                                        .b = b,
                                        .kind = (uint8_t)kind,
                                        .priority = (uint16_t)pl_pair_priority(kind)},
                                       "x",
                                       NULL,
                                       NULL};
        }
    }
    struct pl_pairs_parts parts = {.sites = making.sites,
                                   .pairs = making.pairs,
                                   .roots = making.roots,
                                   .positions = making.positions,
                                   .places = making.places,
                                   .modules = &module,
                                   .rows = making.rows,
                                   .targets = making.targets,
                                   .n_sites = n,
                                   .n_pairs = n_pairs,
                                   .n_roots = p->n,
                                   .n_positions = n,
                                   .n_places = n,
                                   .n_modules = 1,
                                   .n_rows = n + 1,
                                   .n_targets = n};

    return pl_pairs_pack(&parts);
}

static struct pl_pair_table *table_of(const struct machine_program *p, bool coarse)
{
    return make_table(p, coarse, 0);
}

static struct pl_pair_table *table_without(const struct machine_program *p, uint64_t addr)
{
    return make_table(p, false, addr);
}

/* ---- all executions ---- */

struct seen {
    uint64_t class[CLASSES];
    unsigned n, executions, whole, aborted, samples, findings;
    bool left_out;
};

static struct seen all, guided;

static bool is_new(struct seen *seen, uint64_t class)
{
    unsigned low = 0, high = seen->n;

    while (low < high) {
        unsigned middle = (low + high) / 2;

        if (seen->class[middle] < class)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < seen->n && seen->class[low] == class)
        return false;
    memmove(seen->class + low + 1, seen->class + low, (seen->n - low) * sizeof(class));
    seen->class[low] = class;
    seen->n++;
    return true;
}

/* Classes that end with X as it was, or as Y is, and with another value. */
static unsigned passed, failed;
static bool compares_accounts, is_pruned;

static bool is_right(void)
{
    return machine_value(&machine, X) == (compares_accounts ? machine_value(&machine, Y) : 0);
}

/* Which orders dfs has shown: bits by pair and direction, found in another way than by values. */
static uint8_t shown[PLACES * 8];

static bool is_about(const struct pl_pair *p, const struct pl_operation *op)
{
    return pl_pair_concerns(p->kind, op->kind) || (p->kind == PL_PAIR_WN && pl_depend_leaves(op));
}

static bool both_are(const struct pl_pair *p, const struct pl_operation *a,
                     const struct pl_operation *b)
{
    return is_about(p, a) && is_about(p, b);
}

static void note_orders(const struct pl_pair_table *t)
{
    const struct pl_pair *p = pl_pair_pairs(t);

    for (unsigned i = 0; i < machine.run.n; i++) {
        for (unsigned j = i + 1; j < machine.run.n; j++) {
            const struct pl_operation *a = &machine.performed[i], *b = &machine.performed[j];

            if (a->tid == b->tid || !pl_depend(a, b))
                continue;
            for (uint32_t k = 0; k < t->n_pairs; k++) {
                if (p[k].a == a->pc - 1 && p[k].b == b->pc - 1 && both_are(&p[k], a, b))
                    shown[k] |= 1;
                if (p[k].b == a->pc - 1 && p[k].a == b->pc - 1 && both_are(&p[k], a, b))
                    shown[k] |= 2;
            }
        }
    }
}

/* All executions of one round of a strategy; false if there are too many. */
static bool explore_round(const struct pl_strategy *s, const char *parameters,
                          const struct machine_program *p, const struct pl_pair_table *table,
                          uint64_t round, struct seen *seen)
{
    struct pl_strategy_context c = machine_context(parameters, MACHINE_ARENA);
    bool more = true;

    memset(seen, 0, sizeof(*seen));
    memset(&verdicts, 0, sizeof(verdicts));
    passed = failed = 0;
    c.pairs = table;
    c.stack = stack_of;
    c.verdicts = &verdicts;
    CHECK(s->start(&c) == NULL);
    c.round = round;
    s->search->adopt(&c, NULL, 0);
    while (more && seen->executions < MOST && seen->n < CLASSES - 1) {
        enum pl_outcome outcome =
            machine_execute(&machine, p, s, &c, ++seen->executions, MACHINE_ALL);
        bool sample = s->sample != NULL && s->sample(&c);

        if (s == &pl_dfs && table != NULL)
            note_orders(table);
        seen->samples += sample;
        seen->aborted += !sample && outcome == PL_OUTCOME_ABORTED;
        if (!sample && outcome != PL_OUTCOME_ABORTED) {
            seen->whole++;
            if (is_new(seen, machine_class(&machine))) {
                seen->findings += outcome == PL_OUTCOME_FINDING;
                passed += is_right();
                failed += !is_right();
            }
        }
        more = s->end(&c, outcome, false);
    }
    seen->left_out = s->rounds != NULL && s->rounds->left_out(&c);
    is_pruned = s->pruned != NULL && s->pruned(&c);
    CHECK(!given.divergence.happened);
    return !more;
}

static bool explore(const struct pl_strategy *s, const char *parameters,
                    const struct machine_program *p, const struct pl_pair_table *table,
                    struct seen *seen)
{
    return explore_round(s, parameters, p, table, 0, seen);
}

/* Every order that exists has been shown, and no other; each attempt has a verdict. */
static void check_orders(const struct pl_pair_table *t)
{
    CHECK(verdicts.overlooked == 0);
    for (uint32_t i = 0; i < t->n_pairs; i++) {
        for (unsigned d = 0; d < 2; d++) {
            const struct pl_judged *of = &verdicts.pairs[i][d];
            uint32_t sum = 0;

            for (unsigned k = 0; k < PL_JUDGED_KINDS; k++)
                sum += of->of[k];
            CHECK(sum == of->attempts);
            CHECK((of->shown != 0) == ((shown[i] >> d & 1) != 0));
        }
    }
}

/* One whole execution of each class that dfs shows, with every choice of parameters. */
static unsigned compare(struct machine_program p, bool coarse)
{
    static const char *const ways[] = {"", "priority=no", "reachability=no", "order=newest",
                                       "priority=no,reachability=no,order=newest"};

    place_steps(&p);
    struct pl_pair_table *table = table_of(&p, coarse);

    CHECK(table != NULL && pl_pair_is_sound(table, table->size));
    memset(shown, 0, sizeof(shown));
    if (!explore(&pl_dfs, "", &p, table, &all)) {
        free(table);
        return 0;
    }
    for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        CHECK(explore(&pl_values, ways[i], &p, table, &guided));
        CHECK(!guided.left_out);
        CHECK(guided.n == all.n && memcmp(guided.class, all.class, all.n * sizeof(uint64_t)) == 0);
        CHECK(guided.whole == guided.n);
        CHECK(guided.findings == all.findings);
        CHECK((guided.samples == 0) == (i == 1 || i == 4));
        check_orders(table);
    }
    CHECK(explore(&pl_values, "", &p, table, &guided));
    free(table);
    return all.n;
}

/* ---- little programs ---- */

static void add_update(struct machine_program *p, unsigned t, uint64_t addr, int64_t by)
{
    struct machine_step *s;

    machine_add(p, t, PL_OP_READ, addr);
    s = machine_add(p, t, PL_OP_WRITE, addr);
    s->relative = true;
    s->value = (uint64_t)by;
}

static void add_lock(struct machine_program *p, unsigned t, uint64_t mutex)
{
    machine_add(p, t, PL_OP_MUTEX_LOCK, mutex);
}

static void add_unlock(struct machine_program *p, unsigned t, uint64_t mutex)
{
    machine_add(p, t, PL_OP_MUTEX_UNLOCK, mutex);
}

static void figure_2_3(void)
{
    struct machine_program p = {.n = 2};

    add_lock(&p, 0, M);
    machine_add(&p, 0, PL_OP_WRITE, X)->value = 1;
    add_unlock(&p, 0, M);
    add_lock(&p, 0, M);
    add_update(&p, 0, X, 1);
    add_unlock(&p, 0, M);
    add_lock(&p, 1, M);
    machine_add(&p, 1, PL_OP_READ, X);
    add_unlock(&p, 1, M);
    CHECK(compare(p, false) == 3);
}

/* ---- verdicts ---- */

/* What came of attempts to perform step b of its thread before step a of the other. */
static const struct pl_judged *judged(const struct pl_pair_table *t, uint64_t a, uint64_t b)
{
    const struct pl_pair *p = pl_pair_pairs(t);

    for (uint32_t i = 0; i < t->n_pairs; i++) {
        if ((p[i].a == a - 1 && p[i].b == b - 1) || (p[i].a == b - 1 && p[i].b == a - 1))
            return pl_judged_of(&verdicts, i, pl_judged_direction(&p[i], (uint32_t)b - 1));
    }
    CHECK(!"there is such a pair");
    return &verdicts.pairs[0][0];
}

/* Explore and say how step b before step a fared: NULL parameters are the default ones. */
static struct pl_judged fate(struct machine_program p, bool coarse, uint64_t a, uint64_t b)
{
    place_steps(&p);
    struct pl_pair_table *table = table_of(&p, coarse);

    CHECK(explore(&pl_values, "", &p, table, &guided));
    struct pl_judged of = *judged(table, a, b);

    free(table);
    return of;
}

/* How many pairs of a kind the table has. */
static unsigned pairs_of(struct machine_program p, unsigned kind)
{
    struct pl_pair_table *table = table_of(&p, false);
    unsigned n = 0;

    for (uint32_t i = 0; i < table->n_pairs; i++)
        n += pl_pair_pairs(table)[i].kind == kind;
    free(table);
    return n;
}

/* The write of a is behind a branch that is never taken. */
static void figure_2_7(void)
{
    struct machine_program p = {.n = 2};
    struct machine_step *s;

    machine_add(&p, 0, PL_OP_WRITE, B)->value = 1;
    machine_add(&p, 0, PL_OP_READ, X);
    machine_add(&p, 0, PL_OP_WRITE, B)->value = (uint64_t)-1;
    s = machine_add(&p, 1, PL_OP_READ, B);
    s->test = MACHINE_NOT_LESS;
    s->skip = 1;
    machine_add(&p, 1, PL_OP_WRITE, X);
    CHECK(compare(p, false) == 3);
    struct pl_judged f = fate(p, false, pc_of(0, 1), pc_of(1, 1));

    CHECK(f.attempts > 0 && f.of[PL_JUDGED_FULFILLED] == 0 && f.shown == 0);
    CHECK(f.of[PL_JUDGED_BRANCH] == f.attempts && f.why == PL_JUDGED_BRANCH + 1);
    CHECK(f.from == pc_of(1, 0)); /* from the read of b past the write */
}

/* The write that might make the sum wrong is to b, which T1 calls a by then. */
static void figure_1_1(void)
{
    struct machine_program p = {.n = 2};

    machine_add(&p, 0, PL_OP_WRITE, X);
    machine_add(&p, 0, PL_OP_WRITE, Z)->value = 3;
    machine_add(&p, 0, PL_OP_WRITE, 0x1100);
    machine_add(&p, 1, PL_OP_WRITE, X)->value = 1;
    machine_add(&p, 1, PL_OP_READ, X);
    CHECK(compare(p, true) == 3);
    CHECK(fate(p, true, pc_of(0, 2), pc_of(1, 1)).of[PL_JUDGED_FULFILLED] == 0);
    CHECK(fate(p, true, pc_of(0, 2), pc_of(1, 1)).of[PL_JUDGED_ALIAS] > 0);
}

/* v1 is written behind a dead branch, v2 at another index; v3 is a lock, v4 the division. */
static void figure_3_1(void)
{
    enum { V1 = 0x1100, V2 = 0x1200, V4 = 0x1300, DEAD = 0x1400 };
    struct machine_program p = {.n = 2};
    struct machine_step *s;

    machine_add(&p, 0, PL_OP_READ, V1);
    machine_add(&p, 0, PL_OP_READ, V2 + 16);
    add_lock(&p, 0, M);
    add_unlock(&p, 0, M);
    machine_add(&p, 0, PL_OP_READ, V4);
    machine_add(&p, 0, PL_OP_WRITE, X)->relative = true; /* what it divides by; not 0 is wrong */
    s = machine_add(&p, 1, PL_OP_READ, DEAD);
    s->test = MACHINE_EQUAL;
    s->skip = 1;
    machine_add(&p, 1, PL_OP_WRITE, V1);
    machine_add(&p, 1, PL_OP_WRITE, V2 + 32);
    add_lock(&p, 1, M);
    add_unlock(&p, 1, M);
    add_update(&p, 1, V4, 1);
    CHECK(compare(p, true) == 4);
    CHECK(passed == 2 && failed == 2);
    struct pl_judged v1 = fate(p, true, pc_of(0, 0), pc_of(1, 1));

    CHECK(v1.of[PL_JUDGED_BRANCH] > 0 && v1.of[PL_JUDGED_FULFILLED] == 0 && v1.shown == 0);
    struct pl_judged v2 = fate(p, true, pc_of(0, 1), pc_of(1, 2));

    CHECK(v2.of[PL_JUDGED_ALIAS] > 0 && v2.of[PL_JUDGED_FULFILLED] == 0 && v2.shown == 0);
    CHECK(v2.why == PL_JUDGED_ALIAS + 1 && v2.from == V2 + 16 && v2.to == V2 + 32);
    struct pl_judged v3 = fate(p, true, pc_of(0, 2), pc_of(1, 3));

    CHECK(v3.of[PL_JUDGED_FULFILLED] > 0);
    struct pl_judged v4 = fate(p, true, pc_of(0, 4), pc_of(1, 6));

    CHECK(v4.of[PL_JUDGED_FULFILLED] > 0);
}

static void figure_4_2(void)
{
    struct machine_program crossed = {.n = 2}, squeezed = {.n = 2};

    for (unsigned t = 0; t < 2; t++) {
        add_lock(&crossed, t, t == 0 ? M : N);
        add_lock(&crossed, t, t == 0 ? N : M);
        add_unlock(&crossed, t, t == 0 ? N : M);
        add_unlock(&crossed, t, t == 0 ? M : N);
    }
    CHECK(compare(crossed, false) == 3 && all.findings == 1);
    for (unsigned i = 0; i < 3; i++) {
        add_lock(&squeezed, i / 2, M);
        add_unlock(&squeezed, i / 2, M);
    }
    CHECK(compare(squeezed, false) == 3 && all.findings == 0);
}

static void add_wait(struct machine_program *p, unsigned t)
{
    add_lock(p, t, M);
    machine_add(p, t, PL_OP_COND_WAIT, C)->other = M;
    add_unlock(p, t, M);
}

static void add_notify(struct machine_program *p, unsigned t, enum pl_op_kind kind, bool locked)
{
    if (locked)
        add_lock(p, t, M);
    machine_add(p, t, kind, C);
    if (locked)
        add_unlock(p, t, M);
}

static void figure_4_7(void)
{
    struct machine_program p = {.n = 2};

    machine_add(&p, 0, PL_OP_WRITE, X)->value = 1;
    add_wait(&p, 0);
    machine_add(&p, 1, PL_OP_READ, X);
    add_notify(&p, 1, PL_OP_COND_BROADCAST, true);
    CHECK(compare(p, false) == 4 && all.findings == 2);
    place_steps(&p);
    CHECK(pairs_of(p, PL_PAIR_RW) == 1 && pairs_of(p, PL_PAIR_MM) == 1);
    CHECK(pairs_of(p, PL_PAIR_WM) == 1 && pairs_of(p, PL_PAIR_WN) == 1);
}

/* T1 books 10 to X and to Y, T2 takes them from there; with Y < 0 it sets X to 0. */
static struct machine_program accounts(bool third)
{
    struct machine_program p = {.n = third ? 3 : 2};
    struct machine_step *s;

    add_lock(&p, 0, M);
    add_update(&p, 0, X, 10);
    add_unlock(&p, 0, M);
    add_lock(&p, 0, N);
    add_update(&p, 0, Y, 10);
    add_unlock(&p, 0, N);
    add_lock(&p, 1, N);
    add_update(&p, 1, X, -10);
    s = machine_add(&p, 1, PL_OP_READ, Y);
    s->test = MACHINE_NOT_LESS;
    s->skip = 1;
    machine_add(&p, 1, PL_OP_WRITE, X);
    add_unlock(&p, 1, N);
    add_lock(&p, 1, N);
    add_update(&p, 1, Y, -10);
    add_unlock(&p, 1, N);
    if (third)
        machine_add(&p, 2, PL_OP_WRITE, Y)->value = (uint64_t)-999;
    return p;
}

enum { T2_LINE_5 = 4 }; /* its step */

static void figure_5_1(void)
{
    struct machine_program p = accounts(false);

    CHECK(compare(p, false) == 9);
    CHECK(passed == 5 && failed == 4);
    /* Never: T2 line 5, before or after anything. */
    for (unsigned step = 1; step <= 2; step++) {
        struct pl_judged f = fate(p, false, pc_of(0, step), pc_of(1, T2_LINE_5));

        CHECK(f.of[PL_JUDGED_FULFILLED] == 0 && f.shown == 0 && f.of[PL_JUDGED_BRANCH] > 0);
    }
}

static void figure_5_18(void)
{
    struct machine_program p = accounts(true);

    compares_accounts = true;
    CHECK(compare(p, false) == 60);
    CHECK(passed == 10 && failed == 50);
    compares_accounts = false;
    CHECK(fate(p, false, pc_of(0, 2), pc_of(1, T2_LINE_5)).of[PL_JUDGED_FULFILLED] > 0);
}

/* 5.1 without the blocks on Y. */
static void figure_6_2(void)
{
    struct machine_program p = {.n = 2};
    struct machine_step *s;

    add_lock(&p, 0, M);
    add_update(&p, 0, X, 10);
    add_unlock(&p, 0, M);
    add_lock(&p, 1, N);
    add_update(&p, 1, X, -10);
    s = machine_add(&p, 1, PL_OP_READ, Y);
    s->test = MACHINE_NOT_LESS;
    s->skip = 1;
    machine_add(&p, 1, PL_OP_WRITE, X);
    add_unlock(&p, 1, N);
    CHECK(compare(p, false) == 4);
    unsigned attempts = 0;

    for (unsigned step = 1; step <= 2; step++) {
        struct pl_judged f = fate(p, false, pc_of(0, step), pc_of(1, T2_LINE_5));

        CHECK(f.of[PL_JUDGED_FULFILLED] == 0 && f.of[PL_JUDGED_BRANCH] > 0);
        attempts += f.attempts;
    }
    CHECK(attempts == 3);
}

static void figures_6_9_and_6_10(void)
{
    for (unsigned n = 1; n <= 2; n++) {
        struct machine_program p = {.n = 2};

        for (unsigned i = 0; i < 2; i++)
            add_update(&p, 0, X, -10);
        for (unsigned i = 0; i < n; i++)
            add_update(&p, 1, X, 10);
        CHECK(compare(p, false) == (n == 1 ? 9 : 34));
    }
}

/* Which function is called depends on the sign: one of them accesses nothing. */
static void figure_6_13(void)
{
    struct machine_program p = {.n = 2};
    struct machine_step *s = machine_add(&p, 0, PL_OP_READ, X);

    s->test = MACHINE_LESS;
    s->than = (uint64_t)-10;
    s->skip = 2;
    add_update(&p, 0, X, -10);
    for (unsigned i = 0; i < 2; i++)
        add_update(&p, 1, X, -10);
    CHECK(compare(p, false) == 14);
}

/* s is X or Y, by a condition. */
static void figure_6_14(void)
{
    struct machine_program p = {.n = 2};

    for (unsigned t = 0; t < 2; t++)
        add_update(&p, t, X, t == 0 ? 10 : -10);
    p.threads[0].steps[0].elsewhere = p.threads[0].steps[1].elsewhere = 0x1100;
    p.threads[0].steps[0].test = p.threads[0].steps[1].test = MACHINE_LESS;
    p.threads[0].steps[0].than = p.threads[0].steps[1].than = (uint64_t)-1000;
    machine_add(&p, 1, PL_OP_READ, 0x1100);
    machine_add(&p, 1, PL_OP_WRITE, 0x1100);
    CHECK(compare(p, false) == 4);
    struct pl_judged f = fate(p, false, pc_of(0, 1), pc_of(1, 3));

    CHECK(f.of[PL_JUDGED_ALIAS] > 0 && f.of[PL_JUDGED_FULFILLED] == 0 && f.shown == 0);
}

static void rows_with_waits(void)
{
    static const struct {
        unsigned waiters, notifiers, entrants, classes, deadlocks;
    } rows[] = {{1, 1, 0, 2, 1}, {1, 1, 1, 7, 3}, {2, 1, 0, 10, 6}, {1, 2, 0, 8, 2}};

    for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        struct machine_program p = {.n = rows[i].waiters + rows[i].notifiers + rows[i].entrants};
        unsigned t = 0;

        for (unsigned j = 0; j < rows[i].waiters; j++)
            add_wait(&p, t++);
        for (unsigned j = 0; j < rows[i].notifiers; j++)
            add_notify(&p, t++, PL_OP_COND_BROADCAST, true);
        for (unsigned j = 0; j < rows[i].entrants; j++) {
            add_lock(&p, t, M);
            add_unlock(&p, t++, M);
        }
        CHECK(compare(p, false) == rows[i].classes && all.findings == rows[i].deadlocks);
    }
}

/* Java has a monitor; in C the signal needs no mutex, and who is woken is a choice. */
static void signals_without_a_mutex(void)
{
    for (unsigned waiters = 1; waiters <= 2; waiters++) {
        for (unsigned kind = PL_OP_COND_SIGNAL; kind <= PL_OP_COND_BROADCAST; kind++) {
            struct machine_program p = {.n = waiters + 1};

            for (unsigned t = 0; t < waiters; t++)
                add_wait(&p, t);
            add_notify(&p, waiters, (enum pl_op_kind)kind, false);
            CHECK(compare(p, false) > 1 && all.findings > 0);
        }
    }
    struct machine_program lone = {.n = 2};

    add_wait(&lone, 0);
    add_notify(&lone, 1, PL_OP_COND_SIGNAL, false);
    CHECK(compare(lone, false) == 2 && all.findings == 1); /* lost, or not */
}

static void locks_that_are_tried_or_timed(void)
{
    struct machine_program tried = {.n = 2}, timed = {.n = 3};

    add_lock(&tried, 0, M);
    add_unlock(&tried, 0, M);
    machine_add(&tried, 1, PL_OP_MUTEX_TRYLOCK, M);
    CHECK(compare(tried, false) == 3); /* before, between, after */
    add_wait(&timed, 0);
    timed.threads[0].steps[1].kind = PL_OP_COND_TIMEDWAIT;
    add_notify(&timed, 1, PL_OP_COND_SIGNAL, false);
    add_lock(&timed, 2, M);
    add_unlock(&timed, 2, M);
    CHECK(compare(timed, false) > 2 && all.findings == 0);
}

static void readers_and_writers(void)
{
    static const unsigned subsets[] = {4, 8}, orders[] = {6, 24};
    struct machine_program p = {.n = 2};

    for (unsigned i = 0; i < 4; i++)
        machine_add(&p, i / 2, i < 2 ? PL_OP_WRITE : PL_OP_READ, X);
    CHECK(compare(p, false) == 6);
    for (unsigned n = 2; n <= 3; n++) {
        struct machine_program readers = {.n = n + 1}, writers = {.n = n + 1};

        for (unsigned t = 0; t <= n; t++) {
            machine_add(&readers, t, t == 0 ? PL_OP_WRITE : PL_OP_READ, X);
            machine_add(&writers, t, PL_OP_WRITE, X);
        }
        CHECK(compare(readers, false) == subsets[n - 2]);
        CHECK(compare(writers, false) == orders[n - 2]);
    }
}

static void dining_philosophers(void)
{
    for (unsigned n = 2; n <= 5; n++) {
        struct machine_program p = {.n = n};

        for (unsigned t = 0; t < n; t++) {
            uint64_t left = M + 0x40 * t, right_one = M + 0x40 * ((t + 1) % n);

            add_lock(&p, t, left);
            add_lock(&p, t, right_one);
            add_unlock(&p, t, right_one);
            add_unlock(&p, t, left);
        }
        if (n < 4) {
            CHECK(compare(p, false) == (1u << n) - 1 && all.findings == 1);
            continue;
        }
        place_steps(&p); /* dfs has too many */
        struct pl_pair_table *table = table_of(&p, false);

        CHECK(explore(&pl_values, "", &p, table, &guided));
        CHECK(guided.n == (1u << n) - 1 && guided.whole == guided.n && guided.findings == 1);
        free(table);
    }
}

/* ---- ends ---- */

static struct machine_program created(bool joined)
{
    struct machine_program p = {.n = 3, .quits = true};

    for (unsigned t = 1; t <= 2; t++)
        machine_add(&p, 0, PL_OP_THREAD_CREATE, t);
    for (unsigned t = 1; t <= 2; t++) {
        add_update(&p, t, X, 1);
        if (joined)
            machine_add(&p, 0, PL_OP_THREAD_JOIN, t);
    }
    return p;
}

/* A program that waits for its threads ends in one way. */
static void programs_that_join_their_threads_need_no_second_round(void)
{
    CHECK(compare(created(true), false) == 4);
}

/* Who fails may do so before or after others: that is dpor's. */
static void failures_are_left_to_a_second_round(void)
{
    struct machine_program p = {.n = 3};

    machine_add(&p, 0, PL_OP_WRITE, X)->value = 7;
    machine_add(&p, 1, PL_OP_READ, X)->value = 7;
    machine_add(&p, 2, PL_OP_WRITE, Y);
    place_steps(&p);
    struct pl_pair_table *table = table_of(&p, false);

    CHECK(explore(&pl_dfs, "", &p, NULL, &all));
    CHECK(explore(&pl_values, "", &p, table, &guided));
    CHECK(guided.left_out && guided.findings > 0);
    CHECK(explore_round(&pl_values, "", &p, table, 1, &guided));
    CHECK(!guided.left_out && guided.n == all.n && guided.whole == all.n);
    CHECK(memcmp(guided.class, all.class, all.n * sizeof(uint64_t)) == 0);
    free(table);
}

/* What is known only in part is no reason to leave anything out. */
static void tables_that_lack_something_lead_to_a_second_round(void)
{
    struct machine_program p = accounts(false);

    place_steps(&p);
    struct pl_pair_table *table = table_of(&p, false);

    table->lacks = PL_PAIR_PARTLY;
    CHECK(explore(&pl_values, "", &p, table, &guided) && guided.left_out);
    CHECK(explore_round(&pl_values, "", &p, table, 1, &guided));
    CHECK(!guided.left_out && guided.n == 9 && guided.whole == 9);
    free(table);
    CHECK(explore(&pl_values, "", &p, NULL, &guided));
    CHECK(!guided.left_out && guided.n == 9 && guided.whole == 9);
}

/* ---- the priority pass ---- */

/* The first switch is before the write of X, not before the lock, and lets T2 read before it. */
static void the_most_suspicious_pair_is_tried_first(void)
{
    struct machine_program p = accounts(false);
    struct pl_strategy_context c = machine_context("", MACHINE_ARENA);

    place_steps(&p);
    struct pl_pair_table *table = table_without(&p, Y);

    c.pairs = table;
    c.stack = stack_of;
    c.verdicts = &verdicts;
    memset(&verdicts, 0, sizeof(verdicts));
    CHECK(pl_values.start(&c) == NULL);
    machine_execute(&machine, &p, &pl_values, &c, 1, MACHINE_ALL);
    CHECK(pl_values.sample(&c) && pl_values.end(&c, PL_OUTCOME_DONE, false));
    machine_execute(&machine, &p, &pl_values, &c, 2, MACHINE_ALL);
    CHECK(pl_values.sample(&c));
    const struct pl_judged *f = judged(table, pc_of(0, 2), pc_of(1, 1));

    CHECK(f->attempts == 1 && f->of[PL_JUDGED_FULFILLED] == 1 && verdicts.attempts == 1);
    CHECK(machine_value(&machine, X) == (uint64_t)-10);
    free(table);
}

/* With an interest only what concerns it is tried, and nothing is said to be complete. */
static void an_interest_leaves_the_rest_alone(void)
{
    struct machine_program p = accounts(true);

    place_steps(&p);
    struct pl_pair_table *table = table_of(&p, false);

    CHECK(explore(&pl_values, "interest=drawn.c:3", &p, table, &guided));
    CHECK(guided.n > 1 && guided.n < 60 && is_pruned);
    for (uint32_t i = 0; i < table->n_pairs; i++) {
        const struct pl_pair *of = &pl_pair_pairs(table)[i];

        for (unsigned d = 0; d < 2 && of->a != 2 && of->b != 2; d++)
            CHECK(verdicts.pairs[i][d].attempts == 0);
    }
    free(table);
}

/* ---- drawn programs ---- */

static void draw_step(struct machine_program *p, unsigned t, uint64_t *rng)
{
    uint64_t cell = X + 16 * pl_rng_below(rng, 2);
    struct machine_step *s;

    switch (pl_rng_below(rng, 8)) {
    case 0:
    case 1:
        s = machine_add(p, t, PL_OP_READ, cell);
        s->test = pl_rng_below(rng, 2) == 0 ? MACHINE_EQUAL : MACHINE_LESS;
        s->than = pl_rng_below(rng, 3);
        s->skip = pl_rng_below(rng, 2);
        break;
    case 2:
    case 3:
        s = machine_add(p, t, PL_OP_WRITE, cell);
        s->value = 1 + pl_rng_below(rng, 3);
        s->relative = pl_rng_below(rng, 2) == 0;
        break;
    case 4:
        s = machine_add(p, t, PL_OP_WRITE, cell);
        s->elsewhere = X + 16 * pl_rng_below(rng, 3);
        s->test = MACHINE_LESS;
        s->than = pl_rng_below(rng, 3);
        break;
    case 5:
        add_lock(p, t, M);
        machine_add(p, t, PL_OP_WRITE, cell)->value = 2;
        add_unlock(p, t, M);
        break;
    case 6:
        add_notify(p, t, PL_OP_COND_SIGNAL + (enum pl_op_kind)pl_rng_below(rng, 2), false);
        break;
    default:
        add_wait(p, t);
    }
}

static struct machine_program draw(uint64_t seed)
{
    struct machine_program p = {.n = 2 + (unsigned)(seed % 2)};
    uint64_t rng = seed;

    for (unsigned i = 0; i < 3 * p.n - (p.n == 3 ? 1 : 0); i++)
        draw_step(&p, i % p.n, &rng);
    for (unsigned t = 0; t < p.n; t++) { /* locks are not left out */
        struct machine_step *s = p.threads[t].steps;

        for (unsigned i = 0; s[i].kind != PL_OP_NONE; i++)
            s[i].skip = pl_operation_object(s[i + 1].kind) == PL_OBJECT_MEMORY ? s[i].skip : 0;
    }
    return p;
}

static void drawn_programs(void)
{
    unsigned several = 0;

    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        compare(machine_draw(3, MACHINE_MEMORY, seed), seed % 2 == 0);
        compare(machine_draw(3, MACHINE_SYNC, seed), false);
        several += compare(draw(seed), seed % 4 < 2) > 1;
    }
    CHECK(several > PROGRAMS / 2);
}

/* ---- several workers ---- */

enum { WORKERS = 3, WORKER_ARENA = 32 << 20 };

static unsigned char *arenas[WORKERS];

/* Whatever is handed on whenever, all workers together execute what one does, and nothing twice. */
static void parts_together_are_the_whole(uint64_t seed)
{
    static unsigned char part[1 << 20];
    struct machine_program p = seed == 0 ? accounts(true) : draw(seed);
    struct pl_strategy_context c[WORKERS];
    bool busy[WORKERS] = {true};
    uint64_t rng = seed + 1;
    unsigned splits = 0;

    place_steps(&p);
    struct pl_pair_table *table = table_of(&p, false);

    if (!explore(&pl_dfs, "", &p, NULL, &all)) {
        free(table);
        return;
    }
    memset(&guided, 0, sizeof(guided));
    for (unsigned i = 0; i < WORKERS; i++) {
        c[i] = machine_context(i == 0 ? "priority=no" : "priority=no", MACHINE_SIZE);
        free(arenas[i]);
        arenas[i] = calloc(1, WORKER_ARENA);
        c[i].arena = arenas[i];
        c[i].arena_size = WORKER_ARENA;
        c[i].pairs = table;
        c[i].stack = stack_of;
        c[i].verdicts = &verdicts;
        CHECK(pl_values.start(&c[i]) == NULL);
    }
    pl_values.search->adopt(&c[0], NULL, 0);
    for (unsigned i = 0; busy[0] || busy[1] || busy[2]; i = (i + 1) % WORKERS) {
        unsigned to = (i + 1 + pl_rng_below(&rng, WORKERS - 1)) % WORKERS;

        if (!busy[i])
            continue;
        enum pl_outcome outcome =
            machine_execute(&machine, &p, &pl_values, &c[i], ++guided.executions, MACHINE_ALL);

        if (outcome != PL_OUTCOME_ABORTED) {
            guided.whole++;
            is_new(&guided, machine_class(&machine));
        }
        busy[i] = pl_values.end(&c[i], outcome, false);
        if (!busy[i] || busy[to] || to == i)
            continue;
        uint64_t size = pl_values.divides->split(&c[i], part, sizeof(part));

        if (size == 0)
            continue;
        pl_values.divides->cut(&c[i]);
        if (pl_rng_below(&rng, 2) == 0)
            pl_values.divides->cut(&c[i]); /* after a death it is called again */
        pl_values.search->adopt(&c[to], part, size);
        busy[to] = true;
        splits++;
    }
    CHECK(guided.n == all.n && memcmp(guided.class, all.class, all.n * sizeof(uint64_t)) == 0);
    CHECK(guided.whole == guided.n);
    CHECK(splits > 0 || all.n < 10);
    free(table);
}

int main(void)
{
    figure_1_1();
    figure_2_3();
    figure_2_7();
    figure_3_1();
    figure_4_2();
    figure_4_7();
    figure_5_1();
    figure_5_18();
    figure_6_2();
    figures_6_9_and_6_10();
    figure_6_13();
    figure_6_14();
    rows_with_waits();
    signals_without_a_mutex();
    locks_that_are_tried_or_timed();
    readers_and_writers();
    dining_philosophers();
    programs_that_join_their_threads_need_no_second_round();
    failures_are_left_to_a_second_round();
    tables_that_lack_something_lead_to_a_second_round();
    the_most_suspicious_pair_is_tried_first();
    an_interest_leaves_the_rest_alone();
    drawn_programs();
    for (uint64_t seed = 0; seed < 12; seed++)
        parts_together_are_the_whole(seed);
    return unit_result();
}
