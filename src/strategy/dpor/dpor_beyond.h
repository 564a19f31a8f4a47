/* SPDX-License-Identifier: MIT */
/*
 * What the search of dpor.c has beyond the papers: one struct for each concern, and the functions
 * of the file that sees to it.
 *
 *   replay    executions that are repeated, resumed, lost, or that leave their plan
 *   outcomes  choices within an operation
 *   observed  operations that are no steps of the search, and the end of an execution
 *   decided   what was decided by risk, which is another each time that it is asked
 *   unseen    what threads do to each other in code without hooks
 *   keep      branches that are explored in several goes: what is left for later
 *   guide     somebody who wants some of the executions before others, or only these
 */
#ifndef PL_STRATEGY_DPOR_DPOR_BEYOND_H
#define PL_STRATEGY_DPOR_DPOR_BEYOND_H

#include "strategy/dpor/past.h"

struct pl_dpor;
struct pl_dpor_frame;
struct pl_strategy_context;
struct pl_view;

/* ---- dpor_replay.c ---- */

struct pl_dpor_replay {
    uint32_t n;       /* events that the next execution repeats */
    uint32_t at;      /* events of this execution so far */
    uint64_t choices; /* and choices */
    uint32_t pending; /* the frame to go back to, plus 1, while it happens */
    bool open;        /* an execution has begun and has not been ended */
    bool gone;        /* it has left its plan: do not look */
    bool ended;       /* last() has been called */
    bool vain;        /* it has turned out to be like another */
    bool unexplained; /* of the search: a thread did not do what was planned (dpor_unseen.c) */
    bool missed;      /* what was planned for it has turned out to be impossible */
    bool without;     /* of the search: what could not be had was left out of a plan */
    bool cut;         /* of the search: a thread was withheld, so plans may be impossible */
};

struct pl_dpor_taken {
    bool planned; /* it was the first branch of the wakeup tree */
    bool again;   /* it is in `done`: something was left behind it */
    bool enough;  /* it was planned for its own sake, whatever was planned behind it */
};

/* The execution is to be made again: branches that it has taken go back to where they were. */
void pl_dpor_replay_take_back(struct pl_dpor *s);
/* The program does not do what it did before: what was planned cannot be had. */
/*
 * Whether what is planned next is an operation of which only the kernel knows if it can go on, and
 * it cannot: an order that does not exist, which was worth a try.  The plan is dropped then.
 */
bool pl_dpor_replay_impossible(struct pl_strategy_context *c);
/*
 * The first branch of the wakeup tree before event e cannot be performed: what is planned behind it
 * is planned without it, and without what depends on it; or with that, if it would have been no
 * step.
 */
void pl_dpor_replay_without(struct pl_dpor *s, uint32_t e, bool idle);
void pl_dpor_replay_stray(struct pl_strategy_context *c, const char *why,
                          const struct pl_operation *expected, const struct pl_operation *actual);
/* The operation is an event that is repeated; false if it is the first that is not. */
bool pl_dpor_replay_observe(struct pl_strategy_context *c, const struct pl_operation *op);
uint64_t pl_dpor_replay_repeats(const struct pl_strategy_context *c);
uint64_t pl_dpor_replay_place(const struct pl_strategy_context *c); /* events so far */
uint64_t pl_dpor_replay_departs(const struct pl_strategy_context *c);
void pl_dpor_replay_resume(struct pl_strategy_context *c, uint64_t n, uint64_t place);

/* ---- dpor_unseen.c ---- */

/* Event e has been taken as branch p: was it to be expected? */
void pl_dpor_unseen_compare(struct pl_dpor *s, uint32_t p, uint32_t e);
/*
 * Whether this search has shown that threads depend on each other in ways that are not seen, and
 * another one is to follow in which everything depends on everything.
 */
bool pl_dpor_unseen_matters(const struct pl_strategy_context *c);

/* ---- dpor_outcome.c ---- */

struct pl_dpor_outcomes {
    unsigned early, late; /* choices within the next operation and within the last so far */
    uint16_t planned[PL_PAST_OUTCOMES]; /* for these choices, plus 1 */
    uint16_t taken[PL_PAST_OUTCOMES];   /* plus 1 */
    uint16_t options[PL_PAST_OUTCOMES];
};

void pl_dpor_outcome_begin(struct pl_dpor *s);
/* The operation comes next, as the record of branch p plans it; 0: it is not planned. */
void pl_dpor_outcome_plan(struct pl_dpor *s, uint32_t p);
/* The choices made within event e are part of what it is. */
void pl_dpor_outcome_settle(struct pl_dpor *s, uint32_t e);
/* Choices are within the next event from now on. */
void pl_dpor_outcome_next(struct pl_dpor *s);
unsigned pl_dpor_outcome_choose(struct pl_strategy_context *c, const struct pl_view *view);
/* Whether the choice is made before its operation is performed. */
bool pl_dpor_outcome_is_early(const struct pl_view *view);
/* The other outcomes of choices within event e are to be explored. */
void pl_dpor_outcome_explore(struct pl_dpor *s, uint32_t e);

/* ---- dpor_end.c ---- */

enum { PL_DPOR_OBSERVED = 64 };

/* Operations that are steps although nobody can observe them: the program ended after them. */
struct pl_dpor_observed {
    struct {
        uint64_t name;
        uint32_t ordinal;
    } steps[PL_DPOR_OBSERVED];
    unsigned n;
};

/* Whether the operation is to be performed as soon as it can be: no step of the search. */
bool pl_dpor_end_is_automatic(const struct pl_dpor *s, const struct pl_operation *op);
void pl_dpor_end_last(struct pl_strategy_context *c, const struct pl_operation *const *next,
                      unsigned n);

/* ---- dpor_await.c ---- */

bool pl_dpor_await_idle(struct pl_strategy_context *c, const struct pl_operation *op,
                        uint32_t from);
/*
 * The thread that comes next by plan cannot go on.  True if that is because it goes round a loop
 * for nothing, or because of the kernel behind something that was planned for its own sake: then
 * the plan goes on without this step, or there is none any more.
 */
bool pl_dpor_await_skip(struct pl_strategy_context *c);

/* ---- dpor_order.c ---- */

#define PL_DPOR_NOBODY UINT16_MAX

struct pl_dpor_decided {
    uint16_t *threads; /* by event: who was taken by risk, or NOBODY; an execution that is made */
    uint32_t n;        /* again decides the same, although more has been shown by then */
};

/* ---- dpor_keep.c ---- */

struct pl_dpor_keep {
    bool on;
    bool dropped;     /* there was no room for all of it */
    uint64_t leaving; /* while states are left: number of the last, and above that what it had */
    uint32_t *stack;  /* nodes */
};

/* O16: the branch that comes next by plan, or one in `done` with something left; 0: none. */
uint32_t pl_dpor_keep_next(const struct pl_dpor *s, const struct pl_dpor_frame *f);
/* What was explored in the state before p was. */
uint32_t pl_dpor_keep_before(const struct pl_dpor *s, const struct pl_dpor_frame *f);
/* O15: whether something is to be explored from there that a guide, if there is one, wants. */
bool pl_dpor_keep_has_work(struct pl_dpor *s, struct pl_dpor_frame *f);
/* See to it that the first branch of the wakeup tree is wanted, if possible. */
void pl_dpor_keep_put_first(struct pl_dpor *s, struct pl_dpor_frame *f);
/* The states behind the first n events are left; the node of what had to be kept of the first. */
uint32_t pl_dpor_keep_leave(struct pl_dpor *s, uint32_t n);
/* The branch taken before event e has been explored: note whether somebody sleeps behind it. */
void pl_dpor_keep_note(struct pl_dpor *s, uint32_t e);
/* Make one node of what a state has, in which somebody is asleep or not; 0: of no use any more. */
uint32_t pl_dpor_keep_pack(struct pl_dpor *s, uint32_t wut, uint32_t done, bool asleep);
/* And the other way round: the wakeup tree that was left, and in *done what was explored. */
uint32_t pl_dpor_keep_unpack(struct pl_dpor *s, uint32_t branch, uint32_t *done);
/*
 * The sequence was found behind a branch that has been taken again.  If a branch that was taken
 * after that is a weak initial of it, it is inserted there: true, also if there is no need.
 */
bool pl_dpor_keep_follow(struct pl_dpor *s, const struct pl_dpor_frame *f, uint32_t *v, uint32_t n);

/* ---- the guide ---- */

/* For a guide that bounds preemptions; zero at first. */
struct pl_dpor_bound {
    uint16_t used;   /* preemptions before the state */
    uint16_t runner; /* the thread, plus 1, that is interrupted if another goes on; 0: none is */
};

/*
 * Of what an execution shows to be explored, only what is wanted is.  Whoever says that something
 * is wanted sets the goal of what is inserted (strategy/dpor/wakeup_later.h).
 */
struct pl_dpor_guide {
    /* Whether to reverse the race. */
    bool (*race)(void *of, struct pl_dpor *s, const struct pl_past_race *race);
    /* Whether choice i within event e is to go another way, from 1. */
    bool (*outcome)(void *of, struct pl_dpor *s, uint32_t e, unsigned i, unsigned way);
    /* Whether the thread is to go on before event e, so that the operation comes before the end. */
    bool (*before_end)(void *of, struct pl_dpor *s, uint32_t e, uint16_t thread,
                       const struct pl_operation *op);
    /* A choice between threads is due in this state. */
    void (*arrive)(void *of, struct pl_dpor *s, const struct pl_view *view,
                   struct pl_dpor_frame *f);
    /* O12: nothing is planned there. */
    unsigned (*choose)(void *of, struct pl_dpor *s, const struct pl_view *view);
    /* Take out of the wakeup tree what begins it and is not wanted any more. */
    void (*prune)(void *of, struct pl_dpor *s, struct pl_dpor_frame *f);
    /* An execution is about to be made for the goal: whether there is no need for it any more. */
    bool (*settled)(void *of, uint32_t goal);
};

#endif /* PL_STRATEGY_DPOR_DPOR_BEYOND_H */
