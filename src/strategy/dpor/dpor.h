/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the strategy dpor have together: dpor.c makes the executions,
 * dpor_reverse.c looks at each and notes what else is to be explored.
 */
#ifndef PL_STRATEGY_DPOR_DPOR_H
#define PL_STRATEGY_DPOR_DPOR_H

#include "strategy/dpor/past.h"
#include "strategy/dpor/wakeup.h"
#include "strategy/shared/strategy.h"

/* The last one is for a guided search within a bound on preemptions: without sleep sets. */
enum pl_dpor_variant { PL_DPOR_OPTIMAL, PL_DPOR_SOURCE, PL_DPOR_CLASSIC, PL_DPOR_BOUNDED };
enum { PL_DPOR_OBSERVED = 64 };
#define PL_DPOR_NOBODY UINT16_MAX

/* The state before an event, and what is to be done from there. */
struct pl_dpor_frame {
    uint32_t current;            /* node of the event that was taken */
    bool planned;                /* it was the first of the wakeup tree */
    bool again;                  /* it is among `done`: something was left behind it */
    uint32_t done;               /* nodes explored before */
    uint32_t wut;                /* the wakeup tree: what is still to be explored */
    uint32_t sleep, n_sleep;     /* records in sleepers[]: explored elsewhere */
    uint32_t enabled, n_enabled; /* threads in enabled[], if there was a choice */
    uint64_t decisions;          /* choices made before it */
    bool asked;                  /* who goes on here was a choice */
    uint16_t used;               /* if bounded: preemptions before it */
    uint16_t runner;             /* if bounded: whom it interrupts if another goes on; or NOBODY */
};

/*
 * Guidance: of what an execution shows to be explored, only what is wanted is.
 * Each question is answered with a goal, a number that is the caller's own and not
 * 0, or with 0: it is not wanted.  The execution that comes of it has that goal.  If it is to be
 * made later, but not last of all, the goal has a rank (strategy/dpor/wakeup.h).
 */
struct pl_dpor;
struct pl_dpor_guide {
    void *of;
    uint32_t (*race)(void *of, const struct pl_dpor *s, const struct pl_past_race *race);
    /* Choice i within event e goes another way, from 1. */
    uint32_t (*outcome)(void *of, const struct pl_dpor *s, uint32_t e, unsigned i, unsigned way);
    /* The operation is performed before event `ending`, which ended the execution. */
    uint32_t (*before_end)(void *of, const struct pl_dpor *s, uint32_t ending,
                           const struct pl_operation *op);
    /* The operation that the goal is waiting for, if there is one: see `missed`. */
    bool (*due)(void *of, const struct pl_dpor *s, uint16_t *thread, uint32_t *ordinal);
    /* Who is to go on for the goal if he can, and who is not unless nobody else can; or NOBODY. */
    void (*pursue)(void *of, const struct pl_dpor *s, uint16_t *wanted, uint16_t *held);
    /* An execution is about to be made for the goal: whether there is no need for it any more. */
    bool (*settled)(void *of, uint32_t goal);
};

struct pl_dpor {
    enum pl_dpor_variant variant;
    const struct pl_dpor_guide *guide; /* or NULL; set anew before each call of dpor.c */
    bool bounded;                      /* guidance wants no more preemptions than */
    uint16_t bound;                    /* this */
    uint32_t goal;                     /* of this execution; 0: none */
    uint32_t missed; /* the first state in which what the goal waits for could have come, but */
                     /* something else did; PL_PAST_NONE: there was none */
    /*
     * What guidance does not want is not dropped but left for later, also in states that are left
     * for good (dpor_keep.c).  What is wanted now says the rank of the pool.
     */
    bool keeps;
    bool dropped;  /* there was no room for all of it */
    uint64_t kept; /* while states are left: number of the last, and above that what it had */
    bool open;     /* an execution has begun and has not been ended */
    bool gone;     /* this execution left its plan: do not look */

    bool ended;   /* last() has been called */
    bool resumed; /* it is to be found out where in the past we are */
    uint32_t n;   /* events that the next execution repeats */
    uint32_t at;  /* events of this execution */
    uint64_t decisions;
    uint32_t pending;     /* the frame to go back to, plus 1, while it happens */
    unsigned early, late; /* choices within the next operation and within the last so far */
    uint16_t planned[PL_PAST_OUTCOMES]; /* for these choices, plus 1 */
    uint16_t outcome[PL_PAST_OUTCOMES]; /* what was taken, plus 1 */
    uint16_t options[PL_PAST_OUTCOMES];

    struct {
        uint64_t name;
        uint32_t ordinal;
    } observed[PL_DPOR_OBSERVED]; /* operations that are steps although nobody can observe them */
    unsigned n_observed;
    struct pl_past past;
    struct pl_wakeup_pool pool;
    struct pl_dpor_frame *frames;
    uint32_t *sleepers, *sequence, *stack;
    uint16_t *enabled;
    uint32_t sleepers_max, n_sleepers, enabled_max, n_enabled;
    uint16_t *decided;  /* by event: who was taken by risk, or NOBODY; an execution that is made */
    uint32_t n_decided; /* again decides the same, although more has been shown by then */
};

/* dpor.c */
/* Whether one of the nodes beside each other is the thread's. */
bool pl_dpor_among(const struct pl_dpor *s, uint32_t node, uint16_t thread);
/* Whether what the thread does in this state has been explored. */
bool pl_dpor_asleep(const struct pl_dpor *s, const struct pl_dpor_frame *f, uint16_t thread);

/* Whether the thread can go on in this state without a preemption too many. */
bool pl_dpor_affords(const struct pl_dpor *s, const struct pl_dpor_frame *f, uint16_t thread);

/* dpor_keep.c */
/* What comes next in the state by plan: a branch, or one of `done` with something left; 0: none. */
uint32_t pl_dpor_plan(const struct pl_dpor *s, const struct pl_dpor_frame *f);
/* Whether something is to be explored from there that guidance, if there is any, still wants. */
bool pl_dpor_has_work(struct pl_dpor *s, struct pl_dpor_frame *f);
/* See to it that the first of the wakeup tree is wanted, if possible. */
void pl_dpor_put_first(struct pl_dpor *s, struct pl_dpor_frame *f);
/* The states behind the first n events are left; the node of what had to be kept of the first. */
uint32_t pl_dpor_leave(struct pl_dpor *s, uint32_t n);
/* What was taken in the state before event i is among the explored from now on. */
void pl_dpor_explored(struct pl_dpor *s, uint32_t i);
/* Make one node of what a state has, in which somebody is asleep or not; 0: of no use any more. */
uint32_t pl_dpor_pack(struct pl_dpor *s, uint32_t wut, uint32_t done, bool asleep);
/* And the other way round: the wakeup tree that was left, and in *done what was explored. */
uint32_t pl_dpor_unpack(struct pl_dpor *s, uint32_t branch, uint32_t *done);
/*
 * The sequence was found behind a branch that has been taken again.  If it could as well begin
 * with one that was taken after that, it is inserted there: true, also if there is no need.
 */
bool pl_dpor_follow(struct pl_dpor *s, const struct pl_dpor_frame *f, uint32_t *sequence,
                    uint32_t n);

/* dpor_order.c */
/* Nothing is planned in this state: anything that has not been explored elsewhere. */
unsigned pl_dpor_choose_freely(struct pl_strategy_context *c, const struct pl_view *view);
int pl_dpor_option(struct pl_dpor *s, const struct pl_view *view, uint16_t thread);

/* dpor_reverse.c */
/* Something about to be done when event `ending` ended the execution: it could have come before. */
void pl_dpor_before_end(struct pl_dpor *s, uint32_t ending, const struct pl_operation *op);
/* And this one before a member of a circle of threads that wait for each other. */
void pl_dpor_within_circle(struct pl_dpor *s, uint32_t ending, const struct pl_operation *member,
                           const struct pl_operation *op);
/* Whether the thread could have gone on before event e, where another one did. */
bool pl_dpor_enabled(const struct pl_dpor *s, uint32_t e, uint16_t thread);
/* In the state before event e the thread is to be tried; the execution has this goal. */
void pl_dpor_try(struct pl_dpor *s, uint32_t e, uint16_t thread, uint32_t goal);
/*
 * Event `second` is to come instead of event `first`, after all that does not happen after that,
 * and if that is nothing new, what its thread does next up to event `last`.  `second` is the first
 * of its thread that happened after `first`.  False if it cannot be (pl_past_could_depart()), or if
 * what begins so is there already.
 */
bool pl_dpor_depart(struct pl_dpor *s, uint32_t first, uint32_t second, uint32_t last,
                    uint32_t goal);
/* The execution is over: reverse its races, and try the other outcomes of its choices. */
void pl_dpor_look_back(struct pl_dpor *s);

/* After an end() that was false: go on with what was left for later; false when there is nothing.
 */
bool pl_dpor_go_on(struct pl_dpor *s);

#endif /* PL_STRATEGY_DPOR_DPOR_H */
