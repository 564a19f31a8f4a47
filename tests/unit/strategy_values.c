/* SPDX-License-Identifier: MIT */
/*
 * Value schedules on the little machine, with tables of pairs made of the programs: how searches
 * end, what is tried first, drawn programs against all interleavings, and several workers.
 * strategy_values_figures.c has the samples of the thesis.
 */
#include "values_host.h"

#include "base/rng.h"

enum { PROGRAMS = 80 };

/* ---- ends ---- */

static struct machine_program created(bool joined)
{
    struct machine_program p = {.n = 3, .quits = true};

    for (unsigned t = 1; t <= 2; t++)
        machine_add(&p, 0, PL_OP_THREAD_CREATE, t);
    for (unsigned t = 1; t <= 2; t++) {
        values_add_update(&p, t, X, 1);
        if (joined)
            machine_add(&p, 0, PL_OP_THREAD_JOIN, t);
    }
    return p;
}

/* A program that waits for its threads ends in one way. */
static void programs_that_join_their_threads_need_no_second_round(void)
{
    CHECK(values_compare(created(true), false) == 4);
}

/* Who fails may do so before or after others: that is dpor's. */
static void failures_are_left_to_a_second_round(void)
{
    struct machine_program p = {.n = 3};

    machine_add(&p, 0, PL_OP_WRITE, X)->value = 7;
    machine_add(&p, 1, PL_OP_READ, X)->value = 7;
    machine_add(&p, 2, PL_OP_WRITE, Y);
    values_place_steps(&p);
    struct pl_pair_table *table = values_table_of(&p, false);

    CHECK(values_explore(&pl_dfs, "", &p, NULL, &values_all));
    CHECK(values_explore(&pl_values, "", &p, table, &values_guided));
    CHECK(values_guided.left_out && values_guided.findings > 0);
    CHECK(values_explore_round(&pl_values, "", &p, table, 1, &values_guided));
    CHECK(!values_guided.left_out && values_guided.n == values_all.n &&
          values_guided.whole == values_all.n);
    CHECK(memcmp(values_guided.class, values_all.class, values_all.n * sizeof(uint64_t)) == 0);
    free(table);
}

/* What is known only in part is no reason to leave anything out. */
static void tables_that_lack_something_lead_to_a_second_round(void)
{
    struct machine_program p = values_accounts(false);

    values_place_steps(&p);
    struct pl_pair_table *table = values_table_of(&p, false);

    table->lacks = PL_PAIR_PARTLY;
    CHECK(values_explore(&pl_values, "", &p, table, &values_guided) && values_guided.left_out);
    CHECK(values_explore_round(&pl_values, "", &p, table, 1, &values_guided));
    CHECK(!values_guided.left_out && values_guided.n == 9 && values_guided.whole == 9);
    free(table);
    CHECK(values_explore(&pl_values, "", &p, NULL, &values_guided));
    CHECK(!values_guided.left_out && values_guided.n == 9 && values_guided.whole == 9);
}

/* ---- the priority pass ---- */

/* The first switch is before the write of X, not before the lock, and lets T2 read before it. */
static void the_most_suspicious_pair_is_tried_first(void)
{
    struct machine_program p = values_accounts(false);
    struct pl_strategy_context c = machine_context("", MACHINE_ARENA);

    values_place_steps(&p);
    struct pl_pair_table *table = values_table_without(&p, Y);

    c.pairs = table;
    c.stack = values_stack_of;
    c.verdicts = &values_verdicts;
    memset(&values_verdicts, 0, sizeof(values_verdicts));
    CHECK(pl_values.start(&c) == NULL);
    machine_execute(&values_machine, &p, &pl_values, &c, 1, MACHINE_ALL);
    CHECK(pl_values.sample(&c) && pl_values.end(&c, PL_OUTCOME_DONE, false));
    machine_execute(&values_machine, &p, &pl_values, &c, 2, MACHINE_ALL);
    CHECK(pl_values.sample(&c));
    const struct pl_judged *f = values_judged(table, values_pc_of(0, 2), values_pc_of(1, 1));

    CHECK(f->attempts == 1 && f->of[PL_JUDGED_FULFILLED] == 1 && values_verdicts.attempts == 1);
    CHECK(machine_value(&values_machine, X) == (uint64_t)-10);
    free(table);
}

/* With an interest only what concerns it is tried, and nothing is said to be complete. */
static void an_interest_leaves_the_rest_alone(void)
{
    struct machine_program p = values_accounts(true);

    values_place_steps(&p);
    struct pl_pair_table *table = values_table_of(&p, false);

    CHECK(values_explore(&pl_values, "interest=drawn.c:3", &p, table, &values_guided));
    CHECK(values_guided.n > 1 && values_guided.n < 60 && values_is_pruned);
    for (uint32_t i = 0; i < table->n_pairs; i++) {
        const struct pl_pair *of = &pl_pair_pairs(table)[i];

        for (unsigned d = 0; d < 2 && of->a != 2 && of->b != 2; d++)
            CHECK(values_verdicts.pairs[i][d].attempts == 0);
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
        values_add_lock(p, t, M);
        machine_add(p, t, PL_OP_WRITE, cell)->value = 2;
        values_add_unlock(p, t, M);
        break;
    case 6:
        values_add_notify(p, t, PL_OP_COND_SIGNAL + (enum pl_op_kind)pl_rng_below(rng, 2), false);
        break;
    default:
        values_add_wait(p, t);
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
        values_compare(machine_draw(3, MACHINE_MEMORY, seed), seed % 2 == 0);
        values_compare(machine_draw(3, MACHINE_SYNC, seed), false);
        several += values_compare(draw(seed), seed % 4 < 2) > 1;
    }
    CHECK(several > PROGRAMS / 2);
    CHECK(values_switches > 10 * PROGRAMS); /* each at a step that has a partner */
}

/* ---- several workers ---- */

enum { WORKERS = 3, WORKER_ARENA = 32 << 20 };

static unsigned char *arenas[WORKERS];

/* Whatever is handed on whenever, all workers together execute what one does, and nothing twice. */
static void parts_together_are_the_whole(uint64_t seed)
{
    static unsigned char part[1 << 20];
    struct machine_program p = seed == 0 ? values_accounts(true) : draw(seed);
    struct pl_strategy_context c[WORKERS];
    bool busy[WORKERS] = {true};
    uint64_t rng = seed + 1;
    unsigned splits = 0;

    values_place_steps(&p);
    struct pl_pair_table *table = values_table_of(&p, false);

    if (!values_explore(&pl_dfs, "", &p, NULL, &values_all)) {
        free(table);
        return;
    }
    memset(&values_guided, 0, sizeof(values_guided));
    for (unsigned i = 0; i < WORKERS; i++) {
        c[i] = machine_context(i == 0 ? "priority=no" : "priority=no", MACHINE_SIZE);
        free(arenas[i]);
        arenas[i] = calloc(1, WORKER_ARENA);
        c[i].arena = arenas[i];
        c[i].arena_size = WORKER_ARENA;
        c[i].pairs = table;
        c[i].stack = values_stack_of;
        c[i].verdicts = &values_verdicts;
        CHECK(pl_values.start(&c[i]) == NULL);
    }
    pl_values.search->adopt(&c[0], NULL, 0);
    for (unsigned i = 0; busy[0] || busy[1] || busy[2]; i = (i + 1) % WORKERS) {
        unsigned to = (i + 1 + pl_rng_below(&rng, WORKERS - 1)) % WORKERS;

        if (!busy[i])
            continue;
        enum pl_outcome outcome = machine_execute(&values_machine, &p, &pl_values, &c[i],
                                                  ++values_guided.executions, MACHINE_ALL);

        if (outcome != PL_OUTCOME_ABORTED) {
            values_guided.whole++;
            machine_is_new(values_guided.class, &values_guided.n, machine_class(&values_machine));
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
    CHECK(values_guided.n == values_all.n &&
          memcmp(values_guided.class, values_all.class, values_all.n * sizeof(uint64_t)) == 0);
    CHECK(values_guided.whole == values_guided.n);
    CHECK(splits > 0 || values_all.n < 10);
    free(table);
}

int main(void)
{
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
