/* SPDX-License-Identifier: MIT */
/*
 * The past: the operations of an execution as a partial order.
 *
 * Every operation performed is an event with a vector clock, which says which
 * earlier events happened before it.  An event happens after the thread's own
 * last one, after those it depends on (model/depend.h), and after what made
 * it possible: the creation of its thread, the end of the thread it joins, the
 * signal that woke it.
 *
 * Events are pushed as they are performed and popped when a search goes back.
 * Pushing finds the races: pairs of events that depend on each other and could
 * have been performed in the other order, with nothing in between that forces
 * this one.  To reverse a race is to perform, instead of the first event, all
 * later ones that do not happen after it, and then the second.
 *
 * An operation that waits is a case of its own.  It cannot change places with
 * the release before it, so it races with the acquisition before that; and when
 * taking that acquisition away leaves the lock with somebody else, whose release
 * happens after what was taken away, his acquisition must go, too.  So what a
 * race takes away is a set.
 */
#ifndef PL_STRATEGY_DPOR_PAST_H
#define PL_STRATEGY_DPOR_PAST_H

#include "model/operation.h"
#include "strategy/dpor/past_index.h"

#define PL_PAST_NONE UINT32_MAX

enum {
    PL_PAST_TAKEN = 6,    /* acquisitions that a race may take away */
    PL_PAST_OUTCOMES = 2, /* choices within one operation */
};

/* What is known of an operation, kept once however many places refer to it. */
struct pl_past_record {
    struct pl_operation op;
    uint16_t thread;
    bool ends;                          /* the execution ended with it: it depends on everything */
    bool known;                         /* false: only the thread is */
    bool idle;                          /* it led round a loop: a step that was none */
    uint16_t outcome[PL_PAST_OUTCOMES]; /* what was chosen within it, plus 1; 0: anything */
};

struct pl_past_event {
    uint32_t record;
    uint32_t clock;  /* where it begins in clocks[] */
    uint32_t link;   /* the first of its places in the lists of objects */
    uint32_t before; /* the thread's event before, or PL_PAST_NONE */
    uint16_t thread;
    uint16_t n_clock;
    uint16_t n_links;
    uint16_t options[PL_PAST_OUTCOMES]; /* of the choices within it; 0: there was none */
    bool automatic;                     /* nobody can keep it from happening: no choice */
    bool idle;                          /* part of an iteration for nothing: it orders nothing */
    uint32_t round;  /* the first event, plus 1, of one that is no matter of one look; or 0 */
    uint32_t until;  /* and how many events there were when it was over */
    uint32_t let_go; /* the first event, plus 1, that let it go on behind one for nothing; or 0 */
    uint32_t round_before; /* and that round, as pl_operation.round */
    uint32_t sender;       /* of taking a signal: the event, plus 1, that sent it; or 0 */
};

/* A pair of events to be performed in the other order. */
struct pl_past_race {
    uint32_t second; /* event, or number of a pending operation */
    bool pending;
    bool instead;    /* not the second itself, but what its thread could have done unwoken, */
    uint32_t signal; /* or, plus 1, without taking this signal in between; or 0 */
    uint8_t n;
    uint32_t taken[PL_PAST_TAKEN]; /* the first event and what must go with it */
};

struct pl_past_thread {
    uint64_t name;
    uint32_t last;    /* its last event, or PL_PAST_NONE */
    uint32_t sent[2]; /* the last cancellation, and the last signal, sent to it, or PL_PAST_NONE */
};

struct pl_past_link {
    uint32_t event, cell;
    uint32_t before; /* the place before it with the same effect, */
    uint32_t other;  /* and the one before it of another thread */
    uint16_t thread; /* of the event */
    uint8_t effect, offset, size;
};

/* Eight bytes of memory, or an object; the last places of each effect. */
struct pl_past_cell {
    uint64_t granule;
    uint64_t threads; /* bits: who touched it, those from number 63 on as one */
    uint32_t last[4];
};

struct pl_past {
    struct pl_past_record *records;
    struct pl_past_event *events;
    struct pl_past_link *links;
    struct pl_past_cell *cells;
    struct pl_past_race *races;
    struct pl_past_index by_contents, by_granule, by_name; /* records, cells and threads */
    uint32_t *clocks;
    uint32_t *record_after; /* by record: the one of the event after it in its thread, lately */
    uint32_t records_max, events_max, links_max, cells_max, clocks_max, races_max;
    uint32_t n_records, n_events, n_links, n_cells, n_clocks, n_races;
    bool total;     /* any two events depend on each other, as asked for by whoever pushes */
    bool recalls;   /* races of events that are not popped stay, as asked for by whoever pushes */
    bool inexact;   /* a race had to be left as it is */
    bool signalled; /* a thread was sent a signal, in any execution: more depends than need be */
    bool full;      /* something did not fit: what follows says nothing */
    uint16_t n_threads;
    uint16_t by_tid[PL_THREADS_MAX];
    uint32_t birth[PL_THREADS_MAX]; /* by tid: the event that created it */
    struct pl_past_thread threads[PL_THREADS_MAX];
    uint32_t released[PL_THREADS_MAX]; /* while a set is being closed: by thread */
    struct pl_past_record pending[PL_THREADS_MAX];
    uint32_t n_pending;
    uint32_t copied; /* the last event that made a copy of everything, or PL_PAST_NONE */
};

/* The earliest event that is taken away. */
uint32_t pl_past_first(const struct pl_past_race *r);

/* Lay out in `size` bytes of zeroes. */
void pl_past_start(struct pl_past *p, unsigned char *memory, uint64_t size);
/* Forget everything. */
void pl_past_clear(struct pl_past *p);

/* The number of a thread, the same in all executions. */
uint16_t pl_past_thread(struct pl_past *p, const struct pl_operation *op);

/* The record with these contents. */
uint32_t pl_past_record(struct pl_past *p, const struct pl_past_record *contents);

/*
 * An operation is performed.  Races with earlier ones are added to races[].
 * `automatic`: it follows of itself and races with nothing.
 */
void pl_past_push(struct pl_past *p, const struct pl_operation *op, bool automatic);
/* The event that enabled the operation, PL_PAST_NONE if there is none or if any of several did. */
uint32_t pl_past_waker(const struct pl_past *p, const struct pl_operation *op);
/* An operation that waits and will not be performed: it may race all the same. */
void pl_past_pending(struct pl_past *p, const struct pl_operation *op);
/* One that somebody kept from being performed: it could have come before that. */
void pl_past_kept(struct pl_past *p, const struct pl_operation *op);
/*
 * Event e ended the execution: everybody else's last event might as well not have
 * happened yet.  Not so for threads in whose circle of waiting it was the last
 * link: next[i]->circle tells them.
 */
void pl_past_ended(struct pl_past *p, uint32_t e, const struct pl_operation *const *next,
                   unsigned n);
/* Whether an operation that can be performed after event e could be before it, too. */
bool pl_past_could_precede(struct pl_past *p, const struct pl_operation *op, uint32_t e);
/*
 * Whether event `second`, which happened after `first`, could come instead of it, when all has come
 * that does not happen after that, and its own thread has come there.  This need be no race: more
 * may lie between them.
 */
bool pl_past_could_depart(struct pl_past *p, uint32_t first, uint32_t second);
/*
 * The thread is where it was before its operation number `from`.  If all that it has done since is
 * to look at one thing, as the last event that was a choice, that is taken back: it stays in the
 * races in which it is the second event, for before the first it need not have been for nothing.
 * The event that looked, or PL_PAST_NONE; also if that is before event `since`.  If it has looked
 * at several things, and nobody has done more since it began, the events are noted to be a round.
 */
uint32_t pl_past_idle(struct pl_past *p, uint16_t thread, uint32_t from, uint32_t since);
/* Whether event e happened before event b, or before one of several any of which let a thread go on
 * that did something before b. */
bool pl_past_leads(const struct pl_past *p, uint32_t e, uint32_t b);
/* The last event of a thread before event e that was no matter of course. */
uint32_t pl_past_last(const struct pl_past *p, uint16_t thread, uint32_t e);
/* Go back to the first n events. */
void pl_past_pop(struct pl_past *p, uint32_t n);

/* Whether event a happened before event b, or is it. */
static inline bool pl_past_before(const struct pl_past *p, uint32_t a, uint32_t b)
{
    const struct pl_past_event *e = &p->events[b];
    unsigned thread = p->events[a].thread;

    return thread < e->n_clock && p->clocks[e->clock + thread] > a;
}

/* Whether event e is taken away, or happened after one that is. */
static inline bool pl_past_is_taken(const struct pl_past *p, const struct pl_past_race *r,
                                    uint32_t e)
{
    for (unsigned i = 0; i < r->n; i++) {
        if (pl_past_before(p, r->taken[i], e))
            return true;
    }
    return false;
}

static inline const struct pl_past_record *pl_past_record_of(const struct pl_past *p,
                                                             uint32_t event)
{
    return &p->records[p->events[event].record];
}

/* What a thread that was woken would have done if its time had run out instead. */
struct pl_past_record pl_past_unwoken(const struct pl_past_record *woken);

/* Whether two operations with these records depend on each other. */
bool pl_past_depend(const struct pl_past *p, const struct pl_past_record *a,
                    const struct pl_past_record *b);

#endif /* PL_STRATEGY_DPOR_PAST_H */
