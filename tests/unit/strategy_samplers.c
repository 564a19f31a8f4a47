/* SPDX-License-Identifier: MIT */
/*
 * The strategies that sample, on programs that are lists of operations: what
 * they promise about the orders they take, over fixed ranges of executions.
 */
#include "unit.h"

#include "base/rng.h"
#include "machine.h"
#include "strategy/shared/table.h"

#include <string.h>

enum { THREADS = 4, LONGEST = 16, ORDERS = 4096 };
enum { SHARED = 0x1000, OTHER = 0x2000, PRIVATE = 0x10000 };

static const struct pl_strategy *const all[] = {&pl_pct, &pl_pos, &pl_surw};

static struct machine machine; /* the last execution */
static struct pl_profile profile;

static struct pl_strategy_context fresh(const char *parameters)
{
    struct pl_strategy_context c = machine_context(parameters, 1 << 20);

    given.settings.seed = 1;
    return c;
}

static struct machine_run execute(const struct pl_strategy *s, struct pl_strategy_context *c,
                                  const struct machine_program *p, uint64_t n)
{
    machine_execute(&machine, p, s, c, n, MACHINE_ALL);
    CHECK(s->end(c, PL_OUTCOME_DONE, false));
    return machine.run;
}

static struct pl_strategy_context ready(const struct pl_strategy *s,
                                        const struct machine_program *p, const char *parameters)
{
    machine_measure(p, &profile);
    struct pl_strategy_context c = fresh(parameters);

    c.profile = pl_strategy_is(s, PL_TRAIT_PROFILED) ? &profile : NULL;
    CHECK(s->start(&c) == NULL);
    return c;
}

/* So many writes. */
static struct machine_thread many(uint64_t addr, unsigned n)
{
    struct machine_thread t = {0};

    for (unsigned i = 0; i < n; i++)
        t.steps[i] = (struct machine_step){.kind = PL_OP_WRITE, .addr = addr};
    return t;
}

static unsigned switches(const struct machine_run *r)
{
    unsigned n = 0;

    for (unsigned i = 1; i < r->n; i++)
        n += r->who[i] != r->who[i - 1];
    return n;
}

/* The operations on one address, as a number that says whose they are in which order. */
static unsigned order_of(const struct machine_run *r, uint64_t addr)
{
    unsigned order = 1;

    for (unsigned i = 0; i < r->n; i++) {
        if (r->addr[i] == addr)
            order = order * THREADS + r->who[i];
    }
    return order;
}

/* How often each order occurred. */
static struct {
    unsigned n;
    unsigned order[ORDERS], count[ORDERS];
} orders;

static void sample_orders(const struct pl_strategy *s, const struct machine_program *p, unsigned n)
{
    struct pl_strategy_context c = ready(s, p, "");

    orders.n = 0;
    for (unsigned i = 1; i <= n; i++) {
        struct machine_run r = execute(s, &c, p, i);
        unsigned order = order_of(&r, SHARED), k = 0;

        while (k < orders.n && orders.order[k] != order)
            k++;
        CHECK(k < ORDERS);
        orders.order[k] = order;
        orders.count[k] = k < orders.n ? orders.count[k] + 1 : 1;
        orders.n += k == orders.n;
    }
}

/* Pearson's statistic against equal probabilities of all orders that occurred. */
static double unevenness(unsigned executions)
{
    double expected = (double)executions / orders.n, sum = 0;

    for (unsigned i = 0; i < orders.n; i++) {
        double d = orders.count[i] - expected;

        sum += d * d / expected;
    }
    return sum;
}

static void pct_without_changes_runs_each_thread_to_its_end(void)
{
    struct machine_program p = {.n = 3,
                                .threads = {many(SHARED, 4), many(SHARED, 5), many(SHARED, 6)}};
    struct pl_strategy_context c = ready(&pl_pct, &p, "1");
    unsigned begins[THREADS] = {0};

    for (unsigned n = 1; n <= 600; n++) {
        struct machine_run r = execute(&pl_pct, &c, &p, n);

        CHECK(switches(&r) == 2);
        begins[r.who[0]]++;
    }
    for (unsigned i = 0; i < 3; i++)
        CHECK(begins[i] > 150 && begins[i] < 250);
}

/* Each change costs at most two switches: away from the thread, and back when others have ended. */
static void pct_lowers_priorities_at_change_points(void)
{
    struct machine_program p = {.n = 2, .threads = {many(SHARED, 8), many(SHARED, 8)}};
    struct pl_strategy_context c = ready(&pl_pct, &p, "depth=2");
    bool after[LONGEST] = {false};

    CHECK(profile.steps == 16);
    for (unsigned n = 1; n <= 1000; n++) {
        struct machine_run r = execute(&pl_pct, &c, &p, n);
        unsigned i = 1;

        CHECK(switches(&r) <= 2);
        while (r.who[i] == r.who[0])
            i++;
        after[i] = true;
    }
    /* The first thread was stopped after each of its operations; before the first is no switch. */
    for (unsigned i = 1; i <= 8; i++)
        CHECK(after[i]);
}

/* A bug of depth 2: the one order of two in which thread 1 comes between two given operations. */
static void pct_keeps_its_promise(void)
{
    struct machine_program p = {.n = 2, .threads = {many(SHARED, 10), many(SHARED, 1)}};
    struct pl_strategy_context c = ready(&pl_pct, &p, "2");
    uint64_t bound = 2 * profile.steps;
    unsigned hits = 0;

    for (unsigned n = 1; n <= 4000; n++) {
        struct machine_run r = execute(&pl_pct, &c, &p, n);

        hits += r.who[7] == 1;
    }
    CHECK(hits >= 4000 / bound - 4000 / bound / 4);
}

static unsigned times_last(const struct pl_strategy *s, const struct machine_program *p)
{
    struct pl_strategy_context c = ready(s, p, "");
    unsigned hits = 0;

    for (unsigned n = 1; n <= 4000; n++) {
        struct machine_run r = execute(s, &c, p, n);

        hits += r.who[r.n - 1] == 1;
    }
    return hits;
}

/* The single operation of thread 1 must outlast 9 others: 1 in 10, and 1 in 512 at random. */
static void pos_does_not_wear_out_priorities(void)
{
    struct machine_program p = {.n = 2, .threads = {many(PRIVATE, 9), many(SHARED, 1)}};

    p.threads[0].steps[8].addr = SHARED;
    unsigned sampled = times_last(&pl_pos, &p), walked = times_last(&pl_random, &p);

    CHECK(sampled > 300 && sampled < 500);
    CHECK(walked < 40);
}

/* When all race, priorities are drawn anew each time: 1 in 16. */
static void pos_draws_anew_where_operations_race(void)
{
    struct machine_program p = {.n = 2, .threads = {many(SHARED, 4), many(SHARED, 1)}};
    unsigned hits = times_last(&pl_pos, &p);

    CHECK(hits > 180 && hits < 320);
}

static void surw_makes_all_orders_equally_likely(void)
{
    struct machine_program p = {.n = 2, .threads = {many(SHARED, 3), many(SHARED, 5)}};

    sample_orders(&pl_surw, &p, 11200);
    CHECK(orders.n == 56);
    CHECK(unevenness(11200) < 93); /* once in a thousand a fair die has more */
    sample_orders(&pl_random, &p, 11200);
    CHECK(unevenness(11200) > 1000);
}

/* The same with operations in between that are no concern, many more in one thread. */
static void surw_is_selective(void)
{
    struct machine_program p = {.n = 2, .threads = {many(PRIVATE, 15), many(SHARED, 5)}};

    p.threads[0].steps[2].addr = p.threads[0].steps[9].addr = p.threads[0].steps[14].addr = SHARED;
    sample_orders(&pl_surw, &p, 11200);
    CHECK(orders.n == 56);
    CHECK(unevenness(11200) < 93);
}

/* Thread 2 is created by thread 0 in the middle; 168 orders respect that. */
static void surw_counts_threads_to_come(void)
{
    struct machine_program p = {.n = 3,
                                .threads = {many(SHARED, 4), many(SHARED, 3), many(SHARED, 2)}};

    p.threads[0].steps[2] = (struct machine_step){.kind = PL_OP_THREAD_CREATE, .addr = 2};
    sample_orders(&pl_surw, &p, 21000);
    CHECK(orders.n == 168);
    CHECK(unevenness(21000) < 229);
}

/* Fewer or more operations than the profile has: still every execution comes to its end. */
static void surw_survives_a_wrong_profile(void)
{
    struct machine_program p = {.n = 2, .threads = {many(SHARED, 3), many(SHARED, 5)}};
    struct machine_program other = {.n = 3,
                                    .threads = {many(SHARED, 9), many(SHARED, 2), many(SHARED, 4)}};
    struct pl_strategy_context c = ready(&pl_surw, &p, "");

    for (unsigned n = 1; n <= 300; n++)
        CHECK(execute(&pl_surw, &c, &other, n).n == 15);
}

static void executions_depend_on_seed_number_and_profile(const struct pl_strategy *s)
{
    struct machine_program p = {.n = 3,
                                .threads = {many(SHARED, 7), many(OTHER, 8), many(SHARED, 9)}};
    struct pl_strategy_context c = ready(s, &p, "");
    struct machine_run first = execute(s, &c, &p, 5), other = execute(s, &c, &p, 6), again;

    CHECK(!machine_same(&first, &other));
    s->begin(&c, 5); /* cut short and done again */
    again = execute(s, &c, &p, 5);
    CHECK(machine_same(&first, &again));
    given.settings.seed = 2;
    again = execute(s, &c, &p, 5);
    CHECK(!machine_same(&first, &again));
}

static void what_is_measured_does_not_depend_on_its_number(const struct pl_strategy *s)
{
    struct machine_program p = {.n = 3,
                                .threads = {many(SHARED, 7), many(OTHER, 8), many(SHARED, 9)}};
    struct pl_strategy_context c = ready(s, &p, "");

    c.profile = NULL;
    c.measure = 3;
    struct machine_run first = execute(s, &c, &p, 5), second = execute(s, &c, &p, 6);

    CHECK(machine_same(&first, &second));
    c.measure = 4;
    second = execute(s, &c, &p, 6);
    CHECK(!machine_same(&first, &second));
}

static void other_choices_are_uniform(const struct pl_strategy *s)
{
    struct machine_program p = {.n = 2, .threads = {many(SHARED, 3), many(SHARED, 5)}};
    struct pl_strategy_context c = ready(s, &p, "");
    struct pl_view view = {.kind = PL_CHOICE_VALUE, .options = 4, .running = -1};
    unsigned count[4] = {0};

    for (unsigned n = 1; n <= 400; n++) {
        s->begin(&c, n);
        for (unsigned i = 0; i < 10; i++)
            count[s->choose(&c, &view)]++;
    }
    for (unsigned i = 0; i < 4; i++)
        CHECK(count[i] > 900 && count[i] < 1100);
}

static bool refuses(const struct pl_strategy *s, const char *parameters)
{
    struct pl_strategy_context c = fresh(parameters);

    return s->start(&c) != NULL;
}

static void parameters_that_make_no_sense_are_refused(void)
{
    CHECK(!refuses(&pl_pct, "") && !refuses(&pl_pct, "4") && !refuses(&pl_pct, "depth=64"));
    CHECK(refuses(&pl_pct, "0") && refuses(&pl_pct, "65") && refuses(&pl_pct, "deep=3"));
    CHECK(refuses(&pl_pct, "3,3") && refuses(&pl_pct, "three"));
    CHECK(refuses(&pl_pos, "1") && refuses(&pl_surw, "1"));
}

int main(void)
{
    pct_without_changes_runs_each_thread_to_its_end();
    pct_lowers_priorities_at_change_points();
    pct_keeps_its_promise();
    pos_does_not_wear_out_priorities();
    pos_draws_anew_where_operations_race();
    surw_makes_all_orders_equally_likely();
    surw_is_selective();
    surw_counts_threads_to_come();
    surw_survives_a_wrong_profile();
    for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        executions_depend_on_seed_number_and_profile(all[i]);
        what_is_measured_does_not_depend_on_its_number(all[i]);
        other_choices_are_uniform(all[i]);
    }
    parameters_that_make_no_sense_are_refused();
    return unit_result();
}
