/* SPDX-License-Identifier: MIT */
/*
 * hapset: what is learned of executions: which statement came immediately after which, which way a
 * choice within an operation went, and what came before the end of the program.
 *
 * A good execution makes known what it has shown.  What a failing one has shown is kept apart: the
 * order that made it fail is to stay unknown.
 */
#include "strategy/hapset/hapset_search.h"

static bool is_among(struct pl_hapset_search *s, uint32_t statement, uint32_t predecessor)
{
    struct pl_hapset_lessons *lessons = &s->lessons[statement];
    uint32_t *recent = lessons->recent;

    if (lessons->beginning != s->lessons_begun)
        *lessons = (struct pl_hapset_lessons){.beginning = s->lessons_begun};
    for (unsigned i = 0; i < PL_HAPSET_RECENT; i++) {
        if (recent[i] == predecessor + 1)
            return true;
    }
    for (unsigned i = PL_HAPSET_RECENT - 1; i > 0; i--)
        recent[i] = recent[i - 1];
    recent[0] = predecessor + 1;
    return false;
}

/* There are many: all that was done comes before the end. */
static bool is_before_end(struct pl_hapset_search *s, uint32_t ending, uint32_t predecessor)
{
    uint64_t *bits = &s->before_end[predecessor % PL_COVER_STATEMENTS / 64];
    uint64_t bit = UINT64_C(1) << (predecessor % 64);

    if (predecessor >= PL_COVER_STATEMENTS)
        return false;
    if (s->ending != ending) {
        for (uint32_t i = 0; i < PL_COVER_STATEMENTS / 64; i++)
            s->before_end[i] = 0;
        s->ending = ending;
    }
    bool known = (*bits & bit) != 0;

    *bits |= bit;
    return known;
}

/* Whether the pair has been learned lately; it has from now on. */
static bool is_recent(struct pl_hapset_search *s, uint32_t statement, uint32_t predecessor)
{
    return statement < PL_COVER_STATEMENTS ? is_among(s, statement, predecessor)
                                           : is_before_end(s, statement, predecessor);
}

static void learn(void *to, uint32_t statement, uint32_t predecessor)
{
    const struct pl_strategy_context *c = to;
    struct pl_hapset_search *s = pl_hapset_of(c);

    if (statement == PL_COVER_NOTHING || predecessor == PL_COVER_NOTHING)
        return;
    if (s->failed)
        pl_hapset_add(c->hapset, statement, predecessor, PL_HAPSET_FAILED, s->execution);
    else if (!is_recent(s, statement, predecessor))
        pl_hapset_add(c->hapset, statement, predecessor, PL_HAPSET_LEARNED, s->execution);
}

static void learn_outcomes(struct pl_strategy_context *c, uint32_t from, uint32_t n)
{
    const struct pl_past *p = &pl_hapset_dpor(pl_hapset_of(c))->past;

    for (uint32_t e = from; e < n; e++) {
        for (unsigned i = 0; i < PL_PAST_OUTCOMES && p->events[e].options[i] != 0; i++)
            learn(c, pl_hapset_statement_at(pl_hapset_of(c), e),
                  pl_hapset_outcome(i, pl_past_record_of(p, e)->outcome[i]));
    }
}

/* What had happened when the program ended, and what had not. */
static void learn_end(struct pl_strategy_context *c, uint32_t n)
{
    const struct pl_hapset_search *s = pl_hapset_of(c);
    const struct pl_past *p = &pl_hapset_dpor(s)->past;
    uint32_t ending = n;

    while (ending > 0 && !pl_past_record_of(p, ending - 1)->ends)
        ending--;
    if (ending-- == 0)
        return;
    PL_ASSERT(!p->events[ending].automatic);
    for (uint32_t e = 0; e < ending; e++) {
        if (p->events[e].thread != p->events[ending].thread)
            learn(c, pl_hapset_statement_at(s, ending) | PL_HAPSET_END,
                  pl_hapset_statement_at(s, e));
    }
    for (uint32_t i = 0; i < s->n_waiting; i++)
        learn(c, s->waiting[i], pl_hapset_statement_at(s, ending) | PL_HAPSET_END);
}

/* What an execution repeats of good ones is known. */
void pl_hapset_teach(struct pl_strategy_context *c)
{
    struct pl_hapset_search *s = pl_hapset_of(c);
    const struct pl_dpor *d = pl_hapset_dpor(s);
    uint32_t n = s->sampling ? s->n_events : d->replay.gone ? 0 : d->past.n_events;
    uint32_t from = s->sampling || s->failed ? 0 : s->taught;

    PL_ASSERT(s->open);
    if (n > s->events_max)
        n = s->events_max;
    pl_predecessors_find(&s->predecessors, s->events, from, n, learn, c);
    if (s->sampling)
        return;
    learn_outcomes(c, from, n);
    if (s->cut_off)
        learn_end(c, n);
    if (!s->failed && !d->replay.gone)
        s->taught = n;
}

void pl_hapset_blame(struct pl_strategy_context *c)
{
    const struct pl_hapset_search *s = pl_hapset_of(c);
    uint32_t goal = s->goal;

    PL_ASSERT(s->failed);
    pl_hapset_teach(c);
    if (!s->sampling && goal >= PL_HAPSET_FIRST_GOAL)
        pl_hapset_add(c->hapset, s->goals[goal].statement, s->goals[goal].predecessor,
                      PL_HAPSET_FAILED, s->execution);
}
