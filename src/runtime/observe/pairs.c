/* SPDX-License-Identifier: MIT */
/* See pairs.h. */
#include "runtime/observe/pairs.h"

#include "base/assert.h"
#include "model/common.h"
#include "runtime/core/observer.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/place.h"

static void learn(void)
{
    if (pl_stage->strategy == NULL || !pl_strategy_is(pl_stage->strategy, PL_TRAIT_PAIRED))
        return;
    pl_place_modules();
    pl_board->pairs_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_PAIRS, &pl_board->pairs_status);
    if (pl_board->pairs_status == PL_ANSWER_YES)
        pl_stage->context.pairs = (const struct pl_pair_table *)(const void *)pl_common->pairs;
    pl_stage->context.verdicts = &pl_common->verdicts;
}

static bool wanted(bool rooted)
{
    return false; /* it only asks */
}

unsigned pl_pairs_stack(pl_tid tid, uint64_t *pcs, unsigned room, bool *whole)
{
    const struct pl_thread *t = pl_thread_by_id(tid);
    unsigned n = 0;

    PL_ASSERT(room > 0);
    pcs[n++] = t->op.pc;
    *whole = t->n_frames > 0 && t->n_frames <= PL_FRAMES_MAX && t->n_frames < room;
    for (unsigned i = t->n_frames <= PL_FRAMES_MAX ? t->n_frames : 0; i > 0 && n < room; i--)
        pcs[n++] = pl_thread_frame(t, i - 1)->pc;
    return n;
}

const struct pl_observer pl_pairs_observer = {.wanted = wanted, .root = learn};
