/* SPDX-License-Identifier: MIT */
/*
 * Value schedules on the little machine, with tables of pairs made of the programs: the worked
 * samples of Chen's thesis with the numbers of schedules that an independent enumeration gives,
 * what came of attempts, and drawn programs against all interleavings.
 */
#include "unit.h"

#include "machine.h"
#include "strategy/shared/table.h"
#include "trace/pairs.h"

#include <stdlib.h>

enum { MOST = 1 << 16, CLASSES = 1 << 14, PROGRAMS = 120, PLACES = MACHINE_THREADS * MACHINE_STEPS };
enum { X = 0x1000, Y = 0x1008, Z = 0x1010, B = 0x1018, M = 0x2000, N = 0x2040, O = 0x2080, C = 0x3000 };

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

    memset(&making, 0, sizeof(making));
    for (uint32_t i = 0; i < n; i++) {
        const struct machine_step *s = step_at(p, i);

        making.sites[i] = (struct pl_pairs_site){
            {.op = (uint8_t)s->kind,
             .position = i,
             .target = i,
             .line = i + 1,
             .roots = UINT64_C(1) << (i / MACHINE_STEPS),
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
        making.roots[t] = (struct pl_pairs_root){
            {.created = PL_PAIR_NONE, .row = t * MACHINE_STEPS}, "f"};
}

static struct pl_pair_table *table_of(const struct machine_program *p, bool coarse)
{
    static struct pl_pairs_module module = {""};
    uint32_t n = p->n * MACHINE_STEPS, n_pairs = 0;

    make_sites(p);
    for (uint32_t a = 0; a < n; a++) {
        for (uint32_t b = (a / MACHINE_STEPS + 1) * MACHINE_STEPS; b < n; b++) {
            unsigned kind = kind_of(step_at(p, a), step_at(p, b), coarse);

            if (kind == PL_PAIR_KINDS || step_at(p, a)->kind == PL_OP_NONE ||
                step_at(p, b)->kind == PL_OP_NONE)
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

/* ---- all executions ---- */

struct seen {
    uint64_t class[CLASSES];
    unsigned n, executions, whole, aborted, samples, findings;
    uint64_t found[64], n_found; /* final values of X of each class, in order of appearance */
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

static unsigned passed, failed; /* classes that end with X as it was, and with another value */
static uint64_t right;

/* All executions of one round of a strategy; false if there are too many. */
static bool explore(const struct pl_strategy *s, const char *parameters,
                    const struct machine_program *p, const struct pl_pair_table *table,
                    struct seen *seen)
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
    while (more && seen->executions < MOST && seen->n < CLASSES - 1) {
        enum pl_outcome outcome =
            machine_execute(&machine, p, s, &c, ++seen->executions, MACHINE_ALL);
        bool sample = s->sample != NULL && s->sample(&c);

        seen->samples += sample;
        seen->aborted += !sample && outcome == PL_OUTCOME_ABORTED;
        if (!sample && outcome != PL_OUTCOME_ABORTED) {
            seen->whole++;
            if (is_new(seen, machine_class(&machine))) {
                seen->findings += outcome == PL_OUTCOME_FINDING;
                passed += machine_value(&machine, X) == right;
                failed += machine_value(&machine, X) != right;
            }
        }
        more = s->end(&c, outcome, false);
    }
    seen->left_out = s->rounds != NULL && s->rounds->left_out(&c);
    CHECK(!given.divergence.happened);
    return !more;
}

/* One whole execution of each class that dfs shows, with every choice of parameters. */
static unsigned compare(struct machine_program p, bool coarse)
{
    static const char *const ways[] = {"",
                                       "priority=no",
                                       "reachability=no",
                                       "order=newest",
                                       "priority=no,reachability=no,order=newest"};

    place_steps(&p);
    struct pl_pair_table *table = table_of(&p, coarse);

    CHECK(table != NULL && pl_pair_is_sound(table, table->size));
    if (!explore(&pl_dfs, "", &p, NULL, &all)) {
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
    }
    CHECK(explore(&pl_values, "", &p, table, &guided));
    free(table);
    if (getenv("SHOW"))
        printf("classes %u dfs %u values: %u samples %u whole %u aborted, findings %u left out %d\n", all.n, all.executions, guided.samples, guided.whole, guided.aborted, all.findings, guided.left_out);
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
}

int main(void)
{
    figure_2_3();
    figure_2_7();
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        compare(machine_draw(3, MACHINE_MEMORY, seed), false);
        compare(machine_draw(3, MACHINE_SYNC, seed), false);
    }
    return 0;
}
