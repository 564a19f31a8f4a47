/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the strategy values have together: values.c makes the executions,
 * values_path.c is the search, values_reach.c asks the table of static pairs, values_judge.c says
 * what came of attempts, values_first.c is the priority pass, values_apart.c knows which threads
 * never meet at an object.
 *
 * In Chen's words (docs/design/value-schedules.md):
 *
 *   there                      here
 *   VSR access                 an operation at a site that is in a pair
 *   backtracking point         a frame with more than one candidate
 *   triggering access          an operation that has been explored in a frame: it sleeps
 *   frozen thread              a thread whose operation sleeps
 *   search target              a site that is in a pair with that of the sleeper
 *   fulfilled                  an operation that depends on the sleeper is performed: it wakes
 *   not accessible any more    nobody can reach a partner of the sleeper: the execution ends
 *   next instance              after that, the sleeper and what was performed are both candidates
 */
#ifndef PL_STRATEGY_VALUES_VALUES_SEARCH_H
#define PL_STRATEGY_VALUES_VALUES_SEARCH_H

#include "base/table.h"
#include "model/judged.h"
#include "strategy/dpor/past.h"
#include "strategy/shared/strategy.h"

enum pl_values_phase {
    PL_VALUES_FIRST,  /* the priority pass: one switch in each execution */
    PL_VALUES_NORMAL, /* depth first */
    PL_VALUES_DPOR,   /* what the rules say nothing about: dpor makes all classes */
};

enum {
    PL_VALUES_PARTIAL = 1, /* of a sleeper: another outcome of the same operation is awake */
    PL_VALUES_NOBODY = 0xffff,
    PL_VALUES_EVERYBODY = 0xfffe,
    PL_VALUES_SLOTS = 4096, /* lists of events, by site */
    PL_VALUES_INTEREST = 128,
    PL_VALUES_CREATORS = 32,
    PL_VALUES_INTENTIONS = 64,
    PL_VALUES_BASES = 512, /* what threads were found to have for good */
    PL_VALUES_BASE_SLOTS = 2 * PL_VALUES_BASES,
};

/* An operation that has been explored, and need not come again before something depends on it. */
struct pl_values_sleeper {
    uint32_t record; /* as it was performed: of pl_values.past */
    uint32_t site;
    pl_tid tid, witness; /* witness: it can reach a partner of the site; or PL_VALUES_NOBODY */
    uint16_t flags;
};

struct pl_values_node {
    struct pl_values_sleeper of;
    uint32_t next; /* 0: none */
};

/* Who may go on in a state: the name of the thread. */
struct pl_values_candidate {
    uint64_t name;
};

/* A choice of the path. */
struct pl_values_frame {
    uint32_t candidates;     /* where they begin; the first `end` are this worker's */
    uint32_t sleep, n_sleep; /* the sleepers that the state was entered with */
    uint32_t done;           /* nodes: what has been explored here */
    uint32_t record;         /* what was taken, once it is performed; 0: it has not been */
    uint32_t site;           /* and its site */
    uint16_t order, end;     /* which is taken; where they end */
    uint16_t options;
    uint16_t created, joined; /* threads, before */
    uint8_t kind;             /* enum pl_choice_kind */
    uint64_t roots;           /* of threads that were created before, as bits */
    uint64_t history, era;    /* as in pl_values, before */
    uint64_t skip;            /* of a choice within an operation: outcomes that sleep */
};

/* An order to be tried in the priority pass. */
struct pl_values_order {
    uint64_t name;    /* of the thread that waits at the trigger, */
    uint32_t ordinal; /* which is its operation of this number */
    uint32_t pair;
    uint32_t target; /* site */
    uint32_t point;  /* how many triggers there were before: those of one go together */
    uint16_t priority;
    uint32_t size; /* of the trigger: bytes, 0 if its addresses are not to be compared; */
    uint64_t addr;
    uint64_t others, era; /* threads that could come to the target, as bits, or all; when */
    bool done;
};

/* Where the address is, in one thread, that sites with this base differ from by their offsets. */
struct pl_values_base {
    uint64_t era, address;
    uint32_t base;
    pl_tid tid;
};

/* An order that is to come true in an execution. */
struct pl_values_intention {
    uint32_t pair, target; /* target: the site that is to come first */
};

/* An operation of the execution, for the orders that it shows. */
struct pl_values_event {
    struct pl_operation op;
    uint32_t site;
    uint32_t asked;  /* how many choices there were before */
    uint32_t before; /* the event before it at a site with the same slot, plus 1; 0: none */
};

/* Where a thread is. */
struct pl_values_stack {
    uint64_t pcs[PL_PAIR_FRAMES];
    unsigned n;
    bool whole;
};

struct pl_values {
    /* Parameters. */
    bool priority, reachability, newest;
    char interest[PL_VALUES_INTEREST]; /* "" or the end of a file's name */
    uint32_t interest_line;

    enum pl_values_phase phase;
    uint64_t round;
    bool open;     /* an execution has begun and has not been ended */
    bool turning;  /* the next one is being planned: it is half done */
    bool left_out; /* the rules did not cover all that was seen */
    bool adopted;
    uint64_t execution;

    /* The path. */
    struct pl_past past; /* records and threads only */
    struct pl_values_frame *frames;
    struct pl_values_sleeper *sleepers;
    struct pl_values_candidate *candidates;
    struct pl_values_node *nodes;
    uint32_t frames_max, sleepers_max, candidates_max, nodes_max;
    uint32_t n;     /* frames to repeat; the last one takes another way than before */
    uint32_t depth; /* choices made in this execution */
    uint32_t n_nodes, free_node;
    uint32_t split; /* the frame that split() has looked at last */

    /* The execution. */
    bool live;       /* behind the part that is repeated */
    bool gone;       /* it did not repeat itself, or there is no room */
    bool lone;       /* only one thread is there */
    uint32_t w, n_w; /* sleepers of the state that is next */
    uint32_t owner;  /* the frame whose operation is next, plus 1 */
    uint16_t outcome[PL_PAST_OUTCOMES], n_outcomes;
    uint64_t skip;
    pl_tid moved; /* since sleepers were looked at; or NOBODY, EVERYBODY */
    uint16_t created, joined;
    uint64_t roots;
    uint64_t history;         /* hash of all that was performed and chosen so far, */
    uint64_t era;             /* and of what was so when the last thread was created */
    struct pl_operation last; /* the last operation, */
    uint32_t last_site;
    struct pl_values_intention intentions[PL_VALUES_INTENTIONS]; /* of its switch */
    uint32_t n_intentions;                                       /* that have no verdict yet */
    uint32_t trigger_record;
    uint32_t fulfilled; /* the pair that it has shown, plus 1, */
    unsigned direction; /* in this direction */
    struct pl_values_event *events;
    uint32_t events_max, n_events, was_events;
    uint32_t latest[PL_VALUES_SLOTS];                   /* by site: its last event, plus 1 */
    bool in[2][PL_THREADS_MAX], looked[PL_THREADS_MAX]; /* threads of a view */

    /* Sites that create threads; too many: all that is reached by creating one is. */
    uint32_t creators[PL_VALUES_CREATORS], n_creators;
    bool asked_creators;

    struct pl_values_base bases[PL_VALUES_BASES];
    struct pl_table by_base; /* and by the thread and the era that they are of */
    uint64_t base_slots[PL_TABLE_ROOM(PL_VALUES_BASE_SLOTS, PL_VALUES_BASE_SLOTS)];
    uint32_t n_bases;

    /* The priority pass. */
    struct pl_values_order *orders;
    uint32_t orders_max, n_orders, at_order; /* at_order: the one that is tried, plus 1 */
    uint32_t points;
    uint8_t seeking; /* enum in values_first.c */
    uint64_t seeker;
    struct pl_operation trigger;
    bool first_made; /* the execution without any switch */

    /* dpor. */
    struct pl_strategy_context search;
    struct pl_settings settings;
    uint32_t *asked; /* by choice of dpor: how many choices there were before */
    uint32_t asked_max, n_asked, n_dpor, was_dpor;
};

static inline struct pl_values *pl_values_of(const struct pl_strategy_context *c)
{
    return (struct pl_values *)c->arena;
}

/* values_reach.c: what the table says */

/* Where the thread of the operation is. */
void pl_values_where(const struct pl_strategy_context *c, const struct pl_operation *op,
                     struct pl_values_stack *at);
/* The site of what a thread is about to do; PL_PAIR_NONE if there is none. */
uint32_t pl_values_site(const struct pl_strategy_context *c, const struct pl_operation *op);
/* Whether nothing conflicts with it. */
bool pl_values_is_free(const struct pl_operation *op);
/* Whether the table says with whom an operation at the site conflicts. */
bool pl_values_is_known(const struct pl_operation *op, uint32_t site);
/* Whether a thread can come to the target, itself or by creating one; with the same object as the
 * trigger, as far as that is known. */
bool pl_values_comes(const struct pl_strategy_context *c, const struct pl_operation *thread,
                     const struct pl_operation *trigger, uint32_t target);
/* The same for one that it creates. */
bool pl_values_sends(const struct pl_strategy_context *c, const struct pl_operation *thread,
                     uint32_t target);
/* Whether a thread may do something that conflicts with an operation at the site. */
bool pl_values_meets(const struct pl_strategy_context *c, const struct pl_operation *thread,
                     const struct pl_operation *op, uint32_t site);
/* Whether the operation is what the pair is about. */
bool pl_values_concerns(const struct pl_pair *p, const struct pl_operation *op);
/* Whether the pair is one that the user is interested in. */
bool pl_values_wanted(const struct pl_strategy_context *c, uint32_t pair);
/* The pair of two sites with these operations; PL_PAIR_NONE: there is none. */
uint32_t pl_values_pair(const struct pl_strategy_context *c, uint32_t a, unsigned a_kind,
                        uint32_t b, unsigned b_kind);
static inline const struct pl_past_record *pl_values_record(const struct pl_values *s,
                                                            const struct pl_values_sleeper *z)
{
    PL_ASSERT(z->record < s->past.n_records);
    return &s->past.records[z->record];
}

/* The candidates of a state: those that must be tried if `first` is; how many, in view order. */
unsigned pl_values_closure(const struct pl_strategy_context *c, const struct pl_view *view,
                           unsigned first, bool *in);

/* values_path.c: the search */
void pl_values_clear(struct pl_values *s);
void pl_values_path_begin(struct pl_strategy_context *c);
unsigned pl_values_path_choose(struct pl_strategy_context *c, const struct pl_view *view);
void pl_values_path_observe(struct pl_strategy_context *c, const struct pl_operation *op);
void pl_values_path_last(struct pl_strategy_context *c, const struct pl_operation *const *next,
                         unsigned n);
void pl_values_path_resume(struct pl_strategy_context *c, uint64_t n);
bool pl_values_path_end(struct pl_strategy_context *c);
uint64_t pl_values_path_split(struct pl_strategy_context *c, unsigned char *part, uint64_t size);
void pl_values_path_cut(struct pl_strategy_context *c);
void pl_values_path_adopt(struct pl_strategy_context *c, const unsigned char *part, uint64_t size);
/* The program did not repeat itself. */
unsigned pl_values_stray(struct pl_strategy_context *c, const struct pl_view *view);

/* values_apart.c: what threads have for good */

/* Something was performed; an outcome was chosen. */
void pl_values_apart_step(struct pl_values *s, const struct pl_operation *op);
void pl_values_apart_chosen(struct pl_values *s, unsigned option);
/* Nothing is known of any thread. */
void pl_values_apart_forget(struct pl_values *s);
/* The operation is at the site: if that has a base, it is known from now on. */
void pl_values_apart_learn(struct pl_strategy_context *c, const struct pl_operation *op,
                           uint32_t site);
/* Bytes that an operation compares with, or 0: it is about more than one address. */
uint32_t pl_values_apart_size(const struct pl_operation *op);
/* Whether the thread is at the target only with an address, which is told, beyond these bytes. */
bool pl_values_is_apart(const struct pl_strategy_context *c, uint64_t era, pl_tid tid,
                        uint32_t target, uint64_t addr, uint32_t size, uint64_t *at);

/* values_judge.c: what came of attempts */

/* A switch has been made: the operation sleeps until one of its partners has come. */
void pl_values_judge_switch(struct pl_strategy_context *c, const struct pl_view *view,
                            const struct pl_values_sleeper *trigger);
/* Others have gone on: which of the partners cannot come any more? */
void pl_values_judge_step(struct pl_strategy_context *c, const struct pl_view *view);
/* An operation at this site has woken the sleeper. */
void pl_values_judge_woken(struct pl_strategy_context *c, const struct pl_values_sleeper *trigger,
                           const struct pl_operation *op, uint32_t site);
/* All who could go on sleep. */
void pl_values_judge_blocked(struct pl_strategy_context *c, const struct pl_view *view);
/* What is said of a thread that could come to the target, but is not offered. */
enum pl_judged_kind pl_values_judge_waiting(const struct pl_strategy_context *c);
/* Why the pair's target is not to be had. */
enum pl_judged_kind pl_values_judge_why(const struct pl_strategy_context *c,
                                        const struct pl_view *view,
                                        const struct pl_operation *trigger, uint32_t target,
                                        struct pl_judged *what);
/* An operation was performed, after so many choices: which orders does it show? */
void pl_values_judge_seen(struct pl_strategy_context *c, const struct pl_operation *op,
                          uint32_t site, uint32_t asked);
/* An execution begins; or goes on where another was after so many choices. */
void pl_values_judge_begin(struct pl_values *s);
void pl_values_judge_resume(struct pl_values *s, uint32_t asked);
/* The execution is over. */
void pl_values_judge_end(struct pl_strategy_context *c, enum pl_outcome outcome);

/* values_first.c: the priority pass */
void pl_values_first_begin(struct pl_strategy_context *c);
unsigned pl_values_first_choose(struct pl_strategy_context *c, const struct pl_view *view);
void pl_values_first_observe(struct pl_strategy_context *c, const struct pl_operation *op,
                             uint32_t site);
/* False when nothing is left to try. */
bool pl_values_first_end(struct pl_strategy_context *c);

#endif /* PL_STRATEGY_VALUES_VALUES_SEARCH_H */
