/* SPDX-License-Identifier: MIT */
/*
 * What noise may cost, with executions that are made up: however sleeps of threads add up, the
 * cap is kept.
 */
#include "strategy/noise/cost.h"

#include "strategy/noise/noise.h"
#include "strategy/shared/draw.h"
#include "strategy/shared/table.h"
#include "unit.h"

#include <stdlib.h>

#define MS 1e6

/* A program as far as its time matters. */
struct program {
    double quiet_ns;   /* undisturbed */
    double jitter;     /* of that, by which executions differ for other reasons */
    unsigned events;   /* of all threads */
    double share;      /* of a sleep by which the execution gets longer */
    double latency_ns; /* which a sleep takes longer than it should */
};

static struct pl_board *board;
static struct pl_settings settings;

static struct pl_strategy_context start(const char *parameters)
{
    struct pl_strategy_context c = {.settings = &settings,
                                    .arena = board->arena,
                                    .arena_size = sizeof(board->arena),
                                    .board = board};

    memset(board->arena, 0, sizeof(struct pl_noise_state));
    board->executions = 0;
    settings.hang_ms = 30000;
    settings.seed = 1;
    snprintf(settings.parameters, sizeof(settings.parameters), "%s", parameters);
    CHECK(pl_noise.start(&c) == NULL);
    return c;
}

/* One execution of four threads; returns how long it took. */
static double execute(const struct program *p, struct pl_noise_state *s, uint64_t *rng)
{
    double base = p->quiet_ns * (1 + p->jitter * (pl_draw_share(rng) - 0.5)), now = 0;
    struct pl_disturber d[4];
    struct pl_disturb_asks asks = {0};
    struct pl_disturbance what;

    for (unsigned i = 0; i < 4; i++)
        pl_disturb_thread(&s->plan, &s->run, i + 1, 0, &d[i]);
    for (unsigned i = 0; i < p->events; i++) {
        struct pl_operation op = {.kind = PL_OP_MUTEX_LOCK, .pc = i % 50};

        now += base / p->events;
        if (!pl_disturb_event(&s->plan, &s->run, &d[i % 4], &op, true, &asks, &what))
            continue;
        uint64_t ns = pl_cost_grant(&s->limit, what.ns, s->plan.cap_ns, (uint64_t)now,
                                    (uint64_t)(base * 1.5 * i / p->events));

        if (ns == 0 && now >= s->limit.from_ns)
            pl_disturb_hush(&s->run, &d[i % 4]);
        if (ns == 0)
            continue;
        now += p->share * ((double)ns + p->latency_ns);
        s->run.spent_ns += ns + (uint64_t)p->latency_ns;
    }
    return now;
}

/* How much longer disturbed executions took than quiet ones, on average. */
static double measure(const struct program *p, const char *parameters, unsigned n)
{
    struct pl_strategy_context c = start(parameters);
    struct pl_noise_state *s = (struct pl_noise_state *)c.arena;
    double sum[2] = {0};
    unsigned number[2] = {0};
    uint64_t rng = 5;

    for (uint64_t i = 1; i <= n; i++) {
        pl_noise.begin(&c, i);
        if (s->limit.rate <= 0)
            s->limit.rate = 2;
        bool quiet = s->run.silent;
        double ns = execute(p, s, &rng);

        board->took_ns = (uint64_t)ns;
        board->took_cpu_ns = (uint64_t)(p->quiet_ns * 1.5);
        pl_noise.end(&c, PL_OUTCOME_DONE, false);
        board->executions++;
        sum[quiet] += ns;
        number[quiet]++;
    }
    CHECK(number[0] > 0 && number[1] > 0);
    return sum[0] / number[0] / (sum[1] / number[1]);
}

static void the_cap_is_kept(void)
{
    static const struct program programs[] = {
        {1 * MS, 0.1, 20, 1, 60000},     {1 * MS, 0.1, 20, 0.3, 60000},
        {5 * MS, 0.5, 1000, 0.5, 60000}, {5 * MS, 0.1, 100000, 1, 60000},
        {50 * MS, 0.2, 300, 0.25, 0},    {300 * MS, 0.1, 50000, 0.5, 60000},
    };
    static const char *const texts[] = {"cost=2.0", "mixed,cost=2.0", "cost=2.0,length=1ms",
                                        "cost=2.0,probability=20"};

    for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++) {
        for (unsigned k = 0; k < 4; k++) {
            double ratio = measure(&programs[i], texts[k], 400);

            CHECK(ratio < 2.4 && ratio > 1.1);
            if (ratio >= 2.4 || ratio <= 1.1)
                fprintf(stderr, "program %u, %s: %.2f\n", i, texts[k], ratio);
        }
    }
}

/* It is not only kept, but used. */
static void the_cap_is_used(void)
{
    static const struct program many = {5 * MS, 0.2, 2000, 0.5, 60000};
    static const struct program few = {5 * MS, 0.2, 40, 1, 60000};
    double ratio = measure(&many, "cost=3.0", 400);

    CHECK(ratio > 2.3 && ratio < 3.3);
    ratio = measure(&few, "cost=2.0", 400);
    CHECK(ratio > 1.6 && ratio < 2.2);
}

static void long_executions_are_paced(void)
{
    static const struct program p = {3000 * MS, 0.05, 200000, 0.5, 60000};
    double ratio = measure(&p, "cost=2.0,quiet=30", 12);

    CHECK(ratio > 1.6 && ratio < 2.2);
}

/* The only execution has nothing to be compared with: its processor time must do. */
static void a_single_long_execution_is_paced(void)
{
    static const struct program p = {3000 * MS, 0, 200000, 0.5, 60000};
    struct pl_strategy_context c = start("cost=2.0,quiet=0");
    struct pl_noise_state *s = (struct pl_noise_state *)c.arena;
    uint64_t rng = 5;

    settings.executions = 1;
    pl_noise.begin(&c, 1);
    CHECK(!s->run.silent && s->limit.paced);
    s->limit.rate = 2; /* processors, of which the program uses 1.5 */
    double ratio = execute(&p, s, &rng) / p.quiet_ns;

    CHECK(ratio > 1.2 && ratio < 2.2);
    settings.executions = 0;
}

static void without_a_cap_hangs_are_not_made(void)
{
    static const struct program p = {1000 * MS, 0, 100000, 1, 0};
    struct pl_strategy_context c = start("cost=off,quiet=0,probability=50,length=10ms");
    struct pl_noise_state *s = (struct pl_noise_state *)c.arena;
    uint64_t rng = 5;

    pl_noise.begin(&c, 1);
    s->limit.rate = 2;
    double ns = execute(&p, s, &rng);

    CHECK(ns > 14e9 && ns < 16.1e9); /* half of 30 s, and what is left of the program */
}

/* Executions that take long without having been disturbed are the machine's doing. */
static void a_busy_machine_is_not_noise(void)
{
    struct pl_cost c = {0};

    for (unsigned i = 0; i < 20; i++)
        pl_cost_end(&c, 200, true, 5000000, 5000000, 0);
    for (unsigned i = 0; i < 100; i++)
        pl_cost_end(&c, 200, false, 50000000, 5000000, 100000);
    CHECK(pl_cost_scale(&c) > 1);
}

/* Short programs are disturbed for more than they take, unless the user gives a cap. */
static void a_cap_that_is_given_is_strict(void)
{
    struct pl_cost c = {.least_ns = 40 * MS};

    pl_cost_end(&c, 300, true, 1000000, 1000000, 0);
    CHECK(pl_cost_extra(&c, 300) == 40 * MS);
    c.least_ns = 0;
    CHECK(pl_cost_extra(&c, 300) == 2 * MS);
}

int main(void)
{
    board = calloc(1, sizeof(*board));
    the_cap_is_kept();
    the_cap_is_used();
    long_executions_are_paced();
    a_single_long_execution_is_paced();
    without_a_cap_hangs_are_not_made();
    a_busy_machine_is_not_noise();
    a_cap_that_is_given_is_strict();
    free(board);
    return unit_result();
}
