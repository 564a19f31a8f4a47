/* SPDX-License-Identifier: MIT */
/* The rows of strategies.def; see strategy.h. */
#include "model/strategy.h"

#include "base/assert.h"
#include "base/text.h"

const struct pl_strategy_row pl_strategy_rows[PL_STRATEGIES] = {
#define PL_STRATEGY(name, summary, ...) {#name, summary, PL_WORDS(PL_TRAIT_, __VA_ARGS__)},
#include "model/strategies.def"
#undef PL_STRATEGY
};

const struct pl_strategy_row *pl_strategy_row(const char *name, size_t n)
{
    for (unsigned i = 0; i < PL_STRATEGIES; i++) {
        const char *own = pl_strategy_rows[i].name;
        size_t same = 0;

        while (same < n && own[same] != '\0' && own[same] == name[same])
            same++;
        if (same == n && own[n] == '\0')
            return &pl_strategy_rows[i];
    }
    return NULL;
}

const struct pl_strategy_row *pl_strategy_with(uint32_t traits)
{
    unsigned i = 0;

    while (i < PL_STRATEGIES && (pl_strategy_rows[i].traits & traits) == 0)
        i++;
    PL_ASSERT(i < PL_STRATEGIES);
    return &pl_strategy_rows[i];
}

bool pl_strategy_named_is(const char *name, uint32_t traits)
{
    const struct pl_strategy_row *row = pl_strategy_row(name, pl_text_length(name));

    return row != NULL && (row->traits & traits) != 0;
}
