/* SPDX-License-Identifier: MIT */
/*
 * Bounded searches, driven with views written by hand: two threads with some
 * steps each have a number of executions with b preemptions that is known by
 * thought; what is free is tried in full; executions that begin in the middle
 * have spent what their beginning cost.
 */
#include "unit.h"

#include "machine.h"
#include "strategy/shared/path.h"
#include "strategy/shared/table.h"
#include "strategy/shared/view.h"

#include <string.h>

enum { STEPS = 5, ARENA = 1 << 14 };

static struct pl_strategy_context begin_with(const struct pl_strategy *s, const char *parameters)
{
    CHECK(!given.divergence.happened); /* in what was done with the one before */
    struct pl_strategy_context c = machine_context(parameters, ARENA);

    CHECK(s->start(&c) == NULL);
    s->search->adopt(&c, NULL, 0);
    return c;
}

static unsigned choose(const struct pl_strategy *s, struct pl_strategy_context *c, int running,
                       unsigned at)
{
    const struct pl_operation operations[2] = {{.tid = 0, .way = PL_WAY_NORMAL},
                                               {.tid = 1, .way = PL_WAY_NORMAL}};
    const struct pl_operation *const next[2] = {&operations[0], &operations[1]};
    struct pl_view view = {.kind = PL_CHOICE_THREAD,
                           .options = 2,
                           .running = running,
                           .at = {.tid = (pl_tid)at},
                           .next = next};

    return s->choose(c, &view);
}

/* Threads 0, which runs at first, and 1 make m and k steps; returns the number of preemptions. */
static unsigned execute(const struct pl_strategy *s, struct pl_strategy_context *c, unsigned m,
                        unsigned k)
{
    static struct machine machine;
    struct machine_program p = {.n = 2};

    for (unsigned i = 0; i < m + k; i++)
        machine_add(&p, i < m ? 0 : 1, PL_OP_WRITE, 64);
    machine_execute(&machine, &p, s, c, 1, MACHINE_ALL);
    return machine.run.preemptions;
}

static unsigned long over(unsigned n, unsigned k)
{
    unsigned long value = 1;

    for (unsigned i = 0; i < k; i++)
        value = k > n ? 0 : value * (n - i) / (i + 1);
    return value;
}

/* Ways to make m steps of one thread and k of the other in r turns, the first thread first. */
static unsigned long in_turns(unsigned m, unsigned k, unsigned r)
{
    return r < 2 ? 0 : over(m - 1, (r + 1) / 2 - 1) * over(k - 1, r / 2 - 1);
}

/*
 * The last switch is free, because whoever is left then has ended; to begin
 * with thread 1 is a preemption.
 */
static unsigned long with_preemptions(unsigned m, unsigned k, unsigned b)
{
    return in_turns(m, k, b + 2) + in_turns(k, m, b + 1);
}

static void each_bound_has_the_known_number(unsigned m, unsigned k)
{
    struct pl_strategy_context c = begin_with(&pl_pcb, "");
    unsigned long executions, known, all = 0;
    bool left = true;

    for (; left && c.round < 2 * STEPS; c.round++) {
        unsigned long by[2 * STEPS] = {0};

        pl_pcb.search->adopt(&c, NULL, 0);
        executions = known = 0;
        do {
            by[execute(&pl_pcb, &c, m, k)]++;
            executions++;
        } while (pl_pcb.end(&c, PL_OUTCOME_DONE, false));
        for (unsigned b = 0; b <= c.round; b++) {
            CHECK(by[b] == with_preemptions(m, k, b));
            known += with_preemptions(m, k, b);
        }
        CHECK(executions == known);
        left = pl_pcb.rounds->left_out(&c);
        all = executions;
    }
    CHECK(!left && all == over(m + k, m)); /* the last round has everything */
}

static void what_is_no_preemption_is_free(void)
{
    struct pl_view value = {.kind = PL_CHOICE_VALUE, .options = 3, .running = -1};
    struct pl_strategy_context c = begin_with(&pl_pcb, "");
    unsigned n = 0;

    do {
        pl_pcb.begin(&c, ++n);
        choose(&pl_pcb, &c, -1, 2); /* the thread at the point cannot go on */
        pl_pcb.choose(&c, &value);
        CHECK(choose(&pl_pcb, &c, 1, 1) == 1); /* it can, and there is no preemption to spend */
    } while (pl_pcb.end(&c, PL_OUTCOME_DONE, false) && n < 100);
    CHECK(n == 2 * 3);
    CHECK(pl_pcb.rounds->left_out(&c));
}

/* The running thread waits with a time limit; who else is there has nothing to wait for. */
static void a_thread_that_could_only_time_out_is_not_preempted(void)
{
    const struct pl_operation operations[2] = {{.tid = 0, .way = PL_WAY_TIMEOUT},
                                               {.tid = 1, .way = PL_WAY_NORMAL}};
    const struct pl_operation *const next[2] = {&operations[0], &operations[1]};
    struct pl_view view = {.kind = PL_CHOICE_THREAD, .options = 2, .running = 0, .next = next};
    struct pl_strategy_context c = begin_with(&pl_pcb, "");
    unsigned n = 0;

    do {
        pl_pcb.begin(&c, ++n);
        CHECK(pl_pcb.choose(&c, &view) == n - 1);
    } while (pl_pcb.end(&c, PL_OUTCOME_DONE, false) && n < 100);
    CHECK(n == 2 && !pl_pcb.rounds->left_out(&c));
    view.running = -1;
    c = begin_with(&pl_pcb, "");
    pl_pcb.begin(&c, 1);
    CHECK(pl_pcb.choose(&c, &view) == 1); /* time runs out last */
}

/* A path that is longer than there is room for: its last choices have ways that are never tried. */
static void a_path_without_end_is_not_exhausted(void)
{
    struct pl_strategy_context c = begin_with(&pl_dfs, "");

    pl_dfs.begin(&c, 1);
    for (unsigned i = 0; i < ARENA / sizeof(struct pl_path_frame); i++)
        choose(&pl_dfs, &c, 0, 0);
    CHECK(given.divergence.happened);
    given.divergence.happened = false;
}

static void delays_count_who_is_passed_over(void)
{
    struct pl_strategy_context c = begin_with(&pl_delay, "");

    pl_delay.begin(&c, 1);
    CHECK(choose(&pl_delay, &c, 1, 1) == 1);  /* who runs goes on */
    CHECK(choose(&pl_delay, &c, -1, 0) == 0); /* the next one that can */
    CHECK(choose(&pl_delay, &c, -1, 2) == 0); /* after the last comes the first */
    CHECK(!pl_delay.end(&c, PL_OUTCOME_DONE, false));
    CHECK(pl_delay.rounds->left_out(&c)); /* a choice that is no preemption has its price, too */
    c.round = 1;
    pl_delay.search->adopt(&c, NULL, 0);
    unsigned n = 0;

    do {
        pl_delay.begin(&c, ++n);
        choose(&pl_delay, &c, 1, 1);
        choose(&pl_delay, &c, -1, 0);
    } while (pl_delay.end(&c, PL_OUTCOME_DONE, false) && n < 100);
    CHECK(n == 3); /* none, or one of the two */
}

/*
 * Three choices, of which the second is free, and one preemption: as the first,
 * as the third, or not at all.  Whoever forgets at a checkpoint what was spent
 * makes both.
 */
static void an_execution_that_is_resumed_has_spent_what_its_beginning_did(void)
{
    static const int running[] = {0, -1, 0};
    struct pl_strategy_context c = begin_with(&pl_pcb, "");
    unsigned n = 0;

    c.round = 1;
    pl_pcb.search->adopt(&c, NULL, 0);
    do {
        uint64_t from = pl_pcb.resumes->repeats(&c);

        pl_pcb.begin(&c, ++n);
        pl_pcb.resumes->resume(&c, from, 0);
        for (uint64_t i = from; i < 3; i++)
            choose(&pl_pcb, &c, running[i], 0);
    } while (pl_pcb.end(&c, PL_OUTCOME_DONE, false) && n < 100);
    CHECK(n == 3 * 2);
}

static void parameters_are_a_number(void)
{
    static const char *const bad[] = {"x",  "bound=",  "bounds=1", "1,2",
                                      "-1", "bound=x", "60001",    "99999999999999999999"};
    struct pl_strategy_context c = begin_with(&pl_pcb, "");

    CHECK(pl_pcb.rounds->last(&c) == PL_PATH_ROUNDS);
    c = begin_with(&pl_pcb, "2");
    CHECK(pl_pcb.rounds->last(&c) == 2);
    c = begin_with(&pl_delay, "bound=17");
    CHECK(pl_delay.rounds->last(&c) == 17);
    for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        strcpy(given.settings.parameters, bad[i]);
        CHECK(pl_pcb.start(&c) != NULL);
        CHECK(pl_delay.start(&c) != NULL);
    }
}

/* Whoever goes on as usual, and whatever comes early: all of it, too, where everybody is withheld.
 */
static void each_option_has_one_place(void)
{
    enum { OPTIONS = 4 };

    for (unsigned bits = 0; bits < 1u << OPTIONS; bits++) {
        struct pl_operation operations[OPTIONS];
        const struct pl_operation *next[OPTIONS];
        struct pl_view view = {
            .kind = PL_CHOICE_THREAD, .options = OPTIONS, .running = -1, .next = next};
        unsigned seen = 0, early = 0;

        for (unsigned i = 0; i < OPTIONS; i++) {
            operations[i] = (struct pl_operation){
                .tid = (pl_tid)i, .way = PL_WAY_NORMAL, .early = (bits >> i & 1) != 0};
            next[i] = &operations[i];
        }
        for (unsigned order = 0; order < OPTIONS; order++) {
            unsigned option = pl_view_option(&view, order);

            CHECK((seen >> option & 1) == 0);
            seen |= 1u << option;
            CHECK(order == 0 || early <= pl_view_is_early(&view, option));
            early = order > 0 && pl_view_is_early(&view, option);
        }
        CHECK(seen == (1u << OPTIONS) - 1);
    }
}

/* Nobody can go on but by coming early: then somebody does, although the bound is used up. */
static void where_all_come_early_one_does(void)
{
    const struct pl_operation early = {.tid = 0, .way = PL_WAY_NORMAL, .early = true};
    const struct pl_operation *const next[2] = {&early, &early};
    struct pl_view view = {.kind = PL_CHOICE_THREAD, .options = 2, .running = -1, .next = next};
    struct pl_strategy_context c = begin_with(&pl_pcb, "bound=0");

    pl_path_of(&c)->early_costs = true;
    pl_pcb.begin(&c, 1);
    CHECK(pl_pcb.choose(&c, &view) == 0);
}

int main(void)
{
    for (unsigned m = 1; m <= STEPS; m++) {
        for (unsigned k = 1; k <= STEPS; k++)
            each_bound_has_the_known_number(m, k);
    }
    what_is_no_preemption_is_free();
    a_thread_that_could_only_time_out_is_not_preempted();
    a_path_without_end_is_not_exhausted();
    delays_count_who_is_passed_over();
    an_execution_that_is_resumed_has_spent_what_its_beginning_did();
    parameters_are_a_number();
    each_option_has_one_place();
    where_all_come_early_one_does();
    CHECK(!given.divergence.happened);
    return unit_result();
}
