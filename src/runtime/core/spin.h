/* SPDX-License-Identifier: MIT */
/*
 * Spin loops: a thread that goes round a loop without changing anything is parked until something
 * that it has read is written.
 *
 * The scheduler calls pl_spin_visit() at each point, hooks and models tell what threads read and
 * write.  Parking is sound because an iteration is recognised exactly: the same place, registers
 * and stack, and nothing written since (docs/design/spin-loops.md).
 */
#ifndef PL_RUNTIME_CORE_SPIN_H
#define PL_RUNTIME_CORE_SPIN_H

#include "runtime/ground/stage.h"

/* What a thread has done when it comes to an operation. */
enum pl_spin_came {
    PL_SPIN_NOT,   /* anything */
    PL_SPIN_ROUND, /* it has gone round a loop for nothing, but might find something else by now */
    PL_SPIN_IDLE,  /* and would find the same again */
};

/* The thread is about to do `op`: whether it has gone round a loop for nothing. */
enum pl_spin_came pl_spin_visit(struct pl_thread *t, const struct pl_operation *op);
/* An access that is no point: part of the iteration all the same. */
void pl_spin_saw(struct pl_thread *t, uint64_t addr, uint64_t size, bool write, uint64_t pc);
/*
 * A point is over.  What frames of the runtime have left on the stack may become part of the
 * program's, as what is in a buffer that it does not fill; where rounds of a loop seem to differ
 * it is cleared, so that it is the same in each.  False if there is too little of the stack.
 */
__attribute__((noinline)) bool pl_spin_clear_left(struct pl_thread *t);
/* All of its state at a call, but for memory that others may write. */
uint64_t pl_spin_hash(const struct pl_thread *t);
/* Park the thread at its announced operation; and let it go round once more from there. */
void pl_spin_park(struct pl_thread *t);
void pl_spin_unpark(struct pl_thread *t);
/* A schedule is over, `next` goes on: whoever came round for nothing while it was followed is
 * parked as it was when it was recorded. */
void pl_spin_park_idle(const struct pl_thread *next);
/* Whoever writes what the thread has looked at in its round must come to a point there. */
void pl_spin_share_looks(const struct pl_thread *t);
/* It came round for nothing, and is not parked: another iteration begins. */
void pl_spin_again(struct pl_thread *t);
/* Whether the thread of this name is parked, or was until the operation that is being performed. */
bool pl_spin_is_parked(uint64_t name);
/* The thread has changed something: it is in no loop that does nothing. */
void pl_spin_progress(struct pl_thread *t);
/*
 * What has become of a call that was performed as one that changes something: nothing has changed,
 * something that only the thread's own round knows of, or more.
 */
enum pl_spin_change { PL_SPIN_UNCHANGED, PL_SPIN_OWN, PL_SPIN_CHANGED };
void pl_spin_judge(struct pl_thread *t, enum pl_spin_change change);

/*
 * Whether the weak compare-exchange at hand has failed for no reason in the last round, which
 * changed nothing: one that does it in each would be a loop that nobody can end.
 */
static inline bool pl_spin_fails_again(const struct pl_thread *t)
{
    return t->spin.armed && t->spin.weak_again == t->op.pc;
}

/*
 * Files that a round has opened: what is done to them is gone with the round, if it has closed them
 * again.  False if there are too many to know.
 */
bool pl_spin_open(struct pl_thread *t, uint64_t file);
bool pl_spin_has_opened(const struct pl_thread *t, uint64_t file);
void pl_spin_close(struct pl_thread *t, uint64_t file);

/* What the operation just performed means for the thread's loop and for those of others. */
void pl_spin_performed(struct pl_thread *t);
/* Memory or an object has been changed by thread `by`. */
void pl_spin_touch(uint64_t addr, uint64_t size, pl_tid by);
/* Memory has become shared: who has it on its stack may have looked at it when nobody else did. */
void pl_spin_exposed(uint64_t addr);
/* Thread `by` has done something: it may end loops of which nothing is known. */
void pl_spin_other(pl_tid by);
/* Nobody can go on: grant parked threads another iteration.  False when nobody is parked. */
bool pl_spin_grant(void);
/* Time passes for those who go round loops until it comes: a livelock if that is all that happens.
 */
void pl_spin_time_passes(void);
/* Where the thread waits, and for how long. */
uint64_t pl_spin_wait(const struct pl_thread *t);
/* The thread has been told a time, in nanoseconds of some clock, or waits until then; the words at
 * `time` hold it.  Where the clock has been read it is not part of the thread's state. */
void pl_spin_ignore(struct pl_thread *t, const void *time, uint64_t size, uint64_t ns);
/* The same, in registers only. */
void pl_spin_know(struct pl_thread *t, uint64_t ns);

#endif /* PL_RUNTIME_CORE_SPIN_H */
