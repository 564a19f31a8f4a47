/* SPDX-License-Identifier: MIT */
/*
 * What plait must know of a strategy without asking it: its row in strategies.def.
 *
 * The tool reads the rows to list strategies, to understand --strategy and to choose limits;
 * the runtime finds a strategy's traits beside its functions (strategy/shared/strategy.h).
 * Nobody compares names: what is special about a strategy is a trait of its row.
 */
#ifndef PL_MODEL_STRATEGY_H
#define PL_MODEL_STRATEGY_H

#include "base/words.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is asked of strategies. */
enum pl_trait {
    PL_TRAIT_NONE = 0,
    PL_TRAIT_DEFAULT = 1 << 0,    /* taken when none is asked for: one row has it */
    PL_TRAIT_HIDDEN = 1 << 1,     /* not to be asked for: plait itself uses it */
    PL_TRAIT_SAMPLES = 1 << 2,    /* each execution is drawn, and none is the last: without a limit
                                     that is given it has one of executions */
    PL_TRAIT_EXHAUSTIVE = 1 << 3, /* ending by itself with nothing left out means that the search
                                     was complete */
    PL_TRAIT_TIMED = 1 << 4,      /* it may end by itself, but need not within any time: without a
                                     limit that is given it has one of time */
    PL_TRAIT_RISKS = 1 << 5,      /* known to gain if ways that show something new come first
                                     (docs/design/risk.md) */
    PL_TRAIT_LEARNS = 1 << 6,     /* begins with what earlier campaigns have covered, if given */
    PL_TRAIT_FREE = 1 << 7,       /* threads run freely: only waiters and values are chosen */
    PL_TRAIT_REPLAYS = 1 << 8,    /* follows a schedule to its end: it alone decides who goes on */
    PL_TRAIT_PROFILED = 1 << 9,   /* wants to know how large the program is: context.profile */
    PL_TRAIT_CURIOUS = 1 << 10,   /* in the first execution accesses to any memory are points */
    PL_TRAIT_ALWAYS = 1 << 11,    /* is also asked when one thread only can go on */
    PL_TRAIT_HELPS = 1 << 12,     /* has samples to make for a worker without a part of the
                                     search */
    PL_TRAIT_EXPIRES = 1 << 13,   /* of time-outs any may expire at any point: which do so early is
                                     its own business (docs/design/time.md) */
    PL_TRAIT_PAIRED = 1 << 14,    /* goes by the pairs that the analyser has found: context.pairs */
    PL_TRAIT_AIMS = 1 << 15,      /* what it draws is led to orders of them that are open, if the
                                     program was built for that (model/goal.h) */
    PL_TRAIT_COMPANY = 1 << 16,   /* can have threads of several processes (model/company.h) */
};

/* PL_TRAITS_OF_random: what the row of `random` says, as a constant. */
enum pl_traits_of {
#define PL_STRATEGY(name, summary, ...) PL_TRAITS_OF_##name = PL_WORDS(PL_TRAIT_, __VA_ARGS__),
#include "model/strategies.def"
#undef PL_STRATEGY
};

enum pl_strategy_number {
#define PL_STRATEGY(name, ...) PL_STRATEGY_##name,
#include "model/strategies.def"
#undef PL_STRATEGY
    PL_STRATEGIES
};

struct pl_strategy_row {
    const char *name, *summary;
    uint32_t traits; /* of enum pl_trait */
};

/* In the order of strategies.def. */
extern const struct pl_strategy_row pl_strategy_rows[PL_STRATEGIES];

/* The row of the strategy with the first n letters of `name` as its name; NULL if none has it. */
const struct pl_strategy_row *pl_strategy_row(const char *name, size_t n);

/* The first row with one of these traits; there is one. */
const struct pl_strategy_row *pl_strategy_with(uint32_t traits);

/* Whether the strategy of that name has any of these traits; none has, if there is none. */
bool pl_strategy_named_is(const char *name, uint32_t traits);

#endif /* PL_MODEL_STRATEGY_H */
