/* SPDX-License-Identifier: MIT */
/*
 * What the strategy `drive` is asked for and what it answers.  The goal is on the
 * board: where threads are to stand at the same time.  The answer stands at the
 * beginning of the strategy's arena, where the tool reads it once the worker has
 * ended.
 */
#ifndef PL_MODEL_DRIVEN_H
#define PL_MODEL_DRIVEN_H

#include "model/minimal.h"

/* What the order of two accesses changes; more is worse. */
enum pl_driven_effect {
    PL_DRIVEN_NO_EFFECT, /* both orders end alike, and the values agree */
    PL_DRIVEN_VALUE,     /* what is read or left behind differs */
    PL_DRIVEN_FAILURE,   /* in one order something else goes wrong */
};

/* An execution in which they met, in one order. */
struct pl_driven_side {
    uint64_t execution;
    uint32_t outcome;          /* enum pl_outcome */
    struct pl_finding finding; /* what ended it, if something did */
    struct pl_meeting meeting;
    struct pl_kept kept;
};

/*
 * Two executions are a couple: equal up to the meeting, which is in one order in
 * the first and in the other in the second.  The better one of all is sides[best - 1],
 * by the member that came first; the other place is for the one that is being made.
 */
struct pl_driven {
    uint64_t tries;   /* executions */
    uint64_t reached; /* those that came to the goal */
    uint64_t first;   /* tries until the first of them */
    bool finished;
    uint32_t couples; /* of a race: whole ones */
    uint32_t best;    /* 0: none */
    uint32_t effect;  /* enum pl_driven_effect of the best */
    struct pl_driven_side sides[2][2];
};

/* Whether a row of a deadlock is what a member was to come to. */
static inline bool pl_driven_stands(const struct pl_goal_member *m, const struct pl_row *row)
{
    unsigned op = m->op == PL_OP_COND_WAIT ? PL_OP_COND_WAKE : m->op;

    return row->waits == PL_ROW_BLOCKED && row->pc == m->pc && row->op == op;
}

/* Whether this deadlock is the goal: each member stands there, whichever thread it is. */
static inline bool pl_driven_shows(const struct pl_goal *goal, const struct pl_finding *f)
{
    uint64_t taken = 0;

    if (f->kind != PL_FINDING_DEADLOCK)
        return false;
    for (uint32_t i = 0; i < goal->n_members; i++) {
        unsigned r = 0;

        while (r < f->n_rows && r < PL_FINDING_ROWS &&
               ((taken >> r & 1) != 0 || !pl_driven_stands(&goal->members[i], &f->rows[r])))
            r++;
        if (r == f->n_rows || r == PL_FINDING_ROWS)
            return false;
        taken |= UINT64_C(1) << r;
    }
    return goal->n_members > 0;
}

#endif /* PL_MODEL_DRIVEN_H */
