/* SPDX-License-Identifier: MIT */
/*
 * What noise may cost: executions take at most so many times longer than undisturbed ones.
 *
 * How long an undisturbed execution takes is known from quiet ones.  Sleeps of several threads
 * overlap or add up, and waiting for a thread that sleeps is lost time for others, so what
 * noise costs cannot be had by adding up sleeps: only from what the clock says.
 *
 * Short executions are controlled from one to the next: what they may spend is scaled so that
 * executions that are disturbed come to the cap on average.  A single one may cost more; what
 * it cost too much, others make up for.  Long ones are controlled while they run: they may
 * spend as much as they have earned.
 *
 * In both, how far an execution has come is measured by the processor time that it has used: a
 * program does the same work, disturbed or not, and waiting uses none.  The rest of the time so
 * far is what noise has cost.
 */
#ifndef PL_STRATEGY_NOISE_COST_H
#define PL_STRATEGY_NOISE_COST_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of a campaign's executions; zero at first. */
struct pl_cost {
    bool fixed;      /* sleeps are never made longer than they are */
    double least_ns; /* that an execution may take longer, whatever the cap says */
    uint64_t n_quiet, n_disturbed;
    double quiet_ns, quiet_cpu_ns; /* of quiet executions, on average */
    double disturbed_ns;           /* of the others */
    double scale;                  /* of what they may spend; 0 stands for 1 */
    double owed_ns;                /* by which they were below the cap, altogether */
};

/* What applies to one execution. */
struct pl_cost_limit {
    bool paced;         /* what it may take longer grows with how far it has come */
    bool fixed;         /* as above */
    double from_ns;     /* it is not disturbed earlier than this, */
    double most_ns;     /* nor later */
    double extra_ns;    /* unless paced: how much longer it may take */
    double times;       /* paced: how many times longer */
    double rate;        /* processor time that an undisturbed one uses in a nanosecond */
    double quiet_ns;    /* that it takes; 0: not known */
    uint32_t scale_256; /* paced: of lengths, in 256ths; threads change it as they go */
};

/* Whether the execution should be quiet so that there is something to compare with. */
bool pl_cost_unknown(const struct pl_cost *c);

/* The mean of n values, of which x is the last; the last ones count most. */
void pl_cost_average(double *mean, uint64_t n, double x);

/* How much longer an execution may take than an undisturbed one, on average. */
double pl_cost_extra(const struct pl_cost *c, uint32_t cost);

/* How many times that all disturbances of an execution may take, taken together. */
double pl_cost_scale(const struct pl_cost *c);

/*
 * Set the limit of an execution.  `cost` is in hundredths, 0 for no cap; `most_ns` is what it
 * may take whatever that says.  The rate stays 0 where nothing is known: then the caller sets
 * it to the number of processors, which is the most it can be.
 */
void pl_cost_begin(const struct pl_cost *c, uint32_t cost, uint64_t most_ns, uint64_t *rng,
                   struct pl_cost_limit *limit);

/*
 * An execution ended by itself: how long it took, and of processor time, 0 when that is not
 * known.  `spent_ns` is what its threads have spent in disturbances, 0 for a quiet one: no
 * more of its time than that is due to noise, however busy the machine was.
 */
void pl_cost_end(struct pl_cost *c, uint32_t cost, bool quiet, uint64_t ns, uint64_t cpu_ns,
                 uint64_t spent_ns);

/*
 * How long a disturbance may be that is to take `ns`, when the execution has taken `now_ns` and
 * used `cpu_ns`; 0: there must be none.  May be called by several threads at a time.
 */
uint64_t pl_cost_grant(struct pl_cost_limit *limit, uint64_t ns, uint64_t cap_ns, uint64_t now_ns,
                       uint64_t cpu_ns);

#endif /* PL_STRATEGY_NOISE_COST_H */
