/* SPDX-License-Identifier: MIT */
/* Finding a strategy by its name. */
#include "strategy/shared/table.h"

#include "base/text.h"

static const struct pl_strategy *const all[] = {
#define PL_STRATEGY(name, ...) &pl_##name,
#include "model/strategies.def"
#undef PL_STRATEGY
};

const struct pl_strategy *pl_strategy_find(const char *name)
{
    for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
        if (pl_text_equal(all[i]->name, name))
            return all[i];
    }
    return NULL;
}
