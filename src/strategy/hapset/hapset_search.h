/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the strategy hapset have together: hapset.c makes the executions and learns,
 * hapset_shown.c says what the reversal of a race would show besides, hapset_orders.c looks at each
 * execution for orders that no race leads to.
 */
#ifndef PL_STRATEGY_HAPSET_HAPSET_SEARCH_H
#define PL_STRATEGY_HAPSET_HAPSET_SEARCH_H

#include "model/cover.h"
#include "strategy/dpor/dpor.h"
#include "strategy/hapset/orders.h"
#include "strategy/hapset/predecessors.h"
#include "strategy/shared/strategy.h"

/*
 * What is wanted.  First what only executions that failed have shown, if something is known
 * of such; then what the published rule wants; then also orders that no race leads to: from
 * where the search is, and once more from the beginning; then everything.  If what is not
 * wanted is kept, it waits for its phase, and nothing begins anew.
 */
enum pl_hapset_phase {
    PL_HAPSET_SUSPECTS,
    PL_HAPSET_RACES,
    PL_HAPSET_ORDERS,
    PL_HAPSET_ORDERS_ANEW,
    PL_HAPSET_REST,
};
enum pl_hapset_base { PL_HAPSET_DPOR, PL_HAPSET_PCB };

/* Why an execution is made: to show that one of these comes before the other. */
struct pl_hapset_goal {
    uint32_t statement, predecessor;
    uint32_t ordinal; /* of the operation that was first and is to come second, */
    uint16_t thread;  /* and whose it is */
    bool due;         /* there is such an operation */
    bool again;       /* an execution has been made for it, but something came between */
    bool waits;       /* it is for the next phase; in that: it has been shown before */
    bool besides;     /* the reversal of a race would show it, whose own order is known */
    bool order;       /* no race leads there: the thread stops before the operation until */
    bool last;        /* nobody else can go on, or if it is not to come last, */
    uint16_t leader;  /* this one */
    uint32_t led;     /* has performed its operation of this number, */
    uint32_t until;   /* or until that event at the latest */
};

/* Goal 0 is none; this one is that of all plans that there was no room to remember. */
enum { PL_HAPSET_FORGOTTEN = 1, PL_HAPSET_FIRST_GOAL = 2 };
enum { PL_HAPSET_RECENT = 8, PL_HAPSET_LOOKS = 1 << 14, PL_HAPSET_ASKED = 1 << 10 };

/* How often events of a pair were looked at in vain, so that it is not done for ever. */
struct pl_hapset_look {
    uint64_t pair, execution; /* the pair plus 1; the execution of the phase */
    uint32_t now, all;        /* in this execution, in the phase */
};

struct pl_hapset_search {
    /* Parameters. */
    uint64_t learn, bound, callers;
    enum pl_hapset_base base;
    bool goes_on; /* with dpor, when no uncovered order is left: what is not wanted is kept */

    enum pl_hapset_phase phase;
    uint64_t learned; /* random executions so far */
    bool open;        /* an execution has begun and has not been ended, */
    bool sampling;    /* which is random */
    bool failed;      /* it did not end well */
    bool cut_off;     /* it ended while other threads were there: waiting[] is what they did next */
    uint64_t made;    /* executions in this phase */
    bool fresh;       /* the execution had a statement that is new in this phase */
    uint64_t execution;
    uint64_t rng;
    struct pl_strategy_context search;
    struct pl_settings settings;
    struct pl_predecessors predecessors;
    struct pl_orders orders;
    struct pl_predecessors_event *events; /* of the execution; of dpor with its numbers */
    struct pl_hapset_goal *goals;
    uint32_t n_events, events_max, n_goals, goals_max, n_waiting;
    uint32_t first_goal; /* of this phase */
    uint32_t taught;     /* the first so many events of the search have been learned from */
    /* What was learned lately of a statement, plus 1: most comes again and again. */
    uint32_t recent[PL_COVER_STATEMENTS][PL_HAPSET_RECENT];
    uint32_t ending; /* the statement that good executions ended with, lately: */
    uint64_t before_end[PL_COVER_STATEMENTS / 64]; /* bits: what is known to come before it */
    uint64_t known[PL_HAPSET_LOOKS];               /* pairs that need not be looked at */
    struct pl_hapset_look looks[PL_HAPSET_LOOKS];
    uint64_t asked[PL_HAPSET_ASKED]; /* races of the execution that were looked at, as hashes */
    uint64_t executed[PL_COVER_STATEMENTS / 64]; /* bits: statements of executions of the phase */
    uint32_t waiting[PL_THREADS_MAX];
};

/* The rank of what is wanted in this phase, where it waits for it: see strategy/dpor/wakeup.h. */
static inline unsigned pl_hapset_rank(enum pl_hapset_phase phase)
{
    return phase <= PL_HAPSET_ORDERS ? phase : phase - 1u;
}

/* hapset.c */
/* A number for the goal; 0: the order is known, or not wanted in this phase. */
uint32_t pl_hapset_want(const struct pl_strategy_context *c, const struct pl_dpor *d,
                        struct pl_hapset_goal goal);

/* hapset_shown.c */
/* A goal if something else than the order of the race would be new when it is reversed; or 0. */
uint32_t pl_hapset_shown(const struct pl_strategy_context *c, const struct pl_dpor *d,
                         const struct pl_past_race *race);

/* hapset_orders.c */
/* The execution is over: plan others for orders that it comes near, or see if there are any. */
void pl_hapset_look(struct pl_strategy_context *c);
/* Remember an order, unless it is known. */
void pl_hapset_remember(const struct pl_strategy_context *c, struct pl_hapset_goal goal);
/* Whether one of the orders that were remembered is still unknown. */
bool pl_hapset_left(const struct pl_strategy_context *c);
/* Who leads the execution to its goal, if that is such an order; see struct pl_dpor_guide. */
void pl_hapset_pursue(void *of, const struct pl_dpor *d, uint16_t *wanted, uint16_t *held);

#endif /* PL_STRATEGY_HAPSET_HAPSET_SEARCH_H */
