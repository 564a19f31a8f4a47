/* SPDX-License-Identifier: MIT */
/*
 * Estimates of what is still to come, against samples and trees of which that
 * is known; all over fixed seeds.
 */
#include "unit.h"

#include "base/rng.h"
#include "model/estimate.h"

#include <string.h>

enum { CLASSES = 400, CAMPAIGNS = 200, DEEPEST = 12 };

/* Class i has a probability in proportion to 1/(i+1). */
static double probability[CLASSES];

static void fill_probabilities(void)
{
    double total = 0;

    for (unsigned i = 0; i < CLASSES; i++)
        total += 1.0 / (i + 1);
    for (unsigned i = 0; i < CLASSES; i++)
        probability[i] = 1.0 / (i + 1) / total;
}

static unsigned draw(uint64_t *rng)
{
    double at = (double)(pl_rng_next(rng) >> 11) / 9007199254740992.0;
    unsigned i = 0;

    while (i < CLASSES - 1 && at >= probability[i])
        at -= probability[i++];
    return i;
}

/* A campaign of n executions: what is estimated, and what is true. */
static struct pl_outlook sample(uint64_t seed, unsigned n, double *unseen)
{
    unsigned count[CLASSES] = {0}, once = 0, twice = 0;

    for (unsigned i = 0; i < n; i++)
        count[draw(&seed)]++;
    *unseen = 0;
    for (unsigned i = 0; i < CLASSES; i++) {
        once += count[i] == 1;
        twice += count[i] == 2;
        *unseen += count[i] == 0 ? probability[i] : 0;
    }
    return pl_estimate_unseen(n, once, twice);
}

/* The limits are for 95 of 100 campaigns. */
static void new_classes_are_as_likely_as_estimated(unsigned n)
{
    double estimated = 0, truth = 0;
    unsigned within = 0;

    for (uint64_t seed = 1; seed <= CAMPAIGNS; seed++) {
        double unseen;
        struct pl_outlook o = sample(pl_hash_mix(seed), n, &unseen);

        CHECK(o.kind == PL_OUTLOOK_NEW_CLASS && o.low <= o.value && o.value <= o.high);
        within += o.low <= unseen && unseen <= o.high;
        estimated += o.value;
        truth += unseen;
    }
    CHECK(within >= CAMPAIGNS * 90 / 100);
    CHECK(estimated > truth * 0.95 && estimated < truth * 1.05);
}

static void nothing_new_is_expected_when_all_was_seen_twice(void)
{
    struct pl_outlook o = pl_estimate_unseen(1000, 0, 4);

    CHECK(o.value == 0 && o.low == 0 && o.high > 0 && o.high < 0.01);
    CHECK(pl_estimate_unseen(1000, 0, 0).high == 0.003);
    CHECK(pl_estimate_unseen(1000, 1000, 0).value == 1);
    CHECK(pl_estimate_unseen(3, 3, 0).kind == PL_OUTLOOK_NONE);
}

/* Nothing is known of what threads have left to do. */
static void add(struct pl_estimate_tree *t, uint64_t n, double left)
{
    pl_estimate_add(t, n, &(struct pl_estimate){.left = left, .weighed = left});
}

/* A tree of choices, as a function of the path. */
static unsigned options_at(uint64_t path, unsigned depth)
{
    return depth == DEEPEST || (depth > 6 && path % 4 == 0) ? 0 : 1 + (unsigned)(path >> 8) % 3;
}

/* Go through it in order; `left` is the share that comes after. */
static uint64_t explore(uint64_t path, unsigned depth, double share, double *left, uint64_t *n,
                        struct pl_estimate_tree *t, uint64_t stop)
{
    unsigned options = options_at(path, depth);
    uint64_t leaves = 0;

    if (options == 0) {
        *left -= share;
        if (++*n <= stop)
            add(t, *n, *left);
        return 1;
    }
    for (unsigned i = 0; i < options; i++)
        leaves += explore(pl_hash_add(path, i), depth + 1, share / options, left, n, t, stop);
    return leaves;
}

/* Within a factor of two, from the middle on. */
static void trees_are_as_large_as_estimated(void)
{
    for (uint64_t seed = 1; seed <= 50; seed++) {
        for (unsigned percent = 50; percent <= 90; percent += 40) {
            struct pl_estimate_tree t = {0};
            double left = 1;
            uint64_t n = 0;
            uint64_t all = explore(pl_hash_mix(seed), 0, 1, &left, &n, &t, 0);

            CHECK(left < 1e-9 && left > -1e-9 && all == n);
            left = 1;
            n = 0;
            explore(pl_hash_mix(seed), 0, 1, &left, &n, &t, all * percent / 100);
            if (all < 100)
                continue;
            struct pl_outlook o = pl_estimate_left(&t, all * percent / 100);
            double total = o.value + (double)(all * percent / 100);

            CHECK(o.kind == PL_OUTLOOK_LEFT && o.low <= o.value && o.value <= o.high);
            CHECK(total < (double)all * 2 && total > (double)all / 2);
        }
    }
}

static void an_even_tree_is_known_at_once(void)
{
    struct pl_estimate_tree t = {0};

    CHECK(pl_estimate_left(&t, 0).kind == PL_OUTLOOK_NONE);
    for (uint64_t n = 1; n <= 1000; n++)
        add(&t, n, 1 - (double)n / 1024);
    struct pl_outlook o = pl_estimate_left(&t, 1000);

    CHECK(o.value > 23.9 && o.value < 24.1 && o.low > 23.9 && o.high < 24.1);
}

/* Estimates that moved are remembered for a while, not for ever. */
static void the_range_is_that_of_the_last_estimates(void)
{
    struct pl_estimate_tree t = {0};

    add(&t, 1, 0.999); /* 1,000 in all */
    add(&t, 2, 0.98);  /* 100 in all */
    CHECK(pl_estimate_left(&t, 2).high > 990);
    add(&t, 4, 0.96);
    CHECK(pl_estimate_left(&t, 4).high > 990);
    add(&t, 8, 0.92);
    CHECK(pl_estimate_left(&t, 8).high < 100);
    CHECK(pl_estimate_left(&t, 500).value == 1); /* more than was foreseen, and not the last */
}

int main(void)
{
    fill_probabilities();
    new_classes_are_as_likely_as_estimated(100);
    new_classes_are_as_likely_as_estimated(1000);
    nothing_new_is_expected_when_all_was_seen_twice();
    trees_are_as_large_as_estimated();
    an_even_tree_is_known_at_once();
    the_range_is_that_of_the_last_estimates();
    return unit_result();
}
