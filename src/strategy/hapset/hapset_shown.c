/* SPDX-License-Identifier: MIT */
/*
 * hapset: what the reversal of a race would show besides the order that it reverses.
 *
 * A race whose reversed order is known is not reversed, by the published rule.  But the
 * second operation would then come immediately after other ones than it did: after what the
 * first had come between.  If that is not known, nothing else might ever ask for
 * it, since those two need not be in a race of any execution that is made.
 *
 * What is before the second operation in the reversed execution is certain: all that does not
 * happen after the first.  So no guess is made here about what its thread does next.
 */
#include "base/hash.h"
#include "strategy/hapset/hapset_search.h"

enum { BACK = 500 }; /* events in which it is looked for what the operation would come after */

/* Of the races of two statements only the first of an execution is looked at. */
static bool is_asked(struct pl_hapset_search *s, uint32_t first, uint32_t second)
{
    uint64_t race = pl_hash_mix(((uint64_t)first << 32 | second) ^ pl_hash_mix(s->execution));
    uint64_t *place = &s->asked[race % PL_HAPSET_ASKED];

    if (*place == race)
        return true;
    *place = race;
    return false;
}

/*
 * While the published rule is asked, the order is only remembered, so that more follows; or, where
 * nothing is dropped, the reversal waits.
 */
static uint32_t ask(const struct pl_strategy_context *c, const struct pl_dpor *d,
                    struct pl_hapset_goal goal)
{
    const struct pl_hapset_search *s = pl_hapset_of(c);

    if (s->phase != PL_HAPSET_RACES || d->keep.on)
        return pl_hapset_want(c, d, goal);
    pl_hapset_remember(c, goal);
    return 0;
}

static uint32_t after(const struct pl_strategy_context *c, const struct pl_dpor *d,
                      const struct pl_past_race *race, const struct pl_predecessors_event *second,
                      uint32_t at)
{
    const struct pl_hapset_search *s = pl_hapset_of(c);
    uint32_t low = at > BACK ? at - BACK : 0, goal = 0;
    uint64_t seen = 0; /* bits: threads, those with the same one as one */

    PL_ASSERT(at <= d->past.n_events && at < s->events_max);
    while (at-- > low && goal == 0) {
        const struct pl_predecessors_event *e = &s->events[at];
        enum pl_predecessors_relation r = pl_predecessors_relation(e, second);
        uint64_t bit = UINT64_C(1) << e->tid % 64;

        if (r == PL_PREDECESSORS_APART || pl_past_is_taken(&d->past, race, at))
            continue;
        if (e->tid == second->tid)
            break;
        if (r == PL_PREDECESSORS_CONFLICT && (seen & bit) == 0)
            goal = ask(c, d,
                       (struct pl_hapset_goal){.statement = second->statement,
                                               .predecessor = e->statement,
                                               .besides = true});
        seen |= bit;
    }
    return goal;
}

uint32_t pl_hapset_shown(const struct pl_strategy_context *c, const struct pl_dpor *d,
                         const struct pl_past_race *race)
{
    struct pl_hapset_search *s = pl_hapset_of(c);
    const struct pl_past *p = &d->past;
    uint32_t at = race->pending ? p->n_events : race->second;
    struct pl_predecessors_event second;

    if (race->instead || at >= s->events_max || (!race->pending && pl_past_record_of(p, at)->ends))
        return 0;
    second = race->pending ? pl_predecessors_event(&p->pending[race->second].op) : s->events[at];
    if (second.statement == PL_COVER_NOTHING ||
        is_asked(s, s->events[race->taken[0]].statement, second.statement))
        return 0;
    return after(c, d, race, &second, at);
}
