/* SPDX-License-Identifier: MIT */
/*
 * dpor: who goes on where nothing is planned.  Anybody may who does not sleep; who would show
 * something new does so first (context.risk).
 */
#include "strategy/dpor/dpor.h"

#include "strategy/shared/view.h"

static struct pl_dpor *state_of(const struct pl_strategy_context *c)
{
    return (struct pl_dpor *)c->arena;
}

int pl_dpor_option(struct pl_dpor *s, const struct pl_view *view, uint16_t thread)
{
    for (unsigned i = 0; i < view->options; i++) {
        if (pl_past_thread(&s->past, view->next[i]) == thread)
            return (int)i;
    }
    return -1;
}

/* Whether what is known in this state leaves the option to be explored. */
static bool is_open(struct pl_dpor *s, const struct pl_view *view, unsigned option)
{
    const struct pl_dpor_frame *f = &s->frames[s->at];

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

        if (pl_past_thread(&s->past, view->next[option]) != held && is_open(s, view, option))
            return (int)option;
    }
    return -1;
}

/*
 * Who goes on if nobody is new; a thread is held if somebody else can.  All may have been
 * explored; who waits may still show a race.
 */
static unsigned usual_option(struct pl_dpor *s, const struct pl_view *view, uint16_t held)
{
    unsigned first = pl_view_unwritten(view);
    int option = first_open(s, view, first, held);

    if (option < 0 && held != PL_DPOR_NOBODY)
        option = first_open(s, view, first, PL_DPOR_NOBODY);
    return option >= 0 ? (unsigned)option : first;
}

/* Keep who goes on, in case the execution is lost. */
static unsigned decide(struct pl_dpor *s, const struct pl_view *view, unsigned option)
{
    while (s->n_decided < s->at)
        s->decided[s->n_decided++] = PL_DPOR_NOBODY;
    s->decided[s->at] = pl_past_thread(&s->past, view->next[option]);
    if (s->n_decided == s->at)
        PL_STORE(s->n_decided, s->at + 1);
    return option;
}

/* Of those that are open the one with the highest risk, of equals the first; -1: none has any. */
static int riskiest(struct pl_strategy_context *c, const struct pl_view *view, unsigned first)
{
    struct pl_dpor *s = state_of(c);
    unsigned highest = 0;
    int best = -1;

    for (unsigned i = 0; i < view->options; i++) {
        unsigned option = option_at(i, first);
        unsigned risk = is_open(s, view, option) ? c->risk(view->next[option]) : 0;

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
    if (s->at >= s->n_decided || s->decided[s->at] == PL_DPOR_NOBODY)
        return -1;
    int option = pl_dpor_option(s, view, s->decided[s->at]);

    return option >= 0 && is_open(s, view, (unsigned)option) ? option : -1;
}

unsigned pl_dpor_choose_freely(struct pl_strategy_context *c, const struct pl_view *view)
{
    struct pl_dpor *s = state_of(c);
    const struct pl_dpor_frame *f = &s->frames[s->at];
    uint16_t wanted = PL_DPOR_NOBODY, held = PL_DPOR_NOBODY;

    if (s->guide != NULL && s->goal != 0)
        s->guide->pursue(s->guide->of, s, &wanted, &held);
    int option = wanted != PL_DPOR_NOBODY ? pl_dpor_option(s, view, wanted) : -1;

    if (option >= 0 && pl_dpor_affords(s, f, wanted) &&
        (!s->keeps || is_open(s, view, (unsigned)option)))
        return (unsigned)option;
    option = s->bounded && f->runner != PL_DPOR_NOBODY ? pl_dpor_option(s, view, f->runner) : -1;
    if (option >= 0 && (!s->keeps || is_open(s, view, (unsigned)option)))
        return (unsigned)option;
    unsigned usual = usual_option(s, view, held);

    if (c->risk == NULL)
        return usual;
    option = decided(s, view);
    if (option < 0)
        option = riskiest(c, view, usual);
    return decide(s, view, option >= 0 ? (unsigned)option : usual);
}
