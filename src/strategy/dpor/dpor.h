/* SPDX-License-Identifier: MIT */
/*
 * The search of dpor.c, in the words of
 *
 *   Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial Order Reduction, POPL 2014
 *   (extended: Source Sets: A Foundation for Optimal DPOR, JACM 2017), and
 *   Flanagan, Godefroid: Dynamic Partial-Order Reduction, POPL 2005.
 *
 *   there                 here
 *   E, dom(E)             pl_dpor.past: the events of the execution, numbered from 0
 *   e, e'                 numbers of events
 *   pre(E, e)             frames[e]: the state before event e, as each prefix of E has one
 *   p, q                  a thread, or the record (past.h) of what it does next: an outcome of a
 *                         choice within an operation makes it another p
 *   enabled(s[E])         frames[e].enabled, kept for those who ask for it
 *   E |= p <> q           !pl_past_depend(): p and q are independent
 *   e -> e' (in E)        pl_past_before()
 *   e, e' reversible race struct pl_past_race; pl_past_push() finds them
 *   notdep(e, E)          pl_dpor_notdep(), which puts v = notdep(e, E).e' into pl_dpor.v
 *   I(v), WI(v)           initials, weak initials: pl_wakeup_initial(), pl_wakeup_weak_initial()
 *   insert(v, wut)        pl_wakeup_insert()
 *   wut(E)                frames[e].wut: the branches still to be explored, in order
 *   subtree(wut(E), p)    the `child` of the branch p
 *   backtrack(E)          of source and classic: also frames[e].wut, a branch of one node for each
 *                         thread that is still to be explored; pl_dpor_in_backtrack()
 *   done                  frames[e].done: the branches that have been explored, the latest first
 *   sleep(E)              frames[e].sleep, which the state was entered with, together with `done`
 *
 * Line numbers in comments are those of Algorithm 1 (S1 to S12: Source-DPOR) and Algorithm 2 (O1 to
 * O21: Optimal-DPOR) of the paper of 2014, and of Figure 3 of that of 2005 (C1 to C16), each with
 * the heading of Explore as line 1:
 *
 *   O2-O5    nobody can go on: for each reversible race e, e' let E' be pre(E, e) and v the
 * sequence O6-O7    if no weak initial of v is asleep in E', insert v into wut(E') O9-O13   go on
 * with the wakeup tree that was handed down, or, if there is none, with any thread O14      the
 * sleep set is the one that was handed down O15-O16  as long as wut(E) has branches: the first of
 * them, p O17-O19  explore E.p; who is asleep and independent of p sleeps on; what is behind p is
 * planned O20-O21  p is asleep from now on, and no branch of wut(E) any more S3-S4    the same with
 * backtrack(E), from which those that are asleep are left out S5-S9    for each race: if
 * backtrack(E') has no initial of v, one of them is added C3-C7    for each race: of those that are
 * enabled before e and lead to e' any is added, or all that are enabled if there is none C12-C14
 * done
 *
 * An execution is one way down through the recursion.  So a call of Explore is a frame, entering it
 * is descend(), and returning to it is turn().
 */
#ifndef PL_STRATEGY_DPOR_DPOR_H
#define PL_STRATEGY_DPOR_DPOR_H

#include "base/assert.h"
#include "model/depend.h"
#include "strategy/dpor/dpor_beyond.h"
#include "strategy/dpor/past.h"
#include "strategy/dpor/wakeup.h"
#include "strategy/shared/strategy.h"

/* The last one is for a guide, which fills backtrack(E) itself: there are no sleep sets. */
enum pl_dpor_variant { PL_DPOR_OPTIMAL, PL_DPOR_SOURCE, PL_DPOR_CLASSIC, PL_DPOR_SLEEPLESS };

/* A prefix of E, and what is to be done from there.  Trees and lists are nodes of the pool. */
struct pl_dpor_frame {
    uint32_t p;                  /* node of what was taken here; 0: nothing has been */
    uint32_t wut;                /* what is still to be explored */
    uint32_t done;               /* what has been explored; p is not in it, unless taken again */
    uint32_t sleep, n_sleep;     /* records in sleepers[]: what has been explored elsewhere */
    uint32_t enabled, n_enabled; /* threads in enabled[], if there was a choice */
    struct pl_dpor_bound bound;  /* for the guide */
    uint64_t choices;            /* made before it; for dpor_replay.c */
    struct pl_dpor_taken taken;  /* how p was taken */
};

/* The events of an execution thread by thread, and who of them is still asked for one race. */
struct pl_dpor_lists {
    uint32_t *events; /* ascending, those of thread t from begin[t] on */
    uint32_t begin[PL_THREADS_MAX + 1];
    bool over[PL_THREADS_MAX]; /* all that follow of the thread happen after what is taken away */
};

struct pl_dpor {
    enum pl_dpor_variant variant;
    struct pl_past past;          /* E */
    struct pl_dpor_frame *frames; /* of all prefixes of E, and of E */
    struct pl_wakeup_pool pool;
    uint32_t *v; /* records */
    struct pl_dpor_lists lists;
    uint32_t *sleepers; /* records, by frame */
    uint16_t *enabled;  /* threads, by frame */
    uint32_t sleepers_max, n_sleepers, enabled_max, n_enabled;

    /* What the papers do not have: see dpor_beyond.h. */
    struct pl_dpor_replay replay;
    struct pl_dpor_outcomes outcomes;
    struct pl_dpor_observed observed;
    struct pl_dpor_decided decided;
    struct pl_dpor_keep keep;
    const struct pl_dpor_guide *guide; /* or NULL; set anew before each call of the strategy, */
    void *guided;                      /* with what its hooks are handed */
};

static inline struct pl_dpor *pl_dpor_of(const struct pl_strategy_context *c)
{
    return (struct pl_dpor *)c->arena;
}

/* What a node of the pool says is done. */
static inline const struct pl_past_record *pl_dpor_record(const struct pl_dpor *s, uint32_t node)
{
    return &s->past.records[s->pool.nodes[node].record];
}

/* dpor.c */
/* Whether one of the branches beside each other is the thread's. */
bool pl_dpor_among(const struct pl_dpor *s, uint32_t node, uint16_t thread);
/* Whether the thread is in sleep(E). */
bool pl_dpor_asleep(const struct pl_dpor *s, const struct pl_dpor_frame *f, uint16_t thread);
/* O20: what was taken in the state before event e is in `done` from now on. */
void pl_dpor_finish(struct pl_dpor *s, uint32_t e);
/* Give back what belongs to states behind the first n events. */
void pl_dpor_pop(struct pl_dpor *s, uint32_t n);
/* After an end() that was false: go on with what was left for later; false if there is nothing. */
bool pl_dpor_go_on(struct pl_dpor *s);

/* dpor_order.c: who goes on where nothing is planned */
/* The option that is the thread's; -1: none is. */
int pl_dpor_option(struct pl_dpor *s, const struct pl_view *view, uint16_t thread);
/* Whether the thread of the option is not in sleep(E). */
bool pl_dpor_is_open(struct pl_dpor *s, const struct pl_view *view, unsigned option);
/* Who goes on by default; a thread that is held does if nobody else can. */
unsigned pl_dpor_usual(struct pl_dpor *s, const struct pl_view *view, uint16_t held);
/* O12: anybody who is not asleep. */
unsigned pl_dpor_choose_freely(struct pl_strategy_context *c, const struct pl_view *view);

/* dpor_least.c: how an operation may be in another order */
/* It does the least that it can, and nobody says how. */
void pl_dpor_lessen(struct pl_past_record *r);
/*
 * The second of the race as it may be without what the race takes away: a text is read as far as
 * the first byte that is changed there; what is behind is not known.
 */
void pl_dpor_shorten(const struct pl_dpor *s, struct pl_operation *text,
                     const struct pl_past_race *race);
/* The second of a race; it is as it was if what it goes before changes nothing. */
uint32_t pl_dpor_at_least(struct pl_dpor *s, const struct pl_past_record *r,
                          const struct pl_past_race *race);

/* dpor_reverse.c: what the races of an execution show to be explored */
/*
 * The later events that do not happen after what the race takes away, the first of which is e, then
 * its second event: v, of which the length is returned.
 */
uint32_t pl_dpor_notdep(struct pl_dpor *s, const struct pl_past_race *race, uint32_t e);
/* Before that: list the events as they are now. */
void pl_dpor_list(struct pl_dpor *s);
/* O6, O7: the sequence of n records, which is used up, goes into the wakeup tree before event e. */
void pl_dpor_insert(struct pl_dpor *s, uint32_t e, uint32_t *v, uint32_t n);
/*
 * S8: whether the thread has been, is being or is to be explored in the state before event e, with
 * the outcomes that the record has.  Another outcome is another p.
 */
bool pl_dpor_in_backtrack(const struct pl_dpor *s, uint32_t e, const struct pl_past_record *r);
/* S9: it is to be explored, unless it is asleep. */
void pl_dpor_add_backtrack(struct pl_dpor *s, uint32_t e, uint32_t record);
/*
 * The same, before all others: an operation with another outcome.  Behind these a thread that has
 * been explored sleeps, whatever outcome is planned for it; so all have to be.
 */
void pl_dpor_go_first(struct pl_dpor *s, uint32_t e, uint32_t record);
/* Whether the thread is in enabled(s[pre(E, e)]). */
bool pl_dpor_enabled(const struct pl_dpor *s, uint32_t e, uint16_t thread);
/* A record of the same operation that does not end the execution. */
uint32_t pl_dpor_going_on(struct pl_dpor *s, uint32_t record);
/* O3 to O7 for all races, and the other outcomes of choices. */
void pl_dpor_look_back(struct pl_dpor *s);

#endif /* PL_STRATEGY_DPOR_DPOR_H */
