/* SPDX-License-Identifier: MIT */
/*
 * The strategies, driven with views written by hand: dfs visits every path of a
 * tree of choices once, random depends on seed and execution only, replay takes
 * its steps where they belong and says when it cannot.
 */
#include "unit.h"

#include "machine.h"
#include "strategy/shared/table.h"

static struct pl_strategy_context fresh(void)
{
    return machine_context("", 1 << 16);
}

/* One execution over a tree whose n-th choice has options[n] options; returns the path as a number.
 */
static unsigned walk(const struct pl_strategy *s, struct pl_strategy_context *c,
                     const unsigned *options, unsigned depth, uint64_t n)
{
    unsigned path = 0;

    s->begin(c, n);
    for (unsigned i = 0; i < depth; i++) {
        struct pl_view view = {
            .depth = i, .kind = PL_CHOICE_VALUE, .options = options[i], .running = i % 2 ? 1 : -1};
        unsigned taken = s->choose(c, &view);

        CHECK(taken < options[i]);
        path = path * 10 + taken;
    }
    return path;
}

static void dfs_visits_every_path_once(void)
{
    static const unsigned options[] = {3, 2, 4};
    struct pl_strategy_context c = fresh();
    bool seen[400] = {false};
    unsigned n = 0;
    bool more = true;

    CHECK(pl_dfs.start(&c) == NULL);
    while (more && n < 1000) {
        unsigned path = walk(&pl_dfs, &c, options, 3, ++n);

        CHECK(!seen[path]);
        seen[path] = true;
        more = pl_dfs.end(&c, PL_OUTCOME_DONE, false);
    }
    CHECK(n == 3 * 2 * 4);
}

/* All subtrees are equally large here, so the share is exact. */
static void dfs_knows_what_is_left(void)
{
    static const unsigned options[] = {3, 2, 4};
    struct pl_strategy_context c = fresh();
    struct pl_estimate e;

    pl_dfs.start(&c);
    pl_dfs.search->estimate(&c, &e);
    CHECK(e.left == 1);
    for (unsigned n = 1; n < 3 * 2 * 4; n++) {
        walk(&pl_dfs, &c, options, 3, n);
        CHECK(pl_dfs.end(&c, PL_OUTCOME_DONE, false));
        pl_dfs.search->estimate(&c, &e);
        double off = e.left - (1 - n / 24.0);

        CHECK(off < 1e-12 && off > -1e-12);
    }
}

static void dfs_repeats_a_lost_execution_and_starts_over_when_told(void)
{
    static const unsigned options[] = {2, 2};
    struct pl_strategy_context c = fresh();

    pl_dfs.start(&c);
    unsigned first = walk(&pl_dfs, &c, options, 2, 1);

    CHECK(pl_dfs.end(&c, PL_OUTCOME_DONE, false));
    unsigned second = walk(&pl_dfs, &c, options, 2, 2);

    CHECK(second != first);
    CHECK(pl_dfs.end(&c, PL_OUTCOME_LOST, false));
    CHECK(walk(&pl_dfs, &c, options, 2, 2) == second);
    CHECK(pl_dfs.end(&c, PL_OUTCOME_DONE, true));
    CHECK(walk(&pl_dfs, &c, options, 2, 3) == first);
}

static void random_depends_on_seed_and_execution_only(void)
{
    static const unsigned options[] = {5, 5, 5, 5, 5, 5, 5, 5};
    struct pl_strategy_context c = fresh();

    given.settings.seed = 7;
    unsigned a = walk(&pl_random, &c, options, 8, 4);

    walk(&pl_random, &c, options, 8, 5);
    CHECK(walk(&pl_random, &c, options, 8, 4) == a);
    given.settings.seed = 8;
    CHECK(walk(&pl_random, &c, options, 8, 4) != a);
    CHECK(pl_random.end(&c, PL_OUTCOME_DONE, false));
}

static struct pl_view view_at(uint64_t name, uint32_t ordinal,
                              const struct pl_operation *const *next)
{
    return (struct pl_view){.kind = PL_CHOICE_THREAD,
                            .options = 2,
                            .running = 0,
                            .at = {.kind = PL_OP_MUTEX_LOCK, .name = name, .ordinal = ordinal},
                            .next = next,
                            .digest = 99};
}

/* A schedule of one step: thread 10 at its event 5 hands over to thread 20. */
static const struct pl_step step = {.at = 10,
                                    .target = 20,
                                    .ordinal = 5,
                                    .kind = PL_CHOICE_THREAD,
                                    .op = PL_OP_MUTEX_LOCK,
                                    .digest = 99};

static struct pl_strategy_context begin_replay(void)
{
    struct pl_strategy_context c = fresh();

    c.steps = &step;
    c.n_steps = 1;
    pl_replay.begin(&c, 1);
    return c;
}

static void replay_takes_steps_in_their_places(void)
{
    const struct pl_operation ten = {.name = 10}, twenty = {.name = 20};
    const struct pl_operation *const next[2] = {&ten, &twenty};
    struct pl_strategy_context c = begin_replay();
    struct pl_view early = view_at(10, 4, next), there = view_at(10, 5, next);

    CHECK(pl_replay.choose(&c, &early) == 0);
    CHECK(c.following && !c.took);
    CHECK(pl_replay.choose(&c, &there) == 1);
    CHECK(!c.following && c.took);
    pl_replay.end(&c, PL_OUTCOME_DONE, false);
    CHECK(!given.divergence.happened);
}

static void replay_says_when_it_goes_astray(void)
{
    const struct pl_operation ten = {.name = 10}, thirty = {.name = 30};
    const struct pl_operation *const next[2] = {&ten, &thirty};
    struct pl_strategy_context c = begin_replay();
    struct pl_view there = view_at(10, 5, next), past = view_at(10, 6, next);

    CHECK(pl_replay.choose(&c, &there) == 0); /* thread 20 cannot go on */
    CHECK(given.divergence.happened && given.divergence.step == 0);

    c = begin_replay();
    pl_replay.choose(&c, &past);
    CHECK(given.divergence.happened);

    c = begin_replay();
    pl_replay.end(&c, PL_OUTCOME_DONE, false);
    CHECK(given.divergence.happened); /* it ended before the schedule did */
}

int main(void)
{
    CHECK(pl_strategy_find("dfs") == &pl_dfs);
    CHECK(pl_strategy_find("nonsense") == NULL);
    dfs_visits_every_path_once();
    dfs_knows_what_is_left();
    dfs_repeats_a_lost_execution_and_starts_over_when_told();
    random_depends_on_seed_and_execution_only();
    replay_takes_steps_in_their_places();
    replay_says_when_it_goes_astray();
    return unit_result();
}
