/* SPDX-License-Identifier: MIT */
/*
 * `auto`, `pairs` and `lockstep` on programs that are lists of stores and loads: that a
 * small search is finished, that samples are told from it, that orders are reversed.
 */
#include "unit.h"

#include "machine.h"
#include "strategy/samplers/pairs.h"
#include "strategy/shared/table.h"

#include <string.h>
#include <sys/mman.h>

enum { THREADS = 8, ARENA = 32 << 20 };
enum { A = 0x1000, B = 0x2000 };

#define STORE(where, place)                                        \
    {                                                              \
        .kind = PL_OP_ATOMIC_STORE, .addr = (where), .pc = (place) \
    }
#define LOAD(where, place)                                        \
    {                                                             \
        .kind = PL_OP_ATOMIC_LOAD, .addr = (where), .pc = (place) \
    }

static const struct machine_thread writer = {{STORE(A, 1), STORE(B, 2)}};
static const struct machine_thread reader = {{LOAD(A, 3), LOAD(B, 4)}};

static struct pl_strategy_context ready(const struct pl_strategy *s, uint64_t seed)
{
    struct pl_strategy_context c = machine_context("", ARENA);

    given.settings.seed = seed;
    CHECK(s->start(&c) == NULL);
    if (s->search != NULL)
        s->search->adopt(&c, NULL, 0);
    return c;
}

static struct machine_run execute(const struct pl_strategy *s, struct pl_strategy_context *c,
                                  const struct machine_program *p, uint64_t n)
{
    static struct machine machine;

    given.divergence.happened = false;
    machine_execute(&machine, p, s, c, n, MACHINE_ALL);
    return machine.run;
}

/* Until the strategy ends, or for `most` executions; returns how many. */
static unsigned explore(struct pl_strategy_context *c, const struct machine_program *p,
                        unsigned most)
{
    bool more = true;
    unsigned n = 0;

    while (more && n < most) {
        execute(&pl_auto, c, p, ++n);
        more = pl_auto.end(c, PL_OUTCOME_DONE, false);
    }
    return n;
}

static struct machine_program writers_and_reader(unsigned writers)
{
    struct machine_program p = {.n = writers + 1};

    for (unsigned i = 0; i < writers; i++)
        p.threads[i] = writer;
    p.threads[writers] = reader;
    return p;
}

/* Of two threads that write the same location twice each there are 6 orders. */
static void auto_ends_when_everything_was_seen(void)
{
    static const struct machine_thread twice = {{STORE(A, 1), STORE(A, 2)}};
    const struct machine_program p = {.n = 2, .threads = {twice, twice}};

    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct pl_strategy_context c = ready(&pl_auto, seed);
        unsigned n = explore(&c, &p, 1000);

        CHECK(n < 1000);
        CHECK(given.coverage.known && given.coverage.searched == 6 && !given.coverage.stopped);
        CHECK(!pl_auto.sample(&c));
    }
}

/* If a loop was cut short on the way, the end of the search is not that of auto. */
static void auto_goes_on_where_its_search_has_not_seen_everything(void)
{
    static const struct machine_thread twice = {{STORE(A, 1), STORE(A, 2)}};
    const struct machine_program p = {.n = 2, .threads = {twice, twice}};
    struct pl_board *board = mmap(NULL, sizeof(*board), PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct pl_strategy_context c = ready(&pl_auto, 1);

    CHECK(board != MAP_FAILED);
    board->incomplete = PL_INCOMPLETE_UNFAIR;
    given.board = board;
    c.board = board;
    CHECK(explore(&c, &p, 1000) == 1000);
    CHECK(given.coverage.searched == 6 && given.coverage.stopped && given.coverage.ended);
    CHECK(pl_auto.sample(&c));
    given.board = NULL;
    munmap(board, sizeof(*board));
}

static void auto_samples_and_searches(void)
{
    const struct machine_program p = writers_and_reader(6);
    struct pl_strategy_context c = ready(&pl_auto, 1);
    unsigned samples = 0;

    for (unsigned n = 1; n <= 300; n++) {
        execute(&pl_auto, &c, &p, n);
        samples += pl_auto.sample(&c);
        CHECK(pl_auto.end(&c, PL_OUTCOME_DONE, false));
    }
    CHECK(samples >= 150 && samples <= 230);
    CHECK(given.coverage.searched == 300 - samples);
}

static void auto_depends_on_the_seed_only(void)
{
    const struct machine_program p = writers_and_reader(4);
    static struct machine_run first[100];
    unsigned same = 0;

    for (unsigned round = 0; round < 3; round++) {
        struct pl_strategy_context c = ready(&pl_auto, round == 2 ? 8 : 7);

        same = 0;
        for (unsigned n = 1; n <= 100; n++) {
            struct machine_run r = execute(&pl_auto, &c, &p, n);

            CHECK(pl_auto.end(&c, PL_OUTCOME_DONE, false));
            if (round == 0)
                first[n - 1] = r;
            same += machine_same(&r, &first[n - 1]);
        }
        CHECK(round == 2 ? same < 100 : same == 100);
    }
}

static void whoever_helps_samples_only_and_never_ends(void)
{
    const struct machine_program p = {.n = 2, .threads = {writer, reader}};
    struct pl_strategy_context c = ready(&pl_auto, 1);

    c.helping = true;
    for (unsigned n = 1; n <= 200; n++) {
        execute(&pl_auto, &c, &p, n);
        CHECK(pl_auto.sample(&c));
        CHECK(pl_auto.end(&c, PL_OUTCOME_DONE, false));
    }
    CHECK(given.coverage.searched == 0);
}

/* More memory turned out to be shared: the search begins anew, the pairs stay known. */
static void the_search_starts_over_and_pairs_are_kept(void)
{
    const struct machine_program p = {.n = 2, .threads = {writer, reader}};
    struct pl_strategy_context c = ready(&pl_auto, 1);

    for (unsigned n = 1; n <= 12; n++) {
        execute(&pl_auto, &c, &p, n);
        CHECK(pl_auto.end(&c, PL_OUTCOME_DONE, false));
    }
    uint32_t pairs = given.coverage.pairs.both + given.coverage.pairs.one;

    CHECK(given.coverage.searched > 0 && pairs > 0);
    execute(&pl_auto, &c, &p, 13);
    CHECK(pl_auto.end(&c, PL_OUTCOME_DONE, true));
    CHECK(given.coverage.searched == 0);
    CHECK(given.coverage.pairs.both + given.coverage.pairs.one >= pairs);
}

static void a_lost_execution_is_made_again_by_the_same_member(void)
{
    const struct machine_program p = writers_and_reader(3);
    struct pl_strategy_context c = ready(&pl_auto, 3);

    for (unsigned n = 1; n <= 60; n++) {
        execute(&pl_auto, &c, &p, n);
        bool sample = pl_auto.sample(&c);
        uint64_t searched = given.coverage.searched;

        CHECK(pl_auto.end(&c, PL_OUTCOME_LOST, false));
        CHECK(given.coverage.searched == searched);
        execute(&pl_auto, &c, &p, n);
        CHECK(pl_auto.sample(&c) == sample);
        CHECK(pl_auto.end(&c, PL_OUTCOME_DONE, false));
    }
}

/* The program did not repeat itself: the search is given up, and nothing is complete. */
static void a_search_that_strayed_is_given_up(void)
{
    const struct machine_program p = {.n = 2, .threads = {writer, reader}};
    struct pl_strategy_context c = ready(&pl_auto, 1);
    bool strayed = false;

    for (unsigned n = 1; n <= 300; n++) {
        execute(&pl_auto, &c, &p, n);
        CHECK(!strayed || pl_auto.sample(&c));
        if (!pl_auto.sample(&c))
            given.divergence.happened = strayed = true;
        CHECK(pl_auto.end(&c, PL_OUTCOME_DONE, false));
    }
    CHECK(strayed && given.coverage.stopped && given.coverage.searched == 1);
}

/* Whether the reader, the last thread, came between the stores of all that had begun. */
static bool is_torn(const struct machine_program *p, const struct machine_run *r)
{
    unsigned last = p->n - 1, at[THREADS] = {0}, a = 0, b = 0;

    for (unsigned i = 0; i < r->n; i++) {
        unsigned who = r->who[i];

        if (who == last && at[who] == 1)
            return at[who] == 1 && a > 0 && b == 0;
        if (who == last && a == 0)
            return false;
        a += who != last && at[who] == 0;
        b += who != last && at[who] == 1;
        at[who]++;
    }
    return false;
}

/* At random it would take hundreds: every one of seven must be between its two stores, or before.
 */
static void pairs_reverse_what_was_seen(void)
{
    const struct machine_program p = writers_and_reader(7);

    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct pl_strategy_context c = ready(&pl_pairs, seed);
        unsigned n = 0;
        bool torn = false;

        while (!torn && ++n <= 60) {
            struct machine_run r = execute(&pl_pairs, &c, &p, n);

            torn = is_torn(&p, &r);
            CHECK(pl_pairs.end(&c, PL_OUTCOME_DONE, false));
        }
        CHECK(torn);
    }
}

static void pairs_are_counted_by_their_orders(void)
{
    static const struct machine_thread store = {{STORE(A, 1)}}, load = {{LOAD(A, 2)}};
    const struct machine_program p = {.n = 2, .threads = {store, load}};
    struct pl_strategy_context c = ready(&pl_pairs, 1);
    struct pl_pair_counts counts;

    execute(&pl_pairs, &c, &p, 1);
    counts = pl_pairs_count(&c);
    CHECK(counts.both == 0 && counts.one == 1 && !counts.full);
    CHECK(pl_pairs_fresh(&c) == 1);
    for (unsigned n = 2; n <= 10; n++)
        execute(&pl_pairs, &c, &p, n);
    counts = pl_pairs_count(&c);
    CHECK(counts.both == 1 && counts.one == 0);
    CHECK(pl_pairs_fresh(&c) == 0);
}

/* Whether the threads of the execution came in this order. */
static bool is_order(const struct machine_run *r, const char *order)
{
    bool same = r->n == strlen(order);

    for (unsigned i = 0; same && i < r->n; i++)
        same = r->who[i] == (unsigned)(order[i] - '0');
    return same;
}

/* The first execution, whatever the seed: a step each, the last one first. */
static void lockstep_is_the_first_execution_of_auto(void)
{
    const struct machine_program p = writers_and_reader(3);

    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct pl_strategy_context c = ready(&pl_auto, seed);
        struct machine_run r = execute(&pl_auto, &c, &p, 1);

        CHECK(is_order(&r, "32103210"));
        CHECK(pl_auto.sample(&c));
    }
}

/* B changes hands most often, and the reader came to it first: it comes to it last. */
static void lockstep_then_keeps_the_first_one_back(void)
{
    static const struct machine_thread twice = {{STORE(B, 1), STORE(B, 1)}};
    const struct machine_program p = {.n = 3, .threads = {twice, twice, {{LOAD(B, 4)}}}};
    struct pl_strategy_context c = ready(&pl_lockstep, 1);
    struct machine_run r = execute(&pl_lockstep, &c, &p, 1);

    CHECK(is_order(&r, "21010"));
    CHECK(pl_lockstep.end(&c, PL_OUTCOME_LOST, false));
    r = execute(&pl_lockstep, &c, &p, 1);
    CHECK(is_order(&r, "21010"));
    for (unsigned n = 2; n <= 4; n++) {
        CHECK(pl_lockstep.end(&c, PL_OUTCOME_DONE, false));
        r = execute(&pl_lockstep, &c, &p, n);
        CHECK(is_order(&r, "10102"));
    }
}

static void parameters_are_refused(void)
{
    struct pl_strategy_context c = ready(&pl_auto, 1);

    strcpy(given.settings.parameters, "7");
    CHECK(pl_auto.start(&c) != NULL);
    CHECK(pl_pairs.start(&c) != NULL);
    given.settings.parameters[0] = '\0';
}

int main(void)
{
    auto_ends_when_everything_was_seen();
    auto_goes_on_where_its_search_has_not_seen_everything();
    auto_samples_and_searches();
    auto_depends_on_the_seed_only();
    whoever_helps_samples_only_and_never_ends();
    the_search_starts_over_and_pairs_are_kept();
    a_lost_execution_is_made_again_by_the_same_member();
    a_search_that_strayed_is_given_up();
    pairs_reverse_what_was_seen();
    pairs_are_counted_by_their_orders();
    lockstep_is_the_first_execution_of_auto();
    lockstep_then_keeps_the_first_one_back();
    parameters_are_refused();
    return unit_result();
}
