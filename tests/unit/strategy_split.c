/* SPDX-License-Identifier: MIT */
/*
 * Parts of an exhaustive search, on random trees of choices with hand-written
 * views: whatever is split off whenever, and whoever is repeated after a death,
 * all workers together execute what one does, and nothing twice.
 */
#include "unit.h"

#include "base/hash.h"
#include "base/rng.h"
#include "strategy/table.h"

#include <string.h>

enum { WORKERS = 5, DEEPEST = 9, LEAVES = 1 << 14 };

struct worker {
    _Alignas(16) unsigned char arena[4096];
    struct pl_divergence divergence;
    struct pl_strategy_context context;
    bool busy;
};

static struct pl_settings settings;
static struct worker workers[WORKERS];

/* The leaves executed, by the hash of the path that leads there, and how often. */
static struct {
    uint64_t path[LEAVES];
    unsigned count[LEAVES], n;
} single, together;

static void start(struct worker *w)
{
    memset(w, 0, sizeof(*w));
    w->context = (struct pl_strategy_context){.settings = &settings,
                                              .arena = w->arena,
                                              .arena_size = sizeof(w->arena),
                                              .divergence = &w->divergence};
    CHECK(pl_dfs.start(&w->context) == NULL);
}

/* How many options the choice at the end of this path has; 0: the execution ends there. */
static unsigned options_at(uint64_t path, unsigned depth)
{
    uint64_t h = pl_hash_mix(path);

    if (depth == DEEPEST || (depth > 2 && h % 5 == 0))
        return 0;
    return 2 + (unsigned)(h >> 8) % (depth < 3 ? 3 : 2);
}

/* One execution; it may be cut short after some choices.  Returns the leaf. */
static uint64_t execute(struct worker *w, uint64_t tree, unsigned limit)
{
    uint64_t path = tree;
    unsigned options;

    pl_dfs.begin(&w->context, 1);
    for (unsigned depth = 0; depth < limit && (options = options_at(path, depth)) > 0; depth++) {
        struct pl_view view = {.depth = depth,
                               .options = options,
                               .running = path % 3 == 0 ? -1 : (int)(path % options)};
        unsigned taken = pl_dfs.choose(&w->context, &view);

        CHECK(taken < options);
        path = pl_hash_add(path, taken + 1);
    }
    return path;
}

static void add_leaf(uint64_t path)
{
    unsigned i = 0;

    while (i < together.n && together.path[i] != path)
        i++;
    CHECK(i < LEAVES);
    together.path[i] = path;
    together.count[i]++;
    together.n += i == together.n;
}

static void explore_alone(uint64_t tree)
{
    start(&workers[0]);
    pl_dfs.adopt(&workers[0].context, NULL, 0);
    single.n = 0;
    do {
        CHECK(single.n < LEAVES);
        single.path[single.n++] = execute(&workers[0], tree, DEEPEST);
    } while (pl_dfs.end(&workers[0].context, PL_OUTCOME_DONE, false));
}

static double left_of(const struct worker *w)
{
    struct pl_estimate e = {0};

    pl_dfs.estimate(&w->context, &e);
    return e.left;
}

/* Hand a part of w's work to some worker without any. */
static void part_with(struct worker *w, uint64_t *rng)
{
    unsigned char part[4096];
    unsigned to = 0;

    while (to < WORKERS && workers[to].busy)
        to++;
    uint64_t n = to < WORKERS ? pl_dfs.split(&w->context, part, sizeof(part)) : 0;

    if (n == 0 || pl_rng_below(rng, 8) == 0) /* it dies before the part is given: nothing changes */
        return;
    double before = left_of(w);

    pl_dfs.adopt(&workers[to].context, part, n);
    workers[to].busy = true;
    pl_dfs.cut(&w->context);
    double off = before - left_of(w) - left_of(&workers[to]);

    CHECK(off < 1e-12 && off > -1e-12 && left_of(w) > 0 && left_of(&workers[to]) > 0);
    if (pl_rng_below(rng, 4) == 0)
        pl_dfs.cut(&w->context); /* whoever comes after a death says it again */
}

static bool anybody_busy(void)
{
    bool any = false;

    for (unsigned i = 0; i < WORKERS; i++)
        any |= workers[i].busy;
    return any;
}

static void explore_together(uint64_t tree, uint64_t rng)
{
    memset(&together, 0, sizeof(together));
    for (unsigned i = 0; i < WORKERS; i++)
        start(&workers[i]);
    pl_dfs.adopt(&workers[0].context, NULL, 0);
    workers[0].busy = true;
    while (anybody_busy()) {
        struct worker *w = &workers[pl_rng_below(&rng, WORKERS)];

        if (!w->busy)
            continue;
        if (pl_rng_below(&rng, 6) == 0) { /* it dies on the way */
            execute(w, tree, pl_rng_below(&rng, DEEPEST));
            CHECK(pl_dfs.end(&w->context, PL_OUTCOME_LOST, false));
        }
        add_leaf(execute(w, tree, DEEPEST));
        w->busy = pl_dfs.end(&w->context, PL_OUTCOME_DONE, false);
        if (pl_rng_below(&rng, 4) == 0) /* it dies before it could note that */
            CHECK(pl_dfs.end(&w->context, PL_OUTCOME_DONE, false) == w->busy);
        if (w->busy && pl_rng_below(&rng, 3) == 0)
            part_with(w, &rng);
        CHECK(!w->divergence.happened);
    }
}

static void parts_are_disjoint_and_all(void)
{
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t tree = pl_hash_mix(seed);

        explore_alone(tree);
        explore_together(tree, seed);
        CHECK(single.n > 1 && together.n == single.n);
        for (unsigned i = 0; i < together.n; i++)
            CHECK(together.count[i] == 1);
        for (unsigned i = 0; i < single.n; i++)
            add_leaf(single.path[i]);
        CHECK(together.n == single.n); /* no leaf of one is missing in the other */
    }
}

static void nothing_is_split_off_where_nothing_is_left(void)
{
    unsigned char part[64];
    struct worker *w = &workers[0];
    struct pl_view view = {.options = 3, .running = -1};

    start(w);
    pl_dfs.adopt(&w->context, NULL, 0);
    CHECK(pl_dfs.split(&w->context, part, sizeof(part)) == 0); /* no choice is known yet */
    pl_dfs.begin(&w->context, 1);
    pl_dfs.choose(&w->context, &view);
    CHECK(pl_dfs.end(&w->context, PL_OUTCOME_DONE, false));
    CHECK(pl_dfs.split(&w->context, part, 1) == 0); /* no room */
    CHECK(pl_dfs.split(&w->context, part, sizeof(part)) > 0);
    pl_dfs.cut(&w->context);
    CHECK(pl_dfs.split(&w->context, part, sizeof(part)) == 0);
    pl_dfs.begin(&w->context, 2);
    CHECK(pl_dfs.choose(&w->context, &view) == 1);
    CHECK(!pl_dfs.end(&w->context, PL_OUTCOME_DONE, false)); /* the third option is another's */
}

int main(void)
{
    parts_are_disjoint_and_all();
    nothing_is_split_off_where_nothing_is_left();
    return unit_result();
}
