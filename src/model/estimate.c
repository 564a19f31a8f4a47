/* SPDX-License-Identifier: MIT */
/*
 * See estimate.h.
 *
 * New classes.  Esty (1983) has shown that the error of Good and Turing's
 * estimate is asymptotically normal, with the variance (once + 2 twice - once^2 /
 * n) / n^2.  Low and high are 95 % limits by that.  But where hardly any class
 * was seen less than three times this would promise too much.  Whatever was not
 * seen in n executions has a probability below 3/n, or with 95 % it would have
 * been; so high is never below that.
 *
 * Trees.  Knuth (1975) estimates the size of a tree by the product of the numbers
 * of options along a random path.  A search that goes through the tree in order
 * knows more: the n paths it has explored make up the share f of the tree, each
 * counted with the probability that a random path would be that one.  The mean
 * of Knuth's estimates with these weights is n / f (Kilby, Slaney, Thiebaux and
 * Walsh 2006).  The paths so far are no random sample but neighbours, so no
 * theory says how wrong that can be.
 *
 * That all options of a choice lead to equally many executions is far from true of
 * interleavings: of those of several threads as many begin with one as it has
 * operations left, in proportion.  With these as weights the estimate is exact where
 * nothing keeps threads apart and all are there from the beginning; otherwise it is too
 * low, because a thread that has much to do has to wait, while the other, with equal
 * weights, is too high, by 30 times for five threads.  The geometric mean of both is what is
 * said, and both are within the limits: docs/performance.md has how right that is.
 *
 * Low and high are the least and the
 * greatest estimate that was made since at most a quarter of the executions so
 * far were done: they show how much it still moves, which is not a promise.
 */
#include "model/estimate.h"

#include "base/assert.h"

enum { FEW = 20, PERIODS = 3 };

/* By Newton's method: here is no libm. */
static double root(double x)
{
    double r = x > 1 ? x : 1;

    if (x <= 0)
        return 0;
    for (unsigned i = 0; i < 64; i++)
        r = (r + x / r) / 2;
    return r;
}

struct pl_outlook pl_estimate_unseen(uint64_t n, uint64_t once, uint64_t twice)
{
    double executions = (double)n, f1 = (double)once, f2 = (double)twice;

    if (n < FEW)
        return (struct pl_outlook){.kind = PL_OUTLOOK_NONE};
    double value = f1 / executions;
    double error = 1.96 * root(f1 + 2 * f2 - f1 * f1 / executions) / executions;
    double least = 3 / executions;
    double high = value + error > least ? value + error : least;

    PL_ASSERT(error >= 0);
    return (struct pl_outlook){.kind = PL_OUTLOOK_NEW_CLASS,
                               .value = value,
                               .low = value > error ? value - error : 0,
                               .high = high < 1 ? high : 1};
}

static void begin_period(struct pl_estimate_tree *t, uint64_t n)
{
    for (unsigned i = PERIODS - 1; i > 0; i--) {
        t->low[i] = t->low[i - 1];
        t->high[i] = t->high[i - 1];
    }
    t->low[0] = t->high[0] = t->total;
    t->doubled = 2 * n;
}

static void widen(struct pl_estimate_tree *t, double total)
{
    if (total < t->low[0])
        t->low[0] = total;
    if (total > t->high[0])
        t->high[0] = total;
}

void pl_estimate_add(struct pl_estimate_tree *t, uint64_t n, const struct pl_estimate *e)
{
    if (n == 0 || e->left >= 1 || e->weighed >= 1)
        return;
    double evenly = (double)n / (1 - e->left), weighed = (double)n / (1 - e->weighed);

    t->left = e->left;
    t->total = root(evenly) * root(weighed);
    PL_ASSERT(t->total > 0);
    if (n >= t->doubled)
        begin_period(t, n);
    widen(t, evenly);
    widen(t, weighed);
    widen(t, t->total);
    PL_ASSERT(t->low[0] <= t->total && t->total <= t->high[0]);
}

/* Of `total` executions n are done; there is one more at least. */
static double remaining(double total, uint64_t n)
{
    return total > (double)n + 1 ? total - (double)n : 1;
}

struct pl_outlook pl_estimate_left(const struct pl_estimate_tree *t, uint64_t n)
{
    double low = t->low[0], high = t->high[0];

    if (t->total <= 0)
        return (struct pl_outlook){.kind = PL_OUTLOOK_NONE};
    for (unsigned i = 1; i < PERIODS && t->low[i] > 0; i++) {
        low = t->low[i] < low ? t->low[i] : low;
        high = t->high[i] > high ? t->high[i] : high;
    }
    PL_ASSERT(0 < low && low <= t->total && t->total <= high);
    return (struct pl_outlook){.kind = PL_OUTLOOK_LEFT,
                               .value = remaining(t->total, n),
                               .low = remaining(low, n),
                               .high = remaining(high, n)};
}
