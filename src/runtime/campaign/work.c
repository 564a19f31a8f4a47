/* SPDX-License-Identifier: MIT */
/*
 * Who works on what, when several workers explore (docs/design/workers.md).
 *
 * A worker with work has its seat at BUSY and the work in its strategy's state.
 * One without waits at its seat until another gives it a part, the root of a
 * new epoch is free, or the campaign is over; or it helps, if the strategy has
 * samples to make besides the search, and looks for work before each of them.  All changes are made
 * under the lock, in an order that pl_common_recover() can complete.
 */
#include "runtime/campaign/work.h"

#include "base/assert.h"
#include "base/sys.h"
#include "model/common.h"
#include "runtime/campaign/account.h"
#include "runtime/ground/stage.h"

#include <errno.h>
#include <linux/futex.h>

/*
 * The first executions of a random search show which memory is shared.  They
 * come one after the other, or each would lack points that it has with a single
 * worker: until one shows nothing new, but no longer than this.
 */
enum { LESSONS = 16 };

/* How much is left is estimated after as many first executions, then after each as many. */
enum { ESTIMATED = 64 };

static struct pl_seat *own_seat(void)
{
    PL_ASSERT(pl_board->slot < PL_WORKERS_MAX);
    return &pl_common->seats[pl_board->slot];
}

static const struct pl_strategy *strategy(void)
{
    return pl_stage->strategy;
}

void pl_work_lock(void)
{
    pl_common_recover(pl_common, pl_board); /* of a process that was here before us */
    pl_common_lock(pl_common, pl_board->slot);
}

/* The part that was being given when a process died is gone: take it out of ours. */
void pl_work_resume(void)
{
    pl_common_recover(pl_common, pl_board);
    PL_ASSERT(pl_board->giving == 0 || pl_board->giving == PL_GIVING_DONE);
    if (pl_board->giving == PL_GIVING_DONE) {
        strategy()->divides->cut(&pl_stage->context);
        pl_board->giving = 0;
    }
}

/* Under the lock.  What else becomes of a seat others do. */
static void set_seat(enum pl_seat_state state)
{
    PL_ASSERT(state == PL_SEAT_BUSY || state == PL_SEAT_IDLE);
    own_seat()->state = state;
    pl_common_count_idle(pl_common);
}

/* Whether anybody has work or is about to take some up. */
static bool anybody_works(void)
{
    for (unsigned i = 0; i < pl_common->n_workers; i++) {
        uint32_t state = pl_common->seats[i].state;

        if (state == PL_SEAT_BUSY || state == PL_SEAT_GIVEN)
            return true;
    }
    return false;
}

static bool estimates(void)
{
    return strategy()->search != NULL && strategy()->search->estimate != NULL;
}

/* Under the lock: say how much of the search is ours. */
static void note_share(void)
{
    struct pl_estimate e = {0};

    if (estimates())
        strategy()->search->estimate(&pl_stage->context, &e);
    own_seat()->left = e;
}

/* Under the lock: take up what there is; false when there is nothing. */
static bool take_up(void)
{
    struct pl_seat *seat = own_seat();

    PL_ASSERT(seat->size <= sizeof(seat->part));
    bool given = seat->state == PL_SEAT_GIVEN && seat->epoch == pl_common->epoch;

    if (!pl_strategy_is(strategy(), PL_TRAIT_EXHAUSTIVE)) {
        seat->state = PL_SEAT_IDLE;
        if (!pl_common->calm && anybody_works())
            return false;
    } else if (given || pl_common->root_epoch != pl_common->epoch) {
        pl_stage->context.round = pl_common->round;
        strategy()->search->adopt(&pl_stage->context, seat->part, given ? seat->size : 0);
        pl_board->epoch = pl_common->epoch;
        note_share();
    } else {
        return false;
    }
    set_seat(PL_SEAT_BUSY);
    pl_common->root_epoch = pl_common->epoch; /* last, see pl_common_recover() */
    return true;
}

/* Wait until somebody changes the state of our seat; the campaign may be over. */
static void wait_at_seat(void)
{
    pl_board->phase = PL_PHASE_IDLE;
    /* A reason to end is there before seats are called, so one of both is seen. */
    while (own_seat()->state == PL_SEAT_IDLE && pl_account_reason() == PL_WHY_NONE)
        pl_sys(SYS_futex, &own_seat()->state, FUTEX_WAIT, PL_SEAT_IDLE, 0);
    if (pl_account_reason() != PL_WHY_NONE)
        pl_account_finish(pl_account_reason());
}

/*
 * Under the lock, without work of our own: whether the search is over.  When
 * only a round of it is, the next one can be taken up.
 */
static bool is_over(void)
{
    if (!pl_strategy_is(strategy(), PL_TRAIT_EXHAUSTIVE) || anybody_works() ||
        pl_common->root_epoch != pl_common->epoch)
        return false;
    if (!pl_incomplete_has(&pl_common->incomplete, PL_INCOMPLETE_LEFT_OUT) ||
        pl_common->round >= strategy()->rounds->last(&pl_stage->context))
        return true;
    pl_common_next_round(pl_common);
    return false;
}

static struct pl_seat *waiting_seat(void)
{
    for (unsigned i = 0; i < pl_common->n_workers; i++) {
        uint32_t state = pl_common->seats[i].state;

        if (state == PL_SEAT_IDLE || state == PL_SEAT_CALLED)
            return &pl_common->seats[i];
    }
    return NULL;
}

/* Hand a part of our work to a worker that has none. */
static void give(void)
{
    struct pl_seat *to;

    if (strategy()->divides == NULL)
        return;
    pl_work_lock();
    to = pl_board->epoch == pl_common->epoch ? waiting_seat() : NULL;
    if (to != NULL) {
        to->size = strategy()->divides->split(&pl_stage->context, to->part, sizeof(to->part));
        to->epoch = pl_board->epoch;
    }
    if (to != NULL && to->size > 0) {
        PL_ASSERT(to != own_seat() && to->size <= sizeof(to->part) && pl_board->giving == 0);
        note_share();
        to->left = own_seat()->left;                              /* less what stays ours */
        pl_board->giving = (uint32_t)(to - pl_common->seats) + 1; /* from here on it is given */
        to->state = PL_SEAT_GIVEN;
        strategy()->divides->cut(&pl_stage->context);
        pl_board->giving = 0;
        note_share();
        to->left.left -= own_seat()->left.left;
        to->left.weighed -= own_seat()->left.weighed;
        pl_common_count_idle(pl_common);
        pl_sys(SYS_futex, &to->state, FUTEX_WAKE, 1);
    }
    pl_common_unlock(pl_common);
}

static bool has_work(void)
{
    return own_seat()->state == PL_SEAT_BUSY && (!pl_strategy_is(strategy(), PL_TRAIT_EXHAUSTIVE) ||
                                                 pl_board->epoch == pl_common->epoch);
}

bool pl_work_helps(void)
{
    return pl_strategy_is(strategy(), PL_TRAIT_HELPS) && own_seat()->state != PL_SEAT_BUSY;
}

/* Under the lock: whether there is something to do without any part of the search. */
static bool can_help(void)
{
    if (!pl_strategy_is(strategy(), PL_TRAIT_HELPS) || !pl_common->calm)
        return false;
    pl_board->epoch = pl_common->epoch;
    return true;
}

void pl_work_get(void)
{
    if (has_work()) {
        if (pl_common->n_idle > 0 && pl_strategy_is(strategy(), PL_TRAIT_EXHAUSTIVE))
            give();
        return;
    }
    for (;;) {
        pl_work_lock();
        bool got = take_up();

        if (!got)
            set_seat(PL_SEAT_IDLE);
        bool over = !got && is_over();

        got = got || take_up(); /* there may be a new round */
        got = got || (!over && can_help());
        pl_common_unlock(pl_common);
        if (got)
            return;
        if (over)
            pl_account_complete();
        wait_at_seat();
    }
}

void pl_work_learned(bool something)
{
    if (pl_common->calm || (something && pl_board->execution < LESSONS))
        return;
    pl_work_lock();
    pl_common->calm = 1;
    pl_common_unlock(pl_common);
    pl_common_call(pl_common);
}

void pl_work_estimate(void)
{
    uint64_t n = pl_board->search_executions;
    struct pl_estimate left = {0};

    if (!estimates() || (n > ESTIMATED && n % ESTIMATED != 0))
        return;
    pl_work_lock();
    if (pl_board->epoch == pl_common->epoch) {
        note_share();
        for (unsigned i = 0; i < pl_common->n_workers; i++) {
            left.left += pl_common->seats[i].left.left;
            left.weighed += pl_common->seats[i].left.weighed;
        }
        pl_estimate_add(&pl_common->tree, pl_common->tickets - pl_common->epoch_tickets, &left);
    }
    pl_common_unlock(pl_common);
}

void pl_work_done(void)
{
    pl_work_lock();
    /* A process that died after this may have been given other work since. */
    if (own_seat()->state == PL_SEAT_BUSY) {
        if (strategy()->rounds != NULL && pl_board->epoch == pl_common->epoch &&
            strategy()->rounds->left_out(&pl_stage->context))
            pl_incomplete_add(&pl_common->incomplete, PL_INCOMPLETE_LEFT_OUT);
        if (strategy()->pruned != NULL && pl_board->epoch == pl_common->epoch &&
            strategy()->pruned(&pl_stage->context))
            pl_incomplete_add(&pl_common->incomplete, PL_INCOMPLETE_PRUNED);
        set_seat(PL_SEAT_IDLE);
        own_seat()->left = (struct pl_estimate){0};
    }
    bool over = is_over();

    pl_common_unlock(pl_common);
    if (over)
        pl_account_complete();
}
