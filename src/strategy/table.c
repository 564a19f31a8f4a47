/* SPDX-License-Identifier: MIT */
/* Finding a strategy by its row in model/strategies.def. */
#include "strategy/shared/table.h"

#include "base/text.h"

static const struct pl_strategy *const all[PL_STRATEGIES] = {
#define PL_STRATEGY(name, ...) [PL_STRATEGY_##name] = &pl_##name,
#include "model/strategies.def"
#undef PL_STRATEGY
};

/* What the row says and what the strategy can do must go together. */
static bool is_consistent(const struct pl_strategy *s, const struct pl_strategy_row *row)
{
    bool searches = s->search != NULL;

    return pl_text_equal(s->name, row->name) && s->traits == row->traits &&
           searches == pl_strategy_is(s, PL_TRAIT_EXHAUSTIVE) &&
           !(searches && pl_strategy_is(s, PL_TRAIT_SAMPLES)) &&
           (searches || (s->divides == NULL && s->rounds == NULL && s->pruned == NULL));
}

const struct pl_strategy *pl_strategy_at(enum pl_strategy_number number)
{
    PL_ASSERT(number < PL_STRATEGIES);
    PL_ASSERT(is_consistent(all[number], &pl_strategy_rows[number]));
    return all[number];
}

const struct pl_strategy *pl_strategy_find(const char *name)
{
    const struct pl_strategy_row *row = pl_strategy_row(name, pl_text_length(name));

    return row != NULL ? pl_strategy_at((enum pl_strategy_number)(row - pl_strategy_rows)) : NULL;
}
