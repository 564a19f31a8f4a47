/* SPDX-License-Identifier: MIT */
/*
 * When time-outs expire: the clock moves as in a simulation of discrete events.
 *
 * A thread that sleeps, or whose wait is to time out, goes on once the clock has come to its
 * moment.  As long as anybody can run the clock stands still; when nobody can, it moves on to the
 * next moment, and those who wait for that one may go on.  An *early* expiry moves the clock on
 * although somebody could run, as on a machine that does not get round to running him: a
 * deviation, of which an execution has a budget (docs/design/time.md).
 *
 * The scheduler has collected who could go on if every time-out could expire; this takes out
 * those whose time has not come.
 */
#ifndef PL_RUNTIME_CORE_EXPIRY_H
#define PL_RUNTIME_CORE_EXPIRY_H

#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/ground/stage.h"

/* An execution begins: by which rule, and how many may expire early.  A resumed one keeps what
 * it has spent. */
void pl_expiry_begin(void);

/* Whether other executions may have more of them: how many has been drawn. */
static inline bool pl_expiry_is_drawn(void)
{
    return pl_board->early_drawn; /* with restart by exec another process asks */
}

/* Whether more of them came early in this execution than were asked for. */
static inline bool pl_expiry_is_over_budget(void)
{
    return pl_board->early_free && pl_board->early > PL_TIME_OUTS_BUDGET;
}

/*
 * The moment that the clock must be moved on to for t to go on as its operation says; 0: it need
 * not be.  Others may have moved it past that by looking at it, again and again.  If t could have
 * gone on before, and was not let, its time-out is like one that has not come.
 */
static inline uint64_t pl_expiry_moment(const struct pl_thread *t)
{
    const struct pl_descriptor *d = pl_descriptor_of(t);
    uint64_t moment = t->op.way == PL_WAY_TIMEOUT                       ? t->deadline
                      : t->op.way == PL_WAY_NORMAL && d->moment != NULL ? d->moment(t)
                                                                        : 0;

    return moment > pl_stage->now || (t->passed_by && t->op.way == PL_WAY_TIMEOUT) ? moment : 0;
}

/* The moment of a thread that is parked, as if it were not; UINT64_MAX: it could not go on. */
uint64_t pl_expiry_moment_unparked(struct pl_thread *t);

/* Whether it is the signal of a timer whose time has not come: one that goes off again and again
 * does not come before that. */
static inline bool pl_expiry_is_to_come(const struct pl_thread *t)
{
    return t->timer && pl_stage->signals.next_timer > pl_stage->now;
}

/*
 * Whether the signal of a timer is so far away that no machine keeps a thread waiting for as long:
 * the time that a test is given as a whole.  It comes when nobody else can go on; early it would
 * cost more than there is.
 */
static inline bool pl_expiry_is_far(const struct pl_thread *t)
{
    return t->timer && pl_expiry_moment(t) >= pl_stage->now + UINT64_C(5000000000);
}

/*
 * A thread has done something that nobody sees for so many nanoseconds of real time.  If all others
 * wait, and the time of one would have come by now, the clock moves on to that moment, and no
 * farther.  Returns by how much.
 */
uint64_t pl_expiry_beside(const struct pl_thread *self, uint64_t ns);

/*
 * Of the n threads in the scratch's ready[], n_later have to wait for their moment.  Keep those
 * that may go on now, in their order, and count the others as blocked.  Returns how many are left;
 * 0 also where a thread that goes round until its time comes was let go first, so that all are to
 * be collected again.
 */
unsigned pl_expiry_keep(unsigned n, unsigned n_later);

/* Whether a wait until then times out at all: with some rule none does that has to wait, and none
 * that is more than eighty years away. */
bool pl_expiry_may_come(uint64_t deadline);

/*
 * A thread has come round a loop for nothing, but for the time that has passed.  Whether it may
 * wait for time once more although others could run; if not, the search leaves something out.
 */
bool pl_expiry_affords_round(struct pl_thread *t);

/*
 * One of those left has been chosen.  Where nobody gets on, and all who go round loops are granted
 * rounds in turn, none of them is passed by.
 */
static inline void pl_expiry_chosen(struct pl_thread *t)
{
    if (t->op.way == PL_WAY_TIMEOUT || pl_descriptor_has_moment(t->op.kind)) {
        t->spin.waited = true;
        t->spin.wait = pl_spin_wait(t);
    }
    if (t->op.early && pl_stage->probation == 0) {
        pl_stage->expiries.spent += pl_expiry_is_far(t) ? PL_TIME_OUTS_BUDGET + 1 : 1;
        pl_board->early = pl_stage->expiries.spent;
        t->spin.early = true;
    }
}

#endif /* PL_RUNTIME_CORE_EXPIRY_H */
