/* SPDX-License-Identifier: MIT */
/*
 * The worked samples of Chen's thesis on the little machine, with the numbers of schedules that an
 * independent enumeration gives, and what came of attempts.
 */
#include "values_host.h"

static void figure_2_3(void)
{
    struct machine_program p = {.n = 2};

    values_add_lock(&p, 0, M);
    machine_add(&p, 0, PL_OP_WRITE, X)->value = 1;
    values_add_unlock(&p, 0, M);
    values_add_lock(&p, 0, M);
    values_add_update(&p, 0, X, 1);
    values_add_unlock(&p, 0, M);
    values_add_lock(&p, 1, M);
    machine_add(&p, 1, PL_OP_READ, X);
    values_add_unlock(&p, 1, M);
    CHECK(values_compare(p, false) == 3);
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
    CHECK(values_compare(p, false) == 3);
    struct pl_judged f = values_fate(p, false, values_pc_of(0, 1), values_pc_of(1, 1));

    CHECK(f.attempts > 0 && f.of[PL_JUDGED_FULFILLED] == 0 && f.shown == 0);
    CHECK(f.of[PL_JUDGED_BRANCH] == f.attempts && f.why == PL_JUDGED_BRANCH + 1);
    CHECK(f.from == values_pc_of(1, 0)); /* from the read of b past the write */
}

/* The write that might make the sum wrong is to b, which T1 calls a by then. */
static void figure_1_1(void)
{
    enum { A = 0x1200 };
    struct machine_program p = {.n = 2};

    machine_add(&p, 0, PL_OP_WRITE, A);
    machine_add(&p, 0, PL_OP_WRITE, Z)->value = 3;
    machine_add(&p, 0, PL_OP_WRITE, 0x1100);
    machine_add(&p, 1, PL_OP_WRITE, A)->value = 1;
    machine_add(&p, 1, PL_OP_READ, A);
    machine_add(&p, 1, PL_OP_WRITE, X)->relative = true; /* what it divides by; 0 is wrong */
    CHECK(values_compare(p, true) == 3);
    CHECK(values_passed == 1 && values_failed == 2);
    CHECK(values_fate(p, true, values_pc_of(0, 2), values_pc_of(1, 1)).of[PL_JUDGED_FULFILLED] ==
          0);
    CHECK(values_fate(p, true, values_pc_of(0, 2), values_pc_of(1, 1)).of[PL_JUDGED_ALIAS] > 0);
}

/* v1 is written behind a dead branch, v2 at another index; v3 is a lock, v4 the division. */
static void figure_3_1(void)
{
    enum { V1 = 0x1100, V2 = 0x1200, V4 = 0x1300, DEAD = 0x1400 };
    struct machine_program p = {.n = 2};
    struct machine_step *s;

    machine_add(&p, 0, PL_OP_READ, V1);
    machine_add(&p, 0, PL_OP_READ, V2 + 16);
    values_add_lock(&p, 0, M);
    values_add_unlock(&p, 0, M);
    machine_add(&p, 0, PL_OP_READ, V4);
    machine_add(&p, 0, PL_OP_WRITE, X)->relative = true; /* what it divides by; not 0 is wrong */
    s = machine_add(&p, 1, PL_OP_READ, DEAD);
    s->test = MACHINE_EQUAL;
    s->skip = 1;
    machine_add(&p, 1, PL_OP_WRITE, V1);
    machine_add(&p, 1, PL_OP_WRITE, V2 + 32);
    values_add_lock(&p, 1, M);
    values_add_unlock(&p, 1, M);
    values_add_update(&p, 1, V4, 1);
    CHECK(values_compare(p, true) == 4);
    CHECK(values_passed == 2 && values_failed == 2);
    struct pl_judged v1 = values_fate(p, true, values_pc_of(0, 0), values_pc_of(1, 1));

    CHECK(v1.of[PL_JUDGED_BRANCH] > 0 && v1.of[PL_JUDGED_FULFILLED] == 0 && v1.shown == 0);
    struct pl_judged v2 = values_fate(p, true, values_pc_of(0, 1), values_pc_of(1, 2));

    CHECK(v2.of[PL_JUDGED_ALIAS] > 0 && v2.of[PL_JUDGED_FULFILLED] == 0 && v2.shown == 0);
    CHECK(v2.why == PL_JUDGED_ALIAS + 1 && v2.from == V2 + 16 && v2.to == V2 + 32);
    struct pl_judged v3 = values_fate(p, true, values_pc_of(0, 2), values_pc_of(1, 3));

    CHECK(v3.of[PL_JUDGED_FULFILLED] > 0);
    struct pl_judged v4 = values_fate(p, true, values_pc_of(0, 4), values_pc_of(1, 6));

    CHECK(v4.of[PL_JUDGED_FULFILLED] > 0);
}

static void figure_4_2(void)
{
    struct machine_program crossed = {.n = 2}, squeezed = {.n = 2};

    for (unsigned t = 0; t < 2; t++) {
        values_add_lock(&crossed, t, t == 0 ? M : N);
        values_add_lock(&crossed, t, t == 0 ? N : M);
        values_add_unlock(&crossed, t, t == 0 ? N : M);
        values_add_unlock(&crossed, t, t == 0 ? M : N);
    }
    CHECK(values_compare(crossed, false) == 3 && values_all.findings == 1);
    for (unsigned i = 0; i < 3; i++) {
        values_add_lock(&squeezed, i / 2, M);
        values_add_unlock(&squeezed, i / 2, M);
    }
    CHECK(values_compare(squeezed, false) == 3 && values_all.findings == 0);
}

static void figure_4_7(void)
{
    struct machine_program p = {.n = 2};

    machine_add(&p, 0, PL_OP_WRITE, X)->value = 1;
    values_add_wait(&p, 0);
    machine_add(&p, 1, PL_OP_READ, X);
    values_add_notify(&p, 1, PL_OP_COND_BROADCAST, true);
    CHECK(values_compare(p, false) == 4 && values_all.findings == 2);
    values_place_steps(&p);
    CHECK(values_pairs_of(p, PL_PAIR_RW) == 1 && values_pairs_of(p, PL_PAIR_MM) == 1);
    CHECK(values_pairs_of(p, PL_PAIR_WM) == 1 && values_pairs_of(p, PL_PAIR_WN) == 1);
}

enum { T2_LINE_5 = 4 }; /* its step */

static void figure_5_1(void)
{
    struct machine_program p = values_accounts(false);

    CHECK(values_compare(p, false) == 9);
    CHECK(values_passed == 5 && values_failed == 4);
    CHECK(values_below == 2); /* -10 twice, 10 twice */
    /* Never: T2 line 5, before or after anything. */
    for (unsigned step = 1; step <= 2; step++) {
        struct pl_judged f =
            values_fate(p, false, values_pc_of(0, step), values_pc_of(1, T2_LINE_5));

        CHECK(f.of[PL_JUDGED_FULFILLED] == 0 && f.shown == 0 && f.of[PL_JUDGED_BRANCH] > 0);
    }
}

static void figure_5_18(void)
{
    struct machine_program p = values_accounts(true);

    values_compares_accounts = true;
    CHECK(values_compare(p, false) == 60);
    CHECK(values_passed == 10 && values_failed == 50);
    values_compares_accounts = false;
    values_step = values_pc_of(1, T2_LINE_5);
    CHECK(values_compare(p, false) == 60 && values_with == 16);
    values_before = values_pc_of(0, 1); /* before T1 reads X: that needs T3 within, schedule 5.13 */
    CHECK(values_compare(p, false) == 60 && values_with == 2);
    values_step = values_before = 0;
    CHECK(values_fate(p, false, values_pc_of(0, 2), values_pc_of(1, T2_LINE_5))
              .of[PL_JUDGED_FULFILLED] > 0);
}

/* 5.1 without the blocks on Y. */
static void figure_6_2(void)
{
    struct machine_program p = {.n = 2};
    struct machine_step *s;

    values_add_lock(&p, 0, M);
    values_add_update(&p, 0, X, 10);
    values_add_unlock(&p, 0, M);
    values_add_lock(&p, 1, N);
    values_add_update(&p, 1, X, -10);
    s = machine_add(&p, 1, PL_OP_READ, Y);
    s->test = MACHINE_NOT_LESS;
    s->skip = 1;
    machine_add(&p, 1, PL_OP_WRITE, X);
    values_add_unlock(&p, 1, N);
    CHECK(values_compare(p, false) == 4);
    unsigned attempts = 0;

    for (unsigned step = 1; step <= 2; step++) {
        struct pl_judged f =
            values_fate(p, false, values_pc_of(0, step), values_pc_of(1, T2_LINE_5));

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
            values_add_update(&p, 0, X, -10);
        for (unsigned i = 0; i < n; i++)
            values_add_update(&p, 1, X, 10);
        CHECK(values_compare(p, false) == (n == 1 ? 9 : 34));
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
    values_add_update(&p, 0, X, -10);
    for (unsigned i = 0; i < 2; i++)
        values_add_update(&p, 1, X, -10);
    CHECK(values_compare(p, false) == 14);
}

/* s is X or Y, by a condition. */
static void figure_6_14(void)
{
    struct machine_program p = {.n = 2};

    for (unsigned t = 0; t < 2; t++)
        values_add_update(&p, t, X, t == 0 ? 10 : -10);
    p.threads[0].steps[0].elsewhere = p.threads[0].steps[1].elsewhere = 0x1100;
    p.threads[0].steps[0].test = p.threads[0].steps[1].test = MACHINE_LESS;
    p.threads[0].steps[0].than = p.threads[0].steps[1].than = (uint64_t)-1000;
    machine_add(&p, 1, PL_OP_READ, 0x1100);
    machine_add(&p, 1, PL_OP_WRITE, 0x1100);
    CHECK(values_compare(p, false) == 4);
    struct pl_judged f = values_fate(p, false, values_pc_of(0, 1), values_pc_of(1, 3));

    CHECK(f.of[PL_JUDGED_ALIAS] > 0 && f.of[PL_JUDGED_FULFILLED] == 0 && f.shown == 0);
}

/* Each thread has a field that is set before there are threads: once apart, always apart. */
static void figure_6_15(void)
{
    struct machine_program p = {.n = 2};
    uint64_t attempts[2], apart[2];

    for (unsigned t = 0; t < 2; t++) {
        for (unsigned i = 0; i < 3; i++)
            values_add_update(&p, t, t == 0 ? X : Y, 10);
    }
    CHECK(values_compare(p, true) == 1);
    values_place_steps(&p);
    for (unsigned i = 0; i < 2; i++) {
        values_settles = i == 1;
        struct pl_pair_table *table = values_table_of(&p, true);

        CHECK(table->n_pairs == 27); /* of six accesses each, but for those that both read */
        CHECK(values_explore(&pl_values, "", &p, table, &values_guided) && values_guided.n == 1);
        attempts[i] = values_verdicts.attempts;
        apart[i] = values_verdicts.of[PL_JUDGED_ALIAS];
        free(table);
    }
    values_settles = false;
    CHECK(attempts[0] > 1 && attempts[1] == 1 && apart[1] == 1);
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
            values_add_wait(&p, t++);
        for (unsigned j = 0; j < rows[i].notifiers; j++)
            values_add_notify(&p, t++, PL_OP_COND_BROADCAST, true);
        for (unsigned j = 0; j < rows[i].entrants; j++) {
            values_add_lock(&p, t, M);
            values_add_unlock(&p, t++, M);
        }
        CHECK(values_compare(p, false) == rows[i].classes &&
              values_all.findings == rows[i].deadlocks);
    }
}

/* Java has a monitor; in C the signal needs no mutex, and who is woken is a choice. */
static void signals_without_a_mutex(void)
{
    for (unsigned waiters = 1; waiters <= 2; waiters++) {
        for (unsigned kind = PL_OP_COND_SIGNAL; kind <= PL_OP_COND_BROADCAST; kind++) {
            struct machine_program p = {.n = waiters + 1};

            for (unsigned t = 0; t < waiters; t++)
                values_add_wait(&p, t);
            values_add_notify(&p, waiters, (enum pl_op_kind)kind, false);
            CHECK(values_compare(p, false) > 1 && values_all.findings > 0);
        }
    }
    struct machine_program lone = {.n = 2};

    values_add_wait(&lone, 0);
    values_add_notify(&lone, 1, PL_OP_COND_SIGNAL, false);
    CHECK(values_compare(lone, false) == 2 && values_all.findings == 1); /* lost, or not */
}

static void locks_that_are_tried_or_timed(void)
{
    struct machine_program tried = {.n = 2}, timed = {.n = 3};

    values_add_lock(&tried, 0, M);
    values_add_unlock(&tried, 0, M);
    machine_add(&tried, 1, PL_OP_MUTEX_TRYLOCK, M);
    CHECK(values_compare(tried, false) == 3); /* before, between, after */
    values_add_wait(&timed, 0);
    timed.threads[0].steps[1].kind = PL_OP_COND_TIMEDWAIT;
    values_add_notify(&timed, 1, PL_OP_COND_SIGNAL, false);
    values_add_lock(&timed, 2, M);
    values_add_unlock(&timed, 2, M);
    CHECK(values_compare(timed, false) > 2 && values_all.findings == 0);
}

static void readers_and_writers(void)
{
    static const unsigned subsets[] = {4, 8}, orders[] = {6, 24};
    struct machine_program p = {.n = 2};

    for (unsigned i = 0; i < 4; i++)
        machine_add(&p, i / 2, i < 2 ? PL_OP_WRITE : PL_OP_READ, X);
    CHECK(values_compare(p, false) == 6);
    for (unsigned n = 2; n <= 3; n++) {
        struct machine_program readers = {.n = n + 1}, writers = {.n = n + 1};

        for (unsigned t = 0; t <= n; t++) {
            machine_add(&readers, t, t == 0 ? PL_OP_WRITE : PL_OP_READ, X);
            machine_add(&writers, t, PL_OP_WRITE, X);
        }
        CHECK(values_compare(readers, false) == subsets[n - 2]);
        CHECK(values_compare(writers, false) == orders[n - 2]);
    }
}

static void dining_philosophers(void)
{
    for (unsigned n = 2; n <= 5; n++) {
        struct machine_program p = {.n = n};

        for (unsigned t = 0; t < n; t++) {
            uint64_t left = M + 0x40 * t, right_one = M + 0x40 * ((t + 1) % n);

            values_add_lock(&p, t, left);
            values_add_lock(&p, t, right_one);
            values_add_unlock(&p, t, right_one);
            values_add_unlock(&p, t, left);
        }
        if (n < 4) {
            CHECK(values_compare(p, false) == (1u << n) - 1 && values_all.findings == 1);
            continue;
        }
        values_place_steps(&p); /* dfs has too many */
        struct pl_pair_table *table = values_table_of(&p, false);

        CHECK(values_explore(&pl_values, "", &p, table, &values_guided));
        CHECK(values_guided.n == (1u << n) - 1 && values_guided.whole == values_guided.n &&
              values_guided.findings == 1);
        free(table);
    }
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
    figure_6_15();
    rows_with_waits();
    signals_without_a_mutex();
    locks_that_are_tried_or_timed();
    readers_and_writers();
    dining_philosophers();
    CHECK(values_switches > 100);
    return unit_result();
}
