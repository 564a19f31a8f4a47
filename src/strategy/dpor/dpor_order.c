/* SPDX-License-Identifier: MIT */
/*
 * dpor: who goes on where nothing is planned.  Anybody may who does not sleep; who would show
 * something new does so first (context.risk).
 */
#include "strategy/dpor/dpor.h"

#include "strategy/shared/view.h"

int pl_dpor_option(struct pl_dpor *s, const struct pl_view *view, uint16_t thread)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (pl_past_thread(&s->past, view->next[i]) == thread)
            return (int)i;
    }
    return -1;
}

bool pl_dpor_is_open(struct pl_dpor *s, const struct pl_view *view, unsigned option)
{
    const struct pl_dpor_frame *f = &s->frames[s->replay.at];

    return (f->n_sleep == 0 && f->done == 0) ||
           !pl_dpor_asleep(s, f, pl_past_thread(&s->past, view->next[option]));
}

/* All options, one of them first. */
static unsigned option_at(unsigned i, unsigned first)
{
    return i == 0 ? first : i <= first ? i - 1 : i;
}

/* The first that is open and not this thread's; -1: none is. */
static int first_open(struct pl_dpor *s, const struct pl_view *view, unsigned first, uint16_t held)
{
    for (unsigned i = 0; i < view->options; i++) {
        unsigned option = option_at(i, first);

        if (pl_past_thread(&s->past, view->next[option]) != held &&
            pl_dpor_is_open(s, view, option))
            return (int)option;
    }
    return -1;
}

/* All may have been explored; who waits may still show a race. */
unsigned pl_dpor_usual(struct pl_dpor *s, const struct pl_view *view, uint16_t held)
{
    unsigned first = pl_view_default(view);
    int option = first_open(s, view, first, held);

    PL_ASSERT(first < view->options);
    if (option < 0 && held != PL_DPOR_NOBODY)
        option = first_open(s, view, first, PL_DPOR_NOBODY);
    return option >= 0 ? (unsigned)option : first;
}

/* ---- risk ---- */

/* Keep who goes on, in case the execution is lost. */
static unsigned decide(struct pl_dpor *s, const struct pl_view *view, unsigned option)
{
    struct pl_dpor_decided *d = &s->decided;
    uint32_t at = s->replay.at;

    while (d->n < at)
        d->threads[d->n++] = PL_DPOR_NOBODY;
    d->threads[at] = pl_past_thread(&s->past, view->next[option]);
    if (d->n == at)
        PL_STORE(d->n, at + 1);
    return option;
}

/* Of those that are open the one with the highest risk, of equals the first; -1: none has any. */
static int riskiest(struct pl_strategy_context *c, const struct pl_view *view, unsigned first)
{
    struct pl_dpor *s = pl_dpor_of(c);
    unsigned highest = 0;
    int best = -1;

    for (unsigned i = 0; i < view->options; i++) {
        unsigned option = option_at(i, first);
        unsigned risk = pl_dpor_is_open(s, view, option) ? c->risk(view->next[option]) : 0;

        if (risk > highest) {
            highest = risk;
            best = (int)option;
        }
    }
    return best;
}

/* What was decided in this state before the execution was lost; -1: nothing. */
static int decided(struct pl_dpor *s, const struct pl_view *view)
{
    uint32_t at = s->replay.at;

    if (at >= s->decided.n || s->decided.threads[at] == PL_DPOR_NOBODY)
        return -1;
    int option = pl_dpor_option(s, view, s->decided.threads[at]);

    return option >= 0 && pl_dpor_is_open(s, view, (unsigned)option) ? option : -1;
}

unsigned pl_dpor_choose_freely(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = pl_dpor_of(c);
    unsigned usual = pl_dpor_usual(s, view, PL_DPOR_NOBODY);

    if (c->risk == NULL)
        return usual;
    int option = decided(s, view);

    if (option < 0)
        option = riskiest(c, view, usual);
    return decide(s, view, option >= 0 ? (unsigned)option : usual);
}
