/* SPDX-License-Identifier: MIT */
/* See values_host.h. */
#include "values_host.h"

#include "base/rng.h"
#include "model/depend.h"
#include "trace/pairs.h"

struct machine values_machine;
struct pl_judgements values_verdicts;

/* ---- the table of a program ---- */

uint64_t values_pc_of(unsigned t, unsigned step)
{
    return t * MACHINE_STEPS + step + 1;
}

void values_place_steps(struct machine_program *p)
{
    for (unsigned t = 0; t < p->n; t++) {
        for (unsigned i = 0; i < MACHINE_STEPS; i++)
            p->threads[t].steps[i].pc = values_pc_of(t, i);
    }
}

unsigned values_stack_of(pl_tid tid, uint64_t *pcs, unsigned room, bool *whole)
{
    *whole = !values_machine.at[tid].created;
    pcs[0] = values_machine.ops[tid].pc;
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
    struct pl_pairs_site sites[VALUES_PLACES];
    struct pl_pairs_pair pairs[VALUES_PLACES * 8];
    struct pl_pairs_root roots[MACHINE_THREADS];
    struct pl_pair_position positions[VALUES_PLACES];
    struct pl_pair_place places[VALUES_PLACES];
    uint64_t rows[(VALUES_PLACES + MACHINE_THREADS) * ((VALUES_PLACES + 63) / 64)];
    uint32_t targets[VALUES_PLACES];
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
        bool memory = pl_operation_object(s->kind) == PL_OBJECT_MEMORY;

        if (values_settles && s->elsewhere == 0 && s->addr >= X && s->other == 0 &&
            (memory || pl_operation_is(s->kind, PL_ROLES(ACQUIRES, RELEASES)))) {
            making.sites[i].site.base = 1;
            making.sites[i].site.offset = (int32_t)(s->addr - X);
            making.sites[i].site.size = memory ? MACHINE_SIZE : 0;
        }
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
            PL_ASSERT(n_pairs < VALUES_PLACES * 8);
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

struct pl_pair_table *values_table_of(const struct machine_program *p, bool coarse)
{
    return make_table(p, coarse, 0);
}

struct pl_pair_table *values_table_without(const struct machine_program *p, uint64_t addr)
{
    return make_table(p, false, addr);
}

/* ---- all executions ---- */

struct values_seen values_all, values_guided;

/* Classes that end with X as it was, or as Y is, and with another value. */
unsigned values_passed, values_failed;
bool values_compares_accounts, values_is_pruned, values_settles;

uint64_t values_step, values_before;
unsigned values_with, values_below;
unsigned values_switches;

/* Whether the step is performed, before the other one. */
static bool has_step(void)
{
    for (unsigned i = 0; i < values_machine.run.n; i++) {
        if (values_machine.performed[i].pc == values_step)
            return true;
        if (values_before != 0 && values_machine.performed[i].pc == values_before)
            return false;
    }
    return false;
}

static bool is_right(void)
{
    return machine_value(&values_machine, X) ==
           (values_compares_accounts ? machine_value(&values_machine, Y) : 0);
}

/* Which orders dfs has shown: bits by pair and direction, found in another way than by values. */
static uint8_t shown[VALUES_PLACES * 8];

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

    for (unsigned i = 0; i < values_machine.run.n; i++) {
        for (unsigned j = i + 1; j < values_machine.run.n; j++) {
            const struct pl_operation *a = &values_machine.performed[i],
                                      *b = &values_machine.performed[j];

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

/*
 * Switches of a search depth first: where an execution leaves the one before it, another thread is
 * tried in place of the one that went on there at first.  That one's operation is the trigger.
 */
static struct {
    struct pl_operation last[MACHINE_LONGEST], first[MACHINE_LONGEST];
    unsigned n;
} switches;

static bool has_partner(const struct pl_pair_table *t, uint64_t pc)
{
    for (uint32_t i = 0; i < t->n_pairs; i++) {
        if (pl_pair_pairs(t)[i].a == pc - 1 || pl_pair_pairs(t)[i].b == pc - 1)
            return true;
    }
    return false;
}

/* No switch is ever made at an access without a static partner. */
static void check_switch(const struct pl_pair_table *t)
{
    const struct pl_operation *now = values_machine.performed;
    unsigned n = values_machine.run.n, at = 0;

    while (at < n && at < switches.n && now[at].tid == switches.last[at].tid &&
           now[at].pc == switches.last[at].pc)
        at++;
    if (at < n && at < switches.n && now[at].tid != switches.last[at].tid) {
        CHECK(has_partner(t, switches.first[at].pc));
        values_switches++;
    }
    for (unsigned i = at; i < n; i++) {
        if (i > at || i >= switches.n)
            switches.first[i] = now[i];
        switches.last[i] = now[i];
    }
    switches.n = n;
}

/* All executions of one round of a strategy; false if there are too many. */
bool values_explore_round(const struct pl_strategy *s, const char *parameters,
                          const struct machine_program *p, const struct pl_pair_table *table,
                          uint64_t round, struct values_seen *seen)
{
    struct pl_strategy_context c = machine_context(parameters, MACHINE_ARENA);
    bool more = true;

    memset(seen, 0, sizeof(*seen));
    memset(&values_verdicts, 0, sizeof(values_verdicts));
    switches.n = 0;
    values_passed = values_failed = values_with = values_below = 0;
    c.pairs = table;
    c.stack = values_stack_of;
    c.verdicts = &values_verdicts;
    CHECK(s->start(&c) == NULL);
    c.round = round;
    s->search->adopt(&c, NULL, 0);
    while (more && seen->executions < VALUES_MOST && seen->n < VALUES_CLASSES - 1) {
        enum pl_outcome outcome =
            machine_execute(&values_machine, p, s, &c, ++seen->executions, MACHINE_ALL);
        bool sample = s->sample != NULL && s->sample(&c);

        if (s == &pl_dfs && table != NULL)
            note_orders(table);
        if (s == &pl_values && table != NULL && round == 0 && !sample)
            check_switch(table);
        seen->samples += sample;
        seen->aborted += !sample && outcome == PL_OUTCOME_ABORTED;
        if (!sample && outcome != PL_OUTCOME_ABORTED) {
            seen->whole++;
            if (machine_is_new(seen->class, &seen->n, machine_class(&values_machine))) {
                seen->findings += outcome == PL_OUTCOME_FINDING;
                values_passed += is_right();
                values_failed += !is_right();
                values_with += has_step();
                values_below += (int64_t)machine_value(&values_machine, X) < 0;
            }
        }
        more = s->end(&c, outcome, false);
    }
    seen->left_out = s->rounds != NULL && s->rounds->left_out(&c);
    values_is_pruned = s->pruned != NULL && s->pruned(&c);
    CHECK(!given.divergence.happened);
    return !more;
}

bool values_explore(const struct pl_strategy *s, const char *parameters,
                    const struct machine_program *p, const struct pl_pair_table *table,
                    struct values_seen *seen)
{
    return values_explore_round(s, parameters, p, table, 0, seen);
}

/* Every order that exists has been shown, and no other; each attempt has a verdict. */
static void check_orders(const struct pl_pair_table *t)
{
    CHECK(values_verdicts.overlooked == 0);
    for (uint32_t i = 0; i < t->n_pairs; i++) {
        for (unsigned d = 0; d < 2; d++) {
            const struct pl_judged *of = &values_verdicts.pairs[i][d];
            uint32_t sum = 0;

            for (unsigned k = 0; k < PL_JUDGED_KINDS; k++)
                sum += of->of[k];
            CHECK(sum == of->attempts);
            /* What was in vain has a place, or two objects. */
            CHECK(of->why != PL_JUDGED_BRANCH + 1 || of->from != 0);
            CHECK(of->why != PL_JUDGED_CALLEE + 1 || of->from != 0);
            CHECK(of->why != PL_JUDGED_ALIAS + 1 || (of->from != 0 && of->to != 0));
            CHECK((of->shown != 0) == ((shown[i] >> d & 1) != 0));
        }
    }
}

/* The last search has seen what dfs has, and each of it once. */
static void check_guided(const struct pl_pair_table *table, bool samples)
{
    CHECK(!values_guided.left_out);
    CHECK(values_guided.n == values_all.n &&
          memcmp(values_guided.class, values_all.class, values_all.n * sizeof(uint64_t)) == 0);
    CHECK(values_guided.whole == values_guided.n);
    CHECK(values_guided.findings == values_all.findings);
    CHECK((values_guided.samples != 0) == samples);
    check_orders(table);
}

/* The same with what is settled. */
static void compare_settled(const struct machine_program *p, bool coarse)
{
    values_settles = true;
    struct pl_pair_table *table = values_table_of(p, coarse);

    values_settles = false;
    CHECK(values_explore(&pl_values, "", p, table, &values_guided));
    check_guided(table, true);
    free(table);
}

/* One whole execution of each class that dfs shows, with every choice of parameters. */
unsigned values_compare(struct machine_program p, bool coarse)
{
    static const char *const ways[] = {"", "priority=no", "reachability=no", "order=newest",
                                       "priority=no,reachability=no,order=newest"};

    values_place_steps(&p);
    struct pl_pair_table *table = values_table_of(&p, coarse);

    CHECK(table != NULL && pl_pair_is_sound(table, table->size));
    memset(shown, 0, sizeof(shown));
    if (!values_explore(&pl_dfs, "", &p, table, &values_all)) {
        free(table);
        return 0;
    }
    for (unsigned i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
        CHECK(values_explore(&pl_values, ways[i], &p, table, &values_guided));
        check_guided(table, i != 1 && i != 4);
    }
    compare_settled(&p, coarse);
    CHECK(values_explore(&pl_values, "", &p, table, &values_guided));
    free(table);
    return values_all.n;
}

/* ---- little programs ---- */

void values_add_update(struct machine_program *p, unsigned t, uint64_t addr, int64_t by)
{
    struct machine_step *s;

    machine_add(p, t, PL_OP_READ, addr);
    s = machine_add(p, t, PL_OP_WRITE, addr);
    s->relative = true;
    s->value = (uint64_t)by;
}

void values_add_lock(struct machine_program *p, unsigned t, uint64_t mutex)
{
    machine_add(p, t, PL_OP_MUTEX_LOCK, mutex);
}

void values_add_unlock(struct machine_program *p, unsigned t, uint64_t mutex)
{
    machine_add(p, t, PL_OP_MUTEX_UNLOCK, mutex);
}

void values_add_wait(struct machine_program *p, unsigned t)
{
    values_add_lock(p, t, M);
    machine_add(p, t, PL_OP_COND_WAIT, C)->other = M;
    values_add_unlock(p, t, M);
}

void values_add_notify(struct machine_program *p, unsigned t, enum pl_op_kind kind, bool locked)
{
    if (locked)
        values_add_lock(p, t, M);
    machine_add(p, t, kind, C);
    if (locked)
        values_add_unlock(p, t, M);
}

/* T1 books 10 to X and to Y, T2 takes them from there; with Y < 0 it sets X to 0. */
struct machine_program values_accounts(bool third)
{
    struct machine_program p = {.n = third ? 3 : 2};
    struct machine_step *s;

    values_add_lock(&p, 0, M);
    values_add_update(&p, 0, X, 10);
    values_add_unlock(&p, 0, M);
    values_add_lock(&p, 0, N);
    values_add_update(&p, 0, Y, 10);
    values_add_unlock(&p, 0, N);
    values_add_lock(&p, 1, N);
    values_add_update(&p, 1, X, -10);
    s = machine_add(&p, 1, PL_OP_READ, Y);
    s->test = MACHINE_NOT_LESS;
    s->skip = 1;
    machine_add(&p, 1, PL_OP_WRITE, X);
    values_add_unlock(&p, 1, N);
    values_add_lock(&p, 1, N);
    values_add_update(&p, 1, Y, -10);
    values_add_unlock(&p, 1, N);
    if (third)
        machine_add(&p, 2, PL_OP_WRITE, Y)->value = (uint64_t)-999;
    return p;
}

/* ---- verdicts ---- */

/* What came of attempts to perform step b of its thread before step a of the other. */
const struct pl_judged *values_judged(const struct pl_pair_table *t, uint64_t a, uint64_t b)
{
    const struct pl_pair *p = pl_pair_pairs(t);

    for (uint32_t i = 0; i < t->n_pairs; i++) {
        if ((p[i].a == a - 1 && p[i].b == b - 1) || (p[i].a == b - 1 && p[i].b == a - 1))
            return pl_judged_of(&values_verdicts, i, pl_judged_direction(&p[i], (uint32_t)b - 1));
    }
    CHECK(!"there is such a pair");
    return &values_verdicts.pairs[0][0];
}

/* Explore and say how step b before step a fared: NULL parameters are the default ones. */
struct pl_judged values_fate(struct machine_program p, bool coarse, uint64_t a, uint64_t b)
{
    values_place_steps(&p);
    struct pl_pair_table *table = values_table_of(&p, coarse);

    CHECK(values_explore(&pl_values, "", &p, table, &values_guided));
    struct pl_judged of = *values_judged(table, a, b);

    free(table);
    return of;
}

/* How many pairs of a kind the table has. */
unsigned values_pairs_of(struct machine_program p, unsigned kind)
{
    struct pl_pair_table *table = values_table_of(&p, false);
    unsigned n = 0;

    for (uint32_t i = 0; i < table->n_pairs; i++)
        n += pl_pair_pairs(table)[i].kind == kind;
    free(table);
    return n;
}
