/* SPDX-License-Identifier: MIT */
/*
 * Measuring how large the program is, for strategies that want to know.
 *
 * The first execution of an epoch that learns nothing new is measured; its
 * strategy chooses at random meanwhile.  Its operations are counted on the
 * board.  When it is settled they become the profile of the epoch, in the common.
 * The first executions come one after the other until that is done (work.c), so
 * all workers have it before they begin.  If more memory turns out to be shared
 * later, whoever comes next measures again.  Should two do so at a time, both
 * execute the same, since such an execution depends on what is known and not on
 * its number.
 *
 * An execution with a finding may have been cut short, so it gets another try or
 * two.  A program that fails every time is measured by that in the end.
 */
#include "runtime/campaign/measure.h"

#include "base/assert.h"
#include "base/hash.h"
#include "model/common.h"
#include "runtime/campaign/work.h"
#include "runtime/core/observer.h"
#include "runtime/ground/stage.h"

enum { ATTEMPTS = 4 };

static bool is_measured(void)
{
    return pl_common->profile_epoch == pl_board->epoch;
}

/* What a measured execution depends on besides the seed; not 0. */
static uint64_t key(void)
{
    uint64_t known =
        pl_board->shared_known * 2 + (pl_board->exit_matters || pl_board->signals_matter ||
                                      pl_board->arrivals_matter || pl_board->queues_meet);

    return pl_hash_add(pl_board->attempt, known) | 1;
}

static void begin(void)
{
    struct pl_strategy_context *c = &pl_stage->context;
    bool wanted = pl_strategy_is(pl_stage->strategy, PL_TRAIT_PROFILED),
         there = wanted && is_measured();

    PL_ASSERT(!there || pl_common->n_profiles > 0);
    c->profile = there ? &pl_common->profiles[(pl_common->n_profiles - 1) % 2] : NULL;
    pl_board->measuring = wanted && !there;
    pl_board->attempt = pl_common->profile_attempts;
    c->measure = pl_board->measuring ? key() : 0;
    if (pl_board->measuring)
        pl_profile_clear(&pl_board->draft);
}

/* Under the lock. */
static void publish(void)
{
    struct pl_profile *p = &pl_common->profiles[pl_common->n_profiles % 2];

    PL_ASSERT(pl_board->n_threads > 0 && pl_board->n_threads <= PL_THREADS_MAX);
    p->n_threads = pl_board->n_threads;
    for (uint32_t i = 0; i < p->n_threads; i++)
        p->threads[i] = (struct pl_profile_thread){.name = pl_board->threads[i].name,
                                                   .parent = pl_board->threads[i].parent};
    pl_profile_settle(p, &pl_board->draft);
    pl_common->n_profiles++;
    pl_common->profile_epoch = pl_board->epoch; /* last: before that it is made again */
}

bool pl_measure_settle(enum pl_outcome outcome)
{
    if (!pl_board->measuring)
        return true;
    pl_work_lock();
    bool ours = pl_board->epoch == pl_common->epoch && !is_measured();

    if (ours && outcome == PL_OUTCOME_FINDING && pl_board->attempt + 1 < ATTEMPTS)
        pl_common->profile_attempts = pl_board->attempt + 1;
    else if (ours)
        publish();
    bool settled = is_measured();

    pl_common_unlock(pl_common);
    pl_board->measuring = false;
    return settled;
}

static bool wanted(bool rooted)
{
    return rooted && pl_board->measuring;
}

static void performed(struct pl_thread *t, const struct pl_operation *op)
{
    pl_profile_add(&pl_board->draft, op);
}

const struct pl_observer pl_measure_observer = {
    .wanted = wanted, .begin = begin, .performed = performed};
