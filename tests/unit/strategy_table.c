/* SPDX-License-Identifier: MIT */
/*
 * All strategies, by what their rows in model/strategies.def say of them: whatever samples, and
 * whatever is exhaustive, must keep what that word promises.  A new strategy is tested here by
 * being in the table; what only it promises has a test of its own.
 */
#include "unit.h"

#include "machine.h"
#include "strategy/shared/table.h"

enum { MOST = 1 << 14, CLASSES = 1 << 10, SAMPLED = 400, ARENA = 32 << 20 };
enum { X = 0x1000, M = 0x2000, N = 0x2040, S = 0x4000 };

static struct machine machine;
static struct pl_profile profile;
static const char *name; /* of the strategy that is tested */

/* A fact about the strategy that is tested. */
#define CHECK_OF(condition)                         \
    do {                                            \
        if (!(condition))                           \
            fprintf(stderr, "strategy %s: ", name); \
        CHECK(condition);                           \
    } while (0)

/* Go over those with these traits and without those. */
static void each(uint32_t with, uint32_t without, void (*test)(const struct pl_strategy *s))
{
    for (unsigned i = 0; i < PL_STRATEGIES; i++) {
        const struct pl_strategy *s = pl_strategy_at((enum pl_strategy_number)i);

        name = s->name;
        if ((s->traits & with) == with && !pl_strategy_is(s, without))
            test(s);
    }
}

/* ---- little programs ---- */

enum program { RACE, WRITERS, UPDATES, SECTIONS, CROSSED, HANDED_ON, PROGRAMS };

enum { DRAWN = 6 }; /* of each palette, besides */

/* Every step has a place of its own. */
static struct machine_program draw_program(enum machine_palette palette, uint64_t seed)
{
    struct machine_program p = machine_draw(2, palette, seed);

    for (unsigned t = 0; t < p.n; t++) {
        for (unsigned i = 0; p.threads[t].steps[i].kind != PL_OP_NONE; i++)
            p.threads[t].steps[i].pc = t * MACHINE_STEPS + i + 1;
    }
    return p;
}

static struct machine_program program_of(unsigned which)
{
    if (which >= PROGRAMS)
        return draw_program(which < PROGRAMS + DRAWN ? MACHINE_MEMORY : MACHINE_SYNC, which);
    struct machine_program p = {.n = which == WRITERS ? 3 : 2};

    for (unsigned t = 0; t < p.n; t++) {
        uint64_t first = which == CROSSED && t == 1 ? N : M, second = first == M ? N : M;
        bool locks = which == SECTIONS || which == CROSSED;

        if (locks)
            machine_add(&p, t, PL_OP_MUTEX_LOCK, first);
        if (which == CROSSED)
            machine_add(&p, t, PL_OP_MUTEX_LOCK, second);
        if (which == HANDED_ON && t == 1)
            machine_add(&p, t, PL_OP_SEM_WAIT, S);
        if (which == UPDATES || locks)
            machine_add(&p, t, PL_OP_READ, X)->pc = 10 * t + 1;
        machine_add(&p, t, PL_OP_WRITE, X)->pc = 10 * t + 2;
        if (which == HANDED_ON && t == 0)
            machine_add(&p, t, PL_OP_SEM_POST, S);
        if (which == CROSSED)
            machine_add(&p, t, PL_OP_MUTEX_UNLOCK, second);
        if (locks)
            machine_add(&p, t, PL_OP_MUTEX_UNLOCK, first);
    }
    return p;
}

/* ---- the classes that executions show ---- */

struct seen {
    uint64_t class[CLASSES];
    unsigned n, executions;
    unsigned deadlocks; /* of the classes */
};

static struct seen all, some;
static unsigned predicted; /* deadlocks that were told of without being come to */

static bool has(const struct seen *seen, uint64_t class)
{
    unsigned i = 0;

    while (i < seen->n && seen->class[i] != class)
        i++;
    return i < seen->n;
}

static void see(struct seen *seen, enum pl_outcome outcome)
{
    uint64_t class = machine_class(&machine);
    bool whole = outcome == PL_OUTCOME_DONE || outcome == PL_OUTCOME_FINDING;

    seen->executions++;
    CHECK_OF(seen->n < CLASSES);
    if (!whole || has(seen, class) || seen->n == CLASSES)
        return;
    seen->class[seen->n++] = class;
    seen->deadlocks += outcome == PL_OUTCOME_FINDING;
}

static bool is_within(const struct seen *a, const struct seen *b)
{
    bool within = true;

    for (unsigned i = 0; i < a->n; i++)
        within &= has(b, a->class[i]);
    return within;
}

static void forget(struct seen *seen)
{
    seen->n = seen->executions = seen->deadlocks = predicted = 0;
}

static void predict(const struct pl_cycle *cycle)
{
    CHECK_OF(cycle->n > 1);
    predicted++;
}

static struct pl_strategy_context ready(const struct pl_strategy *s,
                                        const struct machine_program *p, uint64_t seed)
{
    if (p != NULL && pl_strategy_is(s, PL_TRAIT_PROFILED))
        machine_measure(p, &profile);
    struct pl_strategy_context c = machine_context("", ARENA);

    given.settings.seed = seed;
    c.predict = predict;
    c.profile = p != NULL && pl_strategy_is(s, PL_TRAIT_PROFILED) ? &profile : NULL;
    CHECK_OF(s->start(&c) == NULL);
    return c;
}

/* ---- what is exhaustive ---- */

/* One round; with `loses` every execution is cut short once, and done again. */
static void explore_round(const struct pl_strategy *s, struct pl_strategy_context *c,
                          const struct machine_program *p, bool loses, struct seen *seen)
{
    bool more = true;

    s->search->adopt(c, NULL, 0);
    while (more && seen->executions < MOST) {
        uint64_t n = seen->executions + 1;

        if (loses) {
            machine_execute(&machine, p, s, c, n, 1);
            CHECK_OF(s->end(c, PL_OUTCOME_LOST, false));
        }
        enum pl_outcome outcome = machine_execute(&machine, p, s, c, n, MACHINE_ALL);

        see(seen, outcome);
        more = s->end(c, outcome, false);
    }
    CHECK_OF(!more); /* it comes to its end */
}

/* All rounds; whether that was said to be all there is. */
static bool explore(const struct pl_strategy *s, const struct machine_program *p, bool loses,
                    struct seen *seen)
{
    struct pl_strategy_context c = ready(s, p, 1);

    forget(seen);
    do {
        explore_round(s, &c, p, loses, seen);
        c.round++;
    } while (s->rounds != NULL && s->rounds->left_out(&c) && c.round <= s->rounds->last(&c));
    CHECK_OF(!given.divergence.happened);
    return (s->pruned == NULL || !s->pruned(&c)) && given.coverage.paths.outside_pc == 0;
}

/*
 * What ends by itself and says that nothing was left out has seen every class; of deadlocks it is
 * enough to tell.
 */
static void every_class_is_seen(const struct pl_strategy *s)
{
    unsigned complete = 0;

    for (unsigned i = 0; i < 2 * (PROGRAMS + 2 * DRAWN); i++) {
        struct machine_program p = program_of(i / 2);

        CHECK(explore(&pl_dfs, &p, false, &all));
        bool is_complete = explore(s, &p, i % 2 == 1, &some);

        /* A search over blocks is for programs that lock what they share, and may swap sections
         * that share nothing: drawn programs are none of its concern. */
        is_complete &= i / 2 < PROGRAMS || !given.coverage.paths.known;
        complete += is_complete;
        CHECK_OF(some.n > 0 && is_within(&some, &all));
        CHECK_OF(!is_complete || some.n == all.n ||
                 (predicted > 0 && some.n - some.deadlocks == all.n - all.deadlocks));
    }
    CHECK_OF(complete > 0 || s->pruned != NULL);
}

/* With how many choices of the last execution the next one begins. */
static void what_is_repeated_was_chosen(const struct pl_strategy *s)
{
    struct machine_program p = program_of(SECTIONS);
    struct pl_strategy_context c = ready(s, &p, 1);
    bool more = true;

    if (s->resumes == NULL)
        return;
    s->search->adopt(&c, NULL, 0);
    for (unsigned n = 1; more && n < MOST; n++) {
        enum pl_outcome outcome = machine_execute(&machine, &p, s, &c, n, MACHINE_ALL);
        /* Where somebody is asked always, there are as many choices as operations. */
        uint64_t most = pl_strategy_is(s, PL_TRAIT_ALWAYS) ? machine.run.n + 1 : machine.n_choices;

        more = s->end(&c, outcome, false);
        CHECK_OF(!more || s->resumes->repeats(&c) <= most);
    }
}

/* ---- what samples ---- */

static struct machine_run sample(const struct pl_strategy *s, struct pl_strategy_context *c,
                                 const struct machine_program *p, uint64_t n)
{
    enum pl_outcome outcome = machine_execute(&machine, p, s, c, n, MACHINE_ALL);

    see(&some, outcome);
    CHECK_OF(s->end(c, outcome, false)); /* none is the last */
    return machine.run;
}

/* Small programs have few classes: none of them is out of reach. */
static void no_class_is_out_of_reach(const struct pl_strategy *s)
{
    for (unsigned i = 0; i < PROGRAMS; i++) {
        struct machine_program p = program_of(i);

        CHECK(explore(&pl_dfs, &p, false, &all));
        struct pl_strategy_context c = ready(s, &p, 1);

        forget(&some);
        for (unsigned n = 1; n <= SAMPLED; n++)
            sample(s, &c, &p, n);
        CHECK_OF(some.n == all.n && is_within(&some, &all));
    }
}

static void executions_depend_on_the_seed_alone(const struct pl_strategy *s)
{
    struct machine_program p = machine_draw(3, MACHINE_MEMORY, 7);
    static struct machine_run first[50];
    bool other = false;

    for (uint64_t seed = 1; seed <= 3; seed++) { /* the first one twice */
        struct pl_strategy_context c = ready(s, &p, seed > 1 ? seed - 1 : 1);

        forget(&some);
        for (unsigned i = 0; i < 50; i++) {
            struct machine_run r = sample(s, &c, &p, i + 1);

            if (seed == 1)
                first[i] = r;
            CHECK_OF(seed != 2 || machine_same(&r, &first[i]));
            other |= seed == 3 && !machine_same(&r, &first[i]);
        }
    }
    CHECK_OF(other);
}

/* Values that the program asks for; strategies that let threads run freely choose them, too. */
static void every_value_is_drawn(const struct pl_strategy *s)
{
    struct pl_strategy_context c = ready(s, NULL, 1);
    struct pl_view view = {.kind = PL_CHOICE_VALUE, .options = 5, .running = -1};
    unsigned count[5] = {0};

    for (unsigned n = 1; n <= 100; n++) {
        s->begin(&c, n);
        for (unsigned i = 0; i < 4; i++) {
            unsigned taken = s->choose(&c, &view);

            CHECK_OF(taken < 5);
            count[taken < 5 ? taken : 0]++;
        }
        CHECK_OF(s->end(&c, PL_OUTCOME_DONE, false));
    }
    for (unsigned i = 0; i < 5; i++)
        CHECK_OF(count[i] > 40 && count[i] < 130);
}

/* ---- rows ---- */

static void rows_and_strategies_agree(const struct pl_strategy *s)
{
    CHECK_OF(pl_strategy_find(s->name) == s);
    CHECK_OF(strlen(s->name) < sizeof(given.settings.strategy));
    CHECK_OF(s->start != NULL && s->begin != NULL && s->choose != NULL && s->end != NULL);
    CHECK_OF((s->search != NULL) == pl_strategy_is(s, PL_TRAIT_EXHAUSTIVE));
    CHECK_OF(s->search == NULL || s->search->adopt != NULL);
    CHECK_OF(s->resumes == NULL || (s->resumes->repeats != NULL && s->resumes->resume != NULL));
    CHECK_OF(s->divides == NULL || (s->divides->split != NULL && s->divides->cut != NULL));
    CHECK_OF(s->rounds == NULL ||
             (s->rounds->left_out != NULL && s->rounds->last != NULL && s->rounds->bounds != NULL));
    CHECK_OF(!pl_strategy_is(s, PL_TRAIT_RISKS | PL_TRAIT_HELPS) || s->search != NULL);
    CHECK_OF(!pl_strategy_is(s, PL_TRAIT_LEARNS) || s->callers != NULL);
}

/* What can be asked for is of one kind or the other. */
static void what_is_listed_samples_or_is_exhaustive(const struct pl_strategy *s)
{
    CHECK_OF(pl_strategy_is(s, PL_TRAIT_SAMPLES) != pl_strategy_is(s, PL_TRAIT_EXHAUSTIVE));
}

static void parameters_that_make_no_sense_are_refused(const struct pl_strategy *s)
{
    struct pl_strategy_context c = machine_context("nonsense=1", ARENA);

    CHECK_OF(s->start(&c) != NULL);
}

static unsigned count_rows(uint32_t trait)
{
    unsigned n = 0;

    for (unsigned i = 0; i < PL_STRATEGIES; i++)
        n += (pl_strategy_rows[i].traits & trait) != 0;
    return n;
}

static void rows_are_found_by_name_and_trait(void)
{
    CHECK(count_rows(PL_TRAIT_DEFAULT) == 1 && count_rows(PL_TRAIT_REPLAYS) == 1);
    CHECK(count_rows(PL_TRAIT_FREE) == 1); /* which --noise asks for */
    CHECK(pl_strategy_find("nonsense") == NULL && pl_strategy_find("") == NULL);
    CHECK(pl_strategy_row("dfs:2", 3) == &pl_strategy_rows[PL_STRATEGY_dfs]);
    CHECK(pl_strategy_row("dfs", 2) == NULL && pl_strategy_row("dfsx", 4) == NULL);
    CHECK(pl_strategy_named_is("dfs", PL_TRAIT_EXHAUSTIVE | PL_TRAIT_FREE));
    CHECK(!pl_strategy_named_is("dfs", PL_TRAIT_SAMPLES) && !pl_strategy_named_is("", ~0u));
}

int main(void)
{
    rows_are_found_by_name_and_trait();
    each(0, 0, rows_and_strategies_agree);
    each(0, PL_TRAIT_HIDDEN, what_is_listed_samples_or_is_exhaustive);
    each(0, PL_TRAIT_HIDDEN, parameters_that_make_no_sense_are_refused);
    each(PL_TRAIT_EXHAUSTIVE, 0, every_class_is_seen);
    each(PL_TRAIT_EXHAUSTIVE, 0, what_is_repeated_was_chosen);
    each(PL_TRAIT_SAMPLES, PL_TRAIT_FREE, no_class_is_out_of_reach);
    each(PL_TRAIT_SAMPLES, PL_TRAIT_FREE, executions_depend_on_the_seed_alone);
    each(PL_TRAIT_SAMPLES, 0, every_value_is_drawn);
    return unit_result();
}
