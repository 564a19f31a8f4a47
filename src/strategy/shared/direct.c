/* SPDX-License-Identifier: MIT */
/* See direct.h. */
#include "strategy/shared/direct.h"

#include "base/rng.h"

enum {
    PATIENCE = 20000, /* choices for which somebody waits */
    ALONE = 4,        /* every so many-th execution is the strategy's alone */
};

/* 0 half of the time, 1 half of the rest, and so on. */
static uint32_t halving(struct pl_direct *d)
{
    uint32_t n = 0;

    while (n < 64 && pl_rng_below(&d->rng, 2) == 1)
        n++;
    return n;
}

/* Somebody who is known to come to the second place waits before that, perhaps from the beginning.
 */
static void draw_early(struct pl_direct *d, const struct pl_sought_order *order)
{
    unsigned n = 0;

    while (n < PL_SOUGHT_THREADS && order->threads[n].name != 0)
        n++;
    if (n == 0 || pl_rng_below(&d->rng, 2) == 0)
        return;
    const struct pl_sought_thread *t = &order->threads[pl_rng_below(&d->rng, n)];

    d->early = t->name;
    d->ordinal = pl_rng_below(&d->rng, 2) == 0 ? 0 : pl_rng_below(&d->rng, t->ordinal + 1);
}

void pl_direct_begin(struct pl_direct *d, const struct pl_sought *s, uint64_t seed, uint64_t n)
{
    unsigned open[PL_SOUGHT_ORDERS], n_open = 0;

    *d = (struct pl_direct){.held = PL_TID_NONE, .rng = pl_hash_add(pl_hash_mix(seed), n)};
    for (unsigned i = 0; i < s->n && i < PL_SOUGHT_ORDERS; i++) {
        if (!pl_sought_is_done(&s->orders[i]))
            open[n_open++] = i;
    }
    if (n_open == 0 || n % ALONE == 0)
        return;
    d->on = true;
    PL_ASSERT(n_open <= PL_SOUGHT_ORDERS);
    d->order = (uint8_t)open[pl_rng_below(&d->rng, n_open)];
    if (pl_rng_below(&d->rng, 2) == 0)
        d->visits = halving(d);
    draw_early(d, &s->orders[d->order]);
}

/* Whether the thread waits where it is. */
static bool waits(struct pl_direct *d, const struct pl_sought_run *run,
                  const struct pl_operation *op)
{
    PL_ASSERT(d->order < PL_SOUGHT_ORDERS);
    bool second = (op->sought & PL_SOUGHT_SECOND(d->order)) != 0;
    bool first = (op->sought & PL_SOUGHT_FIRST(d->order)) != 0;
    bool had = (run->had[d->order] & PL_SOUGHT_HAD_FIRST) != 0;

    if (d->early != 0 && d->early == op->name && op->ordinal >= d->ordinal && !had)
        return true;
    if (second && first && d->visits == 0) {
        if (d->held == PL_TID_NONE)
            d->held = op->tid;
        return d->held == op->tid;
    }
    if (second)
        return d->visits == 0;
    return !first && pl_sought_run_would_part(run, op, d->order);
}

/* All may go on; the next visit may be the right one. */
static unsigned let_go(struct pl_direct *d, const struct pl_view *view, unsigned *may)
{
    d->early = 0;
    d->held = PL_TID_NONE;
    d->visits = 1 + halving(d);
    for (unsigned i = 0; i < view->options; i++)
        may[i] = i;
    return view->options;
}

unsigned pl_direct_filter(struct pl_direct *d, const struct pl_sought_run *run,
                          const struct pl_view *view, unsigned *may)
{
    unsigned n = 0;

    for (unsigned i = 0; i < view->options; i++) {
        if (view->next[i]->way == PL_WAY_NORMAL &&
            pl_sought_run_would_show(run, view->next[i], d->order)) {
            may[0] = i;
            return 1;
        }
    }
    if (d->waited >= PATIENCE)
        d->on = false;
    for (unsigned i = 0; i < view->options; i++) {
        if (!d->on || !waits(d, run, view->next[i]))
            may[n++] = i;
    }
    PL_ASSERT(n <= view->options && (d->on || n == view->options));
    d->waited += n < view->options;
    return n > 0 ? n : let_go(d, view, may);
}

void pl_direct_see(struct pl_direct *d, const struct pl_operation *op)
{
    d->visits -= d->visits > 0 && (op->sought & PL_SOUGHT_SECOND(d->order)) != 0;
}
