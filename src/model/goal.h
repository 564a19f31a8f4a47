/* SPDX-License-Identifier: MIT */
/*
 * Orders of static pairs (model/pair.h) that nobody has shown, as goals of executions that are
 * drawn: by strategies with the trait AIMS, of programs that carry what the analyser needs.
 *
 * What executions have shown is known from coverage (model/cover.h), whoever made them: new tasks
 * are in its log, and each is an order of the pairs of its statements' sites.  Coverage has only
 * what comes immediately after another; of executions that are drawn, an order is also noted if
 * something lies between, as the release of a lock does.  Goals are taken in the order of the
 * table, the most suspicious first, each a few times.
 */
#ifndef PL_MODEL_GOAL_H
#define PL_MODEL_GOAL_H

#include "model/cover.h"
#include "model/judged.h"
#include "model/pair.h"

/* In the common. */
struct pl_goals {
    _Atomic uint32_t read;  /* of the log */
    _Atomic uint64_t next;  /* that is taken */
    _Atomic uint64_t aimed; /* executions that had one, */
    _Atomic uint64_t met;   /* and showed it */
};

enum {
    PL_GOAL_TURNS = 6,   /* how often one is taken */
    PL_GOAL_SITES = 256, /* that are remembered of an execution; a power of two */
};

/* The last operation at a site, in an execution. */
struct pl_goal_last {
    uint64_t execution;
    uint32_t site;
    struct pl_operation op;
};

struct pl_goals_run {
    struct pl_goal_last last[PL_GOAL_SITES];
};

struct pl_goal_order {
    uint32_t pair, first, second; /* sites: the first is to come before the second */
    unsigned direction;           /* as in model/judged.h */
    unsigned turn;                /* how often it was taken before */
};

/* Note in `v` what coverage has learned since it was asked last. */
void pl_goals_read(struct pl_goals *g, struct pl_judgements *v, const struct pl_pair_table *t,
                   const struct pl_cover *cover);

/* An operation of the execution has been performed at a site: note which orders it shows. */
void pl_goals_see(struct pl_goals_run *run, struct pl_judgements *v, const struct pl_pair_table *t,
                  uint64_t execution, const struct pl_operation *op, uint32_t site);

/* The next order that is open; false: there is none, or each has had its turns. */
bool pl_goals_take(struct pl_goals *g, const struct pl_judgements *v, const struct pl_pair_table *t,
                   struct pl_goal_order *goal);

/* Whether something may be left to take. */
bool pl_goals_left(const struct pl_goals *g, const struct pl_pair_table *t);

/* Whether an order is open in which the site comes second. */
bool pl_goals_wait_at(const struct pl_judgements *v, const struct pl_pair_table *t, uint32_t site);

#endif /* PL_MODEL_GOAL_H */
