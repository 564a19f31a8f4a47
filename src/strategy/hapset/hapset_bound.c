/* SPDX-License-Identifier: MIT */
/*
 * hapset with base=pcb: no plan makes more preemptions than the bound.  What the states of dpor
 * have for that, struct pl_dpor_bound, nobody else looks at.  With base=all there is no bound, and
 * what is to be tried is the same.
 *
 * A preemption is a switch away from a thread that could have gone on.  An operation that is no
 * step of the search interrupts nobody: who had the last step goes on.
 */
#include "strategy/hapset/hapset_search.h"

static bool is_bounded(const struct pl_hapset_search *s)
{
    return s->base == PL_HAPSET_PCB && s->phase != PL_HAPSET_REST;
}

static unsigned price(const struct pl_dpor_frame *f, uint16_t thread)
{
    return f->bound.runner != 0 && f->bound.runner != thread + 1u;
}

bool pl_hapset_bound_affords(const struct pl_hapset_search *s, const struct pl_dpor_frame *f,
                             uint16_t thread)
{
    return !is_bounded(s) || f->bound.used + price(f, thread) <= s->bound;
}

void pl_hapset_bound_arrive(const struct pl_hapset_search *s, struct pl_dpor *d,
                            const struct pl_view *view, struct pl_dpor_frame *f)
{
    uint32_t e = d->past.n_events;

    if (!is_bounded(s))
        return;
    f->bound.runner = 0;
    while (e > 0 && d->past.events[e - 1].automatic)
        e--;
    int option = e > 0 ? pl_dpor_option(d, view, d->past.events[e - 1].thread) : -1;

    if (option >= 0 && view->next[option]->way == PL_WAY_NORMAL)
        f->bound.runner = (uint16_t)(d->past.events[e - 1].thread + 1);
}

void pl_hapset_bound_observe(const struct pl_hapset_search *s, struct pl_dpor *d, uint32_t e)
{
    const struct pl_past_event *event = &d->past.events[e];
    const struct pl_dpor_frame *f = &d->frames[e];

    PL_ASSERT(e < d->past.n_events);
    if (is_bounded(s))
        d->frames[e + 1].bound.used =
            (uint16_t)(f->bound.used + (event->automatic ? 0 : price(f, event->thread)));
}

int pl_hapset_bound_runner(const struct pl_hapset_search *s, struct pl_dpor *d,
                           const struct pl_view *view, const struct pl_dpor_frame *f)
{
    PL_ASSERT(f->bound.runner <= d->past.n_threads);
    return is_bounded(s) && f->bound.runner != 0
               ? pl_dpor_option(d, view, (uint16_t)(f->bound.runner - 1))
               : -1;
}

void pl_hapset_bound_backtrack(const struct pl_hapset_search *s, struct pl_dpor *d, uint32_t e)
{
    const struct pl_dpor_frame *f = &d->frames[e];

    PL_ASSERT(s->base != PL_HAPSET_DPOR && d->variant == PL_DPOR_SLEEPLESS);
    for (uint32_t i = 0; i < f->n_enabled; i++) {
        struct pl_past_record r = {.thread = d->enabled[f->enabled + i]};

        if (!pl_dpor_in_backtrack(d, e, &r) && pl_hapset_bound_affords(s, f, r.thread))
            pl_dpor_add_backtrack(d, e, pl_past_record(&d->past, &r));
    }
}
