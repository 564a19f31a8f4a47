/* SPDX-License-Identifier: MIT */
/*
 * What noise may cost: executions take at most so many times longer than undisturbed ones.
 *
 * How long an undisturbed execution takes is known from quiet ones.  Sleeps of several
 * threads overlap or add up, and waiting for a thread that sleeps is lost time for others, so what
 * noise costs cannot be had from adding up sleeps: only from what the clock says in the end.
 *
 * Short executions are controlled from one to the next: lengths are scaled so that
 * executions that are disturbed come to the cap on average.  A single one may take
 * several times as much; what it took too much, others make up for.
 *
 * Long ones are controlled while they run.  How far such an execution has come is
 * measured by the processor time that it has used: a program does the same work, disturbed or not,
 * and waiting uses none.
 */
#ifndef PL_STRATEGY_COST_H
#define PL_STRATEGY_COST_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of a campaign's executions; zero at first. */
struct pl_cost {
    bool fixed; /* lengths are never made longer than they are */
    uint64_t n_quiet, n_disturbed;
    double quiet_ns, quiet_cpu_ns; /* of quiet executions, on average */
    double disturbed_ns;           /* of the others */
    double scale;                  /* of lengths; 0 stands for 1 */
    double owed_ns;                /* by which they were below the cap, altogether */
};

/* What applies to one execution. */
struct pl_cost_limit {
    bool paced;      /* while it runs: see above; else a limit for the whole of it */
    double limit_ns; /* for all of it; it is not disturbed later than this */
    double rate;     /* paced: processor time that an undisturbed one uses in a nanosecond, */
    double times;    /* of which it may take this many */
    bool fixed;
    uint32_t scale_256; /* paced: of lengths, in 256ths; threads change it as they go */
};

/* Whether the execution should be quiet so that there is something to compare with. */
bool pl_cost_unknown(const struct pl_cost *c);

/* What lengths are scaled by, or what cannot be made shorter is made rarer. */
double pl_cost_scale(const struct pl_cost *c);

/*
 * Set the limit of an execution.  `cost` is in hundredths, 0 for no cap; `most_ns` is what it may
 * take whatever that says.  The rate of a paced one stays 0 where nothing is known: then the caller
 * sets it to the number of processors, which is the most it can be.
 */
void pl_cost_begin(const struct pl_cost *c, uint32_t cost, uint64_t most_ns,
                   struct pl_cost_limit *limit);

/* An execution ended by itself: how long it took, and of processor time; 0: not known. */
void pl_cost_end(struct pl_cost *c, uint32_t cost, bool quiet, uint64_t ns, uint64_t cpu_ns);

/*
 * How long a disturbance may be that is to take `ns`, when the execution has taken `now_ns` and
 * used `cpu_ns`; 0: there must be none.  May be called by several threads at a time.
 */
uint64_t pl_cost_grant(struct pl_cost_limit *limit, uint64_t ns, uint64_t cap_ns, uint64_t now_ns,
                       uint64_t cpu_ns);

#endif /* PL_STRATEGY_COST_H */
