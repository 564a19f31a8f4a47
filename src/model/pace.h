/* SPDX-License-Identifier: MIT */
/*
 * Whether an execution has had its time: --hang-time, as base/patience.h counts it.
 *
 * One in which no thread has come to a point for so long hangs.  One that has taken
 * so long although its threads go on from point to point is too slow: nobody knows
 * how it would end.  Free threads come to no points: theirs is a hang.
 */
#ifndef PL_MODEL_PACE_H
#define PL_MODEL_PACE_H

#include "base/patience.h"
#include "model/board.h"
#include "model/strategy.h"

/* Operations and accesses of an execution, where the user gave no --max-steps: more are too slow.
 */
#define PL_PACE_STEPS UINT64_C(1000000000)

enum pl_pace_verdict { PL_PACE_FINE, PL_PACE_HANGS, PL_PACE_SLOW };

/* Of whoever looks at a worker's executions again and again; begin with all 0. */
struct pl_pace {
    struct pl_patience patience;
    uint64_t begun;    /* the execution, as the board counts them */
    uint64_t progress; /* how far it had come at the last look */
    uint64_t all_ns;   /* what it has had, */
    uint64_t still_ns; /* and since it came to a point last */
};

/* Look at the process that executes. */
static inline enum pl_pace_verdict pl_pace_look(struct pl_pace *p, const struct pl_board *board,
                                                int32_t pid, uint64_t limit_ms)
{
    const uint64_t limit_ns = limit_ms * 1000000;
    uint64_t counted = pl_patience_look(&p->patience, pid), progress = pl_board_progress(board);
    bool busy = board->unsettled && board->phase == PL_PHASE_RUNNING && board->begun == p->begun;
    bool moves =
        progress != p->progress && !pl_strategy_named_is(board->settings.strategy, PL_TRAIT_FREE);

    p->begun = board->begun;
    p->progress = progress;
    if (!busy) {
        p->all_ns = p->still_ns = 0;
        return PL_PACE_FINE;
    }
    p->all_ns += counted;
    p->still_ns = moves ? 0 : p->still_ns + counted;
    if (p->still_ns >= limit_ns)
        return PL_PACE_HANGS;
    return moves && p->all_ns >= limit_ns ? PL_PACE_SLOW : PL_PACE_FINE;
}

#endif /* PL_MODEL_PACE_H */
