/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the strategy hapset have together: hapset.c makes the executions,
 * hapset_learn.c learns from them, hapset_guide.c answers what dpor asks, hapset_bound.c counts
 * preemptions, hapset_shown.c says what the reversal of a race would show besides, hapset_orders.c
 * looks at each execution for orders that no race leads to, and hapset_depart.c plans executions
 * for these.
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
enum pl_hapset_base { PL_HAPSET_DPOR, PL_HAPSET_PCB, PL_HAPSET_ALL };

/* Why an execution is made: to show that one of these comes before the other. */
struct pl_hapset_goal {
    uint32_t statement, predecessor;
    uint32_t ordinal; /* of the operation that was first and is to come second, */
    uint16_t thread;  /* and whose it is */
    bool due;         /* there is such an operation */
    bool again;       /* an execution has been made for it, but something came between */
    bool waits;       /* before its phase: it is for the next one; in it: shown before */
    bool besides;     /* the reversal of a race would show it, whose own order is known */
    bool order;       /* no race leads there: the thread stops before its operation, and waits */
    bool last;        /* with `order`: until nobody else can go on; otherwise */
    uint16_t leader;  /* until this thread */
    uint32_t led;     /* has performed its operation of this number; */
    uint32_t until;   /* in either case no longer than up to this event */
};

/* Goal 0 is none; this one is that of all plans that there was no room to remember. */
enum { PL_HAPSET_FORGOTTEN = 1, PL_HAPSET_FIRST_GOAL = 2 };
enum { PL_HAPSET_RECENT = 8, PL_HAPSET_LOOKS = 1 << 14, PL_HAPSET_ASKED = 1 << 10 };

/* How often events of a pair were looked at in vain, so that it is not done for ever. */
struct pl_hapset_look {
    uint64_t pair, execution; /* the pair plus 1; the execution of the phase */
    uint32_t now, all;        /* in this execution, in the phase */
    uint32_t beginning;       /* of the phase: what is of another one is forgotten */
};

/* What was learned lately of a statement, plus 1: most comes again and again. */
struct pl_hapset_lessons {
    uint32_t beginning; /* as above, of lessons */
    uint32_t recent[PL_HAPSET_RECENT];
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
    bool over;        /* what is left are samples that are led: see aim() */
    bool failed;      /* it did not end well */
    bool cut_off;     /* it ended while other threads were there: waiting[] is what they did next */
    uint32_t goal;    /* of this execution; 0: none */
    uint32_t missed;  /* the first state in which what the goal waits for could have come, but */
                      /* something else did; PL_PAST_NONE: there was none */
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
    uint32_t looks_begun, lessons_begun; /* how often looks and lessons have been forgotten */
    struct pl_hapset_lessons lessons[PL_COVER_STATEMENTS];
    uint32_t ending; /* the statement that good executions ended with, lately: */
    uint64_t before_end[PL_COVER_STATEMENTS / 64]; /* bits: what is known to come before it */
    uint64_t known[PL_HAPSET_LOOKS];               /* pairs that need not be looked at */
    struct pl_hapset_look looks[PL_HAPSET_LOOKS];
    uint64_t asked[PL_HAPSET_ASKED]; /* races of the execution that were looked at, as hashes */
    uint64_t executed[PL_COVER_STATEMENTS / 64]; /* bits: statements of executions of the phase */
    uint32_t waiting[PL_THREADS_MAX];
};

static inline struct pl_hapset_search *pl_hapset_of(const struct pl_strategy_context *c)
{
    return (struct pl_hapset_search *)c->arena;
}

/* The search below. */
static inline struct pl_dpor *pl_hapset_dpor(const struct pl_hapset_search *s)
{
    return pl_dpor_of(&s->search);
}

static inline uint32_t pl_hapset_statement_at(const struct pl_hapset_search *s, uint32_t e)
{
    return e < s->events_max ? s->events[e].statement : PL_COVER_NOTHING;
}

/* The rank of what is wanted in this phase, where it waits for it: strategy/dpor/wakeup_later.h. */
static inline unsigned pl_hapset_rank(enum pl_hapset_phase phase)
{
    return phase <= PL_HAPSET_ORDERS ? phase : phase - 1u;
}

/* hapset_guide.c */
extern const struct pl_dpor_guide pl_hapset_guide; /* its hooks are handed the context */
/* A number for the goal; 0: the order is known, or not wanted in this phase. */
uint32_t pl_hapset_want(const struct pl_strategy_context *c, const struct pl_dpor *d,
                        struct pl_hapset_goal goal);
/* What is planned next has this goal, or none if 0; false when it is not to be planned. */
bool pl_hapset_aim(struct pl_dpor *d, uint32_t goal);

/* hapset_bound.c */
/* Whether the thread can go on in this state without a preemption too many. */
bool pl_hapset_bound_affords(const struct pl_hapset_search *s, const struct pl_dpor_frame *f,
                             uint16_t thread);
/* A thread is chosen in this state: whom would it interrupt? */
void pl_hapset_bound_arrive(const struct pl_hapset_search *s, struct pl_dpor *d,
                            const struct pl_view *view, struct pl_dpor_frame *f);
/* Event e has come. */
void pl_hapset_bound_observe(const struct pl_hapset_search *s, struct pl_dpor *d, uint32_t e);
/* The option that interrupts nobody; -1: there is none, or no bound. */
int pl_hapset_bound_runner(const struct pl_hapset_search *s, struct pl_dpor *d,
                           const struct pl_view *view, const struct pl_dpor_frame *f);
/* All that can go on before event e within the bound: which of them leads there is not asked. */
void pl_hapset_bound_backtrack(const struct pl_hapset_search *s, struct pl_dpor *d, uint32_t e);

/* hapset_depart.c */
/* In the state before event e the thread is to be tried; the execution has this goal. */
void pl_hapset_try(const struct pl_hapset_search *s, uint32_t e, uint16_t thread, uint32_t goal);
/*
 * Event `second` is to come instead of event `first`, after all that does not happen after that,
 * and if that is nothing new, what its thread does next up to event `last`.  `second` is the first
 * of its thread that happened after `first`.  False if it cannot be (pl_past_could_depart()), or if
 * what begins so is there already.
 */
bool pl_hapset_depart(const struct pl_hapset_search *s, uint32_t first, uint32_t second,
                      uint32_t last, uint32_t goal);

/* hapset_learn.c */
/* The execution ended well: all that it has shown is known from now on. */
void pl_hapset_teach(struct pl_strategy_context *c);
/* The execution failed.  What it was made for need not have come to an end. */
void pl_hapset_blame(struct pl_strategy_context *c);

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
/*
 * Who is to go on for the goal if he can, and who is not unless nobody else can, if the goal is
 * such an order; otherwise both are left as they are.
 */
void pl_hapset_pursue(const struct pl_hapset_search *s, const struct pl_dpor *d, uint16_t *wanted,
                      uint16_t *held);

#endif /* PL_STRATEGY_HAPSET_HAPSET_SEARCH_H */
