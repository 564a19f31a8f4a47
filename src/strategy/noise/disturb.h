/* SPDX-License-Identifier: MIT */
/*
 * Which events of free-running threads are disturbed, and how.
 *
 * Three things with three lives.  The plan is what the user asked for, for the whole
 * campaign.  The run is what is drawn from it for one execution: how many events are
 * disturbed, how long sleeps are, how threads that begin are treated, or that nothing is
 * disturbed at all.  The disturber is one thread's part of that.  All random numbers come from
 * seed, number of the execution, name of the thread and its own events, so the same decisions
 * come again.
 *
 * A program may have millions of events, so there is no random number for each: a
 * disturber counts down what is left until the next disturbance.  Events count for
 * more or for less.  Synchronisation, and what a thread does at a place for the first few times,
 * count for much; the thousandth time round a loop counts for little.
 *
 * With a constant probability a long undisturbed stretch practically never occurs, although
 * some failures need one.  So executions, threads and stretches of threads are quiet.
 *
 * Nothing here knows the time, other threads or the kernel; what the caller must find out
 * is asked for by pl_disturb_asks.
 */
#ifndef PL_STRATEGY_NOISE_DISTURB_H
#define PL_STRATEGY_NOISE_DISTURB_H

#include "model/cover.h"
#include "model/operation.h"

#include <stdbool.h>
#include <stdint.h>

enum pl_disturb_kind {
    PL_DISTURB_SLEEP,
    PL_DISTURB_YIELD,
    PL_DISTURB_PRIORITY,
    PL_DISTURB_BUSY,
    PL_DISTURB_HALT,
    PL_DISTURB_MIXED, /* of a plan: any of the above */
    PL_DISTURB_NONE,  /* of a plan: coverage and recording only */
};

enum pl_disturb_distribution { PL_DISTURB_UNIFORM, PL_DISTURB_EXPONENTIAL, PL_DISTURB_FIXED };

/* What a disturbance is to show: see pl_cover_interest() of the runtime. */
enum pl_disturb_direct {
    PL_DISTURB_OFF,
    PL_DISTURB_M1,
    PL_DISTURB_M2,
    PL_DISTURB_M3,
    PL_DISTURB_ALL_MODELS,
};

enum pl_disturb_at {
    PL_DISTURB_AT_ALL,
    PL_DISTURB_AT_SYNC,      /* not at accesses to memory, but for atomic ones */
    PL_DISTURB_AT_SHARED,    /* nor at those of memory that only one thread uses */
    PL_DISTURB_AT_PREDICTED, /* at places that detectors have named */
};

/* A scheduler that noise is like: a row of environments.def. */
enum pl_environment_starts { PL_STARTS_FREELY, PL_STARTS_DRAWN, PL_STARTS_LAST };

struct pl_environment {
    const char *name, *text;
    uint8_t starts, percent;
    bool one_core;
    uint32_t slice_us;
};

/* What the user asked for. */
struct pl_disturb_plan {
    uint8_t kind, distribution, direct, at; /* the enumerations above */
    uint8_t record;                         /* enum pl_record_level */
    uint8_t quiet;      /* percent of executions that are; 0: nothing is, ever */
    uint8_t random;     /* percent of decisions that direction leaves to chance */
    uint8_t like;       /* the environment, from 1; 0: that of this machine */
    uint16_t per_10000; /* events that are disturbed; 0: drawn for each execution */
    uint32_t cost;      /* hundredths of the undisturbed time; 0: no cap */
    bool strict;        /* that is also for programs so short that it leaves nothing */
    uint64_t length_ns; /* of a typical sleep; 0: drawn for each execution */
    uint64_t cap_ns;    /* of the longest one */
};

/* One execution. */
struct pl_disturb_run {
    uint64_t seed;     /* of everything below and of its threads */
    bool silent;       /* nothing is disturbed, but for what the environment does */
    bool stretches;    /* threads are quiet for a while, again and again */
    bool uneven;       /* some threads are quiet all the time */
    bool even;         /* all events count the same */
    uint8_t create;    /* percent: a creator is disturbed after a creation, */
    uint8_t begin;     /* percent: a thread is before its first instruction, */
    uint8_t beginning; /* and such sleeps are so many times longer */
    double late;       /* it is disturbed from this part of its time on */
    double gap;        /* how much events count between two disturbances, on average */
    double length_ns;  /* of a typical sleep */
    uint32_t made;     /* decisions to disturb, by all threads, but for beginnings */
    uint32_t begun;    /* threads that have */
    bool dull;         /* directed: lately there was next to nothing new to be shown */
    uint32_t asked;    /* how often asks.interest was, */
    uint32_t news;     /* and said that there is something */
    uint64_t spent_ns; /* in disturbances, by all threads; the caller adds it up */
};

/* What is known of a campaign's executions when another one is drawn; zero: nothing, but for news.
 */
struct pl_disturb_means {
    double weight;   /* how much the events of an execution count, all together */
    double threads;  /* that begin in one */
    double extra_ns; /* how much longer one may take than an undisturbed one */
    double news;     /* share of candidates that would have shown something; negative: unknown */
    double scale;    /* all disturbances together may take this many times longer than that */
};

/* How much an event counts, at most; the least is 1. */
enum { PL_DISTURB_WEIGHT = 1024 };

enum { PL_DISTURB_SITES = 256 }; /* a power of two */

/* A place in the program, as a thread knows it.  Places may share an entry. */
struct pl_disturb_site {
    uint32_t tag;
    uint8_t seen; /* how often the thread was there, up to 255 */
    bool shut;    /* events there are not disturbed */
};

/* One thread. */
struct pl_disturber {
    int64_t left; /* until something is due */
    uint64_t rng;
    uint64_t since_ns; /* in an environment with slices: when this one began; 0: not yet */
    uint64_t stack;    /* an address in its stack, or 0; what is near it is the thread's own */
    double gap;        /* as in the run, for this thread */
    uint8_t boost;     /* directed: candidates for each disturbance that chance alone would make */
    double stretch;    /* of a busy one: how much is left of it when `left` is used up */
    bool quiet;        /* it is in a quiet stretch */
    bool silent;       /* it is always quiet */
    bool held;         /* by the environment, until others wait */
    _Alignas(64) struct pl_disturb_site sites[PL_DISTURB_SITES];
};

/* What a thread is to do. */
struct pl_disturbance {
    uint8_t kind;    /* enum pl_disturb_kind */
    uint8_t nice;    /* PRIORITY: the nice value to take */
    uint32_t events; /* HALT: until others have had so many, */
    uint64_t ns;     /* or for so long; SLEEP, BUSY: how long; others: what it counts for */
};

/* What only the caller can find out; both are asked seldom. */
struct pl_disturb_asks {
    /* Whether an operation may be disturbed at all; the answer is kept for its place for a while.
     */
    bool (*open)(const struct pl_operation *op);
    /* What would come of a disturbance here and now. */
    enum pl_cover_interest (*interest)(const struct pl_operation *op);
};

/* NULL when the plan has none. */
const struct pl_environment *pl_disturb_environment(const struct pl_disturb_plan *plan);

/* Whether the new thread of that name runs before its creator goes on. */
bool pl_disturb_at_once(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                        uint64_t name);

/* What is used when nothing is given. */
void pl_disturb_usual(struct pl_disturb_plan *plan);

/*
 * Read parameters as after `noise:` into the plan.  Returns NULL or a sentence that says
 * which of them makes no sense and what would.
 */
const char *pl_disturb_read(struct pl_disturb_plan *plan, const char *parameters);

/* Draw execution number n, so that it costs no more than the means say, as far as they tell. */
void pl_disturb_begin(const struct pl_disturb_plan *plan, uint64_t seed, uint64_t n,
                      const struct pl_disturb_means *means, struct pl_disturb_run *run);

/* How much the events of an execution that is over counted, as far as its disturbances tell. */
double pl_disturb_weight(const struct pl_disturb_run *run);

/* A thread of that name begins; `stack` is an address in its stack, or 0. */
void pl_disturb_thread(const struct pl_disturb_plan *plan, const struct pl_disturb_run *run,
                       uint64_t name, uint64_t stack, struct pl_disturber *d);

/*
 * An event of the thread, before or after the operation.  True: the thread is to be
 * disturbed, and *what says how.  May be called by several threads at a time, each with its own
 * disturber.
 */
bool pl_disturb_event(const struct pl_disturb_plan *plan, struct pl_disturb_run *run,
                      struct pl_disturber *d, const struct pl_operation *op, bool before,
                      const struct pl_disturb_asks *asks, struct pl_disturbance *what);

/* The thread is denied what was decided: leave it alone for a while. */
void pl_disturb_hush(const struct pl_disturb_run *run, struct pl_disturber *d);

#endif /* PL_STRATEGY_NOISE_DISTURB_H */
