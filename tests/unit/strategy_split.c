/* SPDX-License-Identifier: MIT */
/*
 * Parts of an exhaustive search, on random trees of choices with hand-written
 * views: whatever is split off whenever, and whoever is repeated after a death,
 * all workers together execute what one does, and nothing twice.  Bounded
 * searches execute in each round exactly what the bound allows, and say whether
 * that is all.
 */
#include "unit.h"

#include "base/hash.h"
#include "base/rng.h"
#include "strategy/shared/table.h"

#include <string.h>

enum { WORKERS = 5, DEEPEST = 9, LEAVES = 1 << 14, OPTIONS = 4, ROUNDS = 4, TREES = 25 };

struct worker {
    _Alignas(16) unsigned char arena[4096];
    struct pl_divergence divergence;
    struct pl_strategy_context context;
    bool busy;
    uint64_t at[DEEPEST + 1]; /* where the last execution was after so many choices */
    unsigned made;            /* how many it made */
};

static const struct pl_strategy *strategy;
static unsigned asked; /* how often it was asked what is new */
static struct pl_settings settings;
static struct worker workers[WORKERS];

/* The leaves executed, by the hash of the path that leads there, and how often. */
static struct {
    uint64_t path[LEAVES];
    unsigned count[LEAVES], n;
    bool left_out;
} single, together;

/* The threads of the options are 1, 3, 5 and 7. */
/* Thread 3 waits and could merely time out: to go on with another does not interrupt it. */
static const struct pl_operation operations[OPTIONS] = {{.tid = 1, .way = PL_WAY_NORMAL},
                                                        {.tid = 3, .way = PL_WAY_TIMEOUT},
                                                        {.tid = 5, .way = PL_WAY_NORMAL},
                                                        {.tid = 7, .way = PL_WAY_NORMAL}};
static const struct pl_operation *const next[OPTIONS] = {&operations[0], &operations[1],
                                                         &operations[2], &operations[3]};

/* An answer that changes each time: once is all that a search may ask. */
static unsigned risk(const struct pl_operation *op)
{
    return (unsigned)pl_hash_mix(++asked * 8 + op->tid) % 2;
}

static bool by_risk;

static void start(struct worker *w)
{
    memset(w, 0, sizeof(*w));
    w->context = (struct pl_strategy_context){.settings = &settings,
                                              .arena = w->arena,
                                              .arena_size = sizeof(w->arena),
                                              .divergence = &w->divergence,
                                              .risk = by_risk ? risk : NULL};
    CHECK(strategy->start(&w->context) == NULL);
}

static void take_root(struct worker *w, uint64_t round)
{
    w->context.round = round;
    strategy->search->adopt(&w->context, NULL, 0);
}

static bool has_left_out(const struct worker *w)
{
    return strategy->rounds != NULL && strategy->rounds->left_out(&w->context);
}

/* The choice at the end of this path; false when the execution ends there. */
static bool view_at(uint64_t path, unsigned depth, struct pl_view *view)
{
    uint64_t h = pl_hash_mix(path);
    unsigned options = 2 + (unsigned)(h >> 8) % (depth < 3 ? 3 : 2);
    int running = path % 3 == 0 ? -1 : (int)(path % options);

    *view = (struct pl_view){
        .depth = depth,
        .kind = h >> 16 & 7 ? PL_CHOICE_THREAD : PL_CHOICE_VALUE,
        .options = options,
        .running = running,
        .at = {.tid = (pl_tid)(running >= 0 ? 2 * running + 1 : (int)(h >> 24 & 3) * 2)},
        .next = next,
    };
    return depth < DEEPEST && (depth <= 2 || h % 5 != 0);
}

/* What an option costs, said in another way than the strategies do. */
static unsigned cost_of(const struct pl_view *view, unsigned option)
{
    unsigned passed = 0;

    if (view->kind != PL_CHOICE_THREAD || strategy == &pl_dfs)
        return 0;
    if (strategy == &pl_pcb)
        return view->running >= 0 && view->running != 1 && option != (unsigned)view->running;
    /* Walk round all threads, from the one at the point to the one taken. */
    for (unsigned tid = view->at.tid; tid != next[option]->tid; tid = (tid + 1) % 8) {
        for (unsigned i = 0; i < view->options; i++)
            passed += next[i]->tid == tid;
    }
    return passed;
}

static unsigned leaves_within(uint64_t path, unsigned depth, unsigned budget)
{
    struct pl_view view;
    unsigned n = 0;

    if (!view_at(path, depth, &view))
        return 1;
    for (unsigned i = 0; i < view.options; i++) {
        if (cost_of(&view, i) <= budget)
            n += leaves_within(pl_hash_add(path, i + 1), depth + 1, budget - cost_of(&view, i));
    }
    return n;
}

/*
 * One execution; it may be cut short after some choices.  It begins in the
 * middle of the last one, as far as both are the same.  Returns the leaf.
 */
static uint64_t execute(struct worker *w, uint64_t tree, unsigned limit)
{
    unsigned depth = (unsigned)strategy->resumes->repeats(&w->context);
    struct pl_view view;

    if (depth > w->made)
        depth = w->made; /* that one was cut short */
    w->at[0] = tree;
    strategy->begin(&w->context, 1);
    if (depth > 0)
        strategy->resumes->resume(&w->context, depth, 0);
    for (; depth < limit && view_at(w->at[depth], depth, &view); depth++) {
        unsigned taken = strategy->choose(&w->context, &view);

        CHECK(taken < view.options);
        w->at[depth + 1] = pl_hash_add(w->at[depth], taken + 1);
    }
    w->made = depth;
    return w->at[depth];
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

static void explore_alone(uint64_t tree, uint64_t round)
{
    start(&workers[0]);
    take_root(&workers[0], round);
    single.n = 0;
    do {
        CHECK(single.n < LEAVES);
        single.path[single.n++] = execute(&workers[0], tree, DEEPEST);
    } while (strategy->end(&workers[0].context, PL_OUTCOME_DONE, false));
    single.left_out = has_left_out(&workers[0]);
}

static double left_of(const struct worker *w)
{
    struct pl_estimate e = {0};

    if (strategy->search->estimate == NULL)
        return 0;
    strategy->search->estimate(&w->context, &e);
    return e.left;
}

/* Hand a part of w's work to some worker without any. */
static void part_with(struct worker *w, uint64_t *rng)
{
    unsigned char part[4096];
    unsigned to = 0;

    while (to < WORKERS && workers[to].busy)
        to++;
    uint64_t n = to < WORKERS ? strategy->divides->split(&w->context, part, sizeof(part)) : 0;

    if (n == 0 || pl_rng_below(rng, 8) == 0) /* it dies before the part is given: nothing changes */
        return;
    double before = left_of(w);

    workers[to].context.round = w->context.round;
    strategy->search->adopt(&workers[to].context, part, n);
    workers[to].busy = true;
    strategy->divides->cut(&w->context);
    double off = before - left_of(w) - left_of(&workers[to]);

    CHECK(off < 1e-12 && off > -1e-12);
    CHECK(strategy->search->estimate == NULL || (left_of(w) > 0 && left_of(&workers[to]) > 0));
    if (pl_rng_below(rng, 4) == 0)
        strategy->divides->cut(&w->context); /* whoever comes after a death says it again */
}

static bool anybody_busy(void)
{
    bool any = false;

    for (unsigned i = 0; i < WORKERS; i++)
        any |= workers[i].busy;
    return any;
}

static void explore_together(uint64_t tree, uint64_t round, uint64_t rng)
{
    memset(&together, 0, sizeof(together));
    for (unsigned i = 0; i < WORKERS; i++)
        start(&workers[i]);
    take_root(&workers[0], round);
    workers[0].busy = true;
    while (anybody_busy()) {
        struct worker *w = &workers[pl_rng_below(&rng, WORKERS)];

        if (!w->busy)
            continue;
        if (pl_rng_below(&rng, 6) == 0) { /* it dies on the way */
            execute(w, tree, pl_rng_below(&rng, DEEPEST));
            CHECK(strategy->end(&w->context, PL_OUTCOME_LOST, false));
        }
        add_leaf(execute(w, tree, DEEPEST));
        w->busy = strategy->end(&w->context, PL_OUTCOME_DONE, false);
        if (pl_rng_below(&rng, 4) == 0) /* it dies before it could note that */
            CHECK(strategy->end(&w->context, PL_OUTCOME_DONE, false) == w->busy);
        if (!w->busy)
            together.left_out |= has_left_out(w);
        if (w->busy && pl_rng_below(&rng, 3) == 0)
            part_with(w, &rng);
        CHECK(!w->divergence.happened);
    }
}

static void parts_are_disjoint_and_all(uint64_t round)
{
    for (uint64_t seed = 1; seed <= TREES; seed++) {
        uint64_t tree = pl_hash_mix(seed);

        explore_alone(tree, round);
        explore_together(tree, round, seed);
        CHECK(single.n == leaves_within(tree, 0, (unsigned)round));
        CHECK(single.left_out == (single.n < leaves_within(tree, 0, 1000)));
        CHECK(together.n == single.n && together.left_out == single.left_out);
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
    struct pl_view view = {.kind = PL_CHOICE_VALUE, .options = 3, .running = -1};

    start(w);
    take_root(w, 0);
    CHECK(strategy->divides->split(&w->context, part, sizeof(part)) ==
          0); /* no choice is known yet */
    strategy->begin(&w->context, 1);
    strategy->choose(&w->context, &view);
    CHECK(strategy->end(&w->context, PL_OUTCOME_DONE, false));
    CHECK(strategy->divides->split(&w->context, part, 1) == 0); /* no room */
    CHECK(strategy->divides->split(&w->context, part, sizeof(part)) > 0);
    strategy->divides->cut(&w->context);
    CHECK(strategy->divides->split(&w->context, part, sizeof(part)) == 0);
    strategy->begin(&w->context, 2);
    CHECK(strategy->choose(&w->context, &view) == 1);
    CHECK(!strategy->end(&w->context, PL_OUTCOME_DONE, false)); /* the third option is another's */
}

/* Threads 5 and 7 of three to choose from. */
static unsigned upper(const struct pl_operation *op)
{
    return op->tid >= 5;
}

static void what_is_new_comes_first(void)
{
    const struct pl_view view = {
        .kind = PL_CHOICE_THREAD, .options = 4, .running = 0, .at = {.tid = 1}, .next = next};
    struct worker *w = &workers[0];
    unsigned order[OPTIONS];

    start(w);
    w->context.risk = upper;
    take_root(w, 3);
    for (unsigned i = 0; i < OPTIONS; i++) {
        strategy->begin(&w->context, i + 1);
        order[i] = strategy->choose(&w->context, &view);
        w->context.risk = risk; /* what was new no longer is */
        CHECK(strategy->end(&w->context, PL_OUTCOME_DONE, false) == (i + 1 < OPTIONS));
    }
    CHECK(order[0] == 2 && order[1] == 3 && order[2] == 0 && order[3] == 1);
}

int main(void)
{
    for (unsigned i = 0; i < PL_STRATEGIES; i++) {
        strategy = pl_strategy_at((enum pl_strategy_number)i);
        /* One that goes by pairs has a test of its own: these trees have no places. */
        if (strategy->divides == NULL || pl_strategy_is(strategy, PL_TRAIT_PAIRED))
            continue;
        for (uint64_t round = 0; round < (strategy->rounds != NULL ? ROUNDS : 1); round++) {
            by_risk = false;
            parts_are_disjoint_and_all(round);
            by_risk = true;
            parts_are_disjoint_and_all(round);
        }
        by_risk = false;
        what_is_new_comes_first();
        nothing_is_split_off_where_nothing_is_left();
    }
    return unit_result();
}
