/* SPDX-License-Identifier: MIT */
/*
 * Observers: who is told what threads do.
 *
 * An observer is a const struct; start/init.c has the table of all of them, in the order in
 * which they are told.  When an execution begins, each says whether it is wanted, and those
 * who are go into lists, one for each thing to be told.  So an operation costs what is switched
 * on, and nothing else is asked for it.
 *
 * Observers look; they neither switch threads nor change what an operation does, but for the
 * fields of an announced operation that are theirs.
 */
#ifndef PL_RUNTIME_CORE_OBSERVER_H
#define PL_RUNTIME_CORE_OBSERVER_H

#include "runtime/ground/stage.h"

struct pl_observer {
    /* Whether it is to be told of this execution; before the root, with `rooted` false, of what
     * comes before it.  NULL: always. */
    bool (*wanted)(bool rooted);

    void (*root)(void);  /* the root is reached: once */
    void (*begin)(void); /* an execution begins: what was noted of the last one is gone */
    void (*begun)(void); /* and the strategy knows of it */
    void (*announced)(struct pl_thread *t, struct pl_operation *op);
    /* The thread has been chosen; what its operation will do is not known yet. */
    void (*chosen)(const struct pl_thread *t, bool switched);
    void (*performed)(struct pl_thread *t, const struct pl_operation *op);
    /* The thread is where it was before its operation number `from`: all since was for nothing. */
    void (*idle)(struct pl_thread *t, uint32_t from);
    void (*last)(void); /* the execution ends; the strategy has not been told yet */
    void (*counted)(enum pl_outcome outcome); /* it is over and counts */
};

/* All of them, up to NULL. */
extern const struct pl_observer *const *pl_observers;

/* Choose those that are wanted. */
void pl_observer_choose(bool rooted);

/* Tell all, wanted or not. */
void pl_observer_root(void);
void pl_observer_begin(void);
/* Tell those that the execution has begun, then choose who is told of what it does. */
void pl_observer_begun(void);
void pl_observer_counted(enum pl_outcome outcome);

/* Tell those that are wanted. */
static inline void pl_observer_announced(struct pl_thread *t)
{
    const struct pl_observing *o = &pl_stage->observing;

    for (unsigned i = 0; i < o->n_announced; i++)
        o->announced[i](t, &t->op);
}

static inline void pl_observer_chosen(const struct pl_thread *t, bool switched)
{
    const struct pl_observing *o = &pl_stage->observing;

    for (unsigned i = 0; i < o->n_chosen; i++)
        o->chosen[i](t, switched);
}

static inline void pl_observer_performed(struct pl_thread *t)
{
    const struct pl_observing *o = &pl_stage->observing;

    for (unsigned i = 0; i < o->n_performed; i++)
        o->performed[i](t, &t->op);
}

static inline void pl_observer_idle(struct pl_thread *t, uint32_t from)
{
    const struct pl_observing *o = &pl_stage->observing;

    for (unsigned i = 0; i < o->n_idle; i++)
        o->idle[i](t, from);
}

static inline void pl_observer_last(void)
{
    const struct pl_observing *o = &pl_stage->observing;

    for (unsigned i = 0; i < o->n_last; i++)
        o->last[i]();
}

#endif /* PL_RUNTIME_CORE_OBSERVER_H */
