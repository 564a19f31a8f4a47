/* SPDX-License-Identifier: MIT */
/*
 * What the strategy `minimize` is asked for and what it answers.  The goal is on
 * the board; the answer stands at the beginning of the strategy's arena, where
 * the tool reads it once the worker has ended.
 */
#ifndef PL_MODEL_MINIMAL_H
#define PL_MODEL_MINIMAL_H

#include "model/board.h"

enum { PL_MINIMAL_CHOICES = 1 << 20 }; /* of an execution that can be kept */

/* An execution that was kept.  n_threads is 0 when there is none. */
struct pl_kept {
    uint64_t n_choices, operations;
    uint32_t n_threads, preemptions, switches;
    uint32_t early;      /* time-outs that came early, */
    uint32_t deviations; /* and choices that were that or a preemption */
    struct pl_thread_name threads[PL_THREADS_MAX];
    struct pl_choice choices[PL_MINIMAL_CHOICES];
};

/* Keep the execution that is over; false when it is too long. */
static inline bool pl_kept_fill(struct pl_kept *kept, const struct pl_board *board)
{
    if (board->n_choices > PL_MINIMAL_CHOICES)
        return false;
    kept->n_choices = board->n_choices;
    kept->n_threads = board->n_threads;
    for (uint32_t i = 0; i < board->n_threads; i++)
        kept->threads[i] = board->threads[i];
    for (uint64_t i = 0; i < board->n_choices; i++)
        kept->choices[i] = board->choices[i];
    return true;
}

enum pl_decided {
    PL_DECIDED_UNKNOWN, /* the budget was used up before that was known */
    PL_DECIDED_NOTHING, /* it fails in every interleaving that was tried */
    PL_DECIDED_CHOICE,  /* the executions kept differ from `choice` on */
};

/*
 * Each of the two executions has two places, so that one is whole whenever the
 * process dies; which it is, plus 1, is the last that is written.
 */
struct pl_minimal {
    uint32_t failing, passing; /* index in kept[] plus 1; 0: none */
    uint64_t spent;            /* of the budget */
    bool finished;
    bool proven;      /* every schedule with fewer deviations was executed: none fails so */
    uint32_t decided; /* enum pl_decided */
    uint64_t choice;
    struct pl_kept kept[4];
};

#endif /* PL_MODEL_MINIMAL_H */
