/* SPDX-License-Identifier: MIT */
/*
 * The scheduler: announce, choose, perform.
 *
 * Interposers and hooks call it under control, on the stack of the running thread.  A thread that
 * is not running sits in one of the points below with its operation announced, so at every choice
 * it is known what each thread is about to do.  Other threads run inside these calls: state that
 * was read before must be read again.  Every decision passes through pl_sched_choose() and is
 * recorded.
 */
#ifndef PL_RUNTIME_CORE_SCHED_H
#define PL_RUNTIME_CORE_SCHED_H

#include "runtime/ground/stage.h"

/*
 * Of the free carrier: signals and cancellations come before an access that is about to be made,
 * which is not performed here.
 */
void pl_sched_interrupt(enum pl_op_kind kind, const void *addr, uint32_t size, uint64_t pc);

/* Announce the operation; returns when this thread has been chosen and the operation is enabled. */
void pl_sched_point(enum pl_op_kind kind, const void *addr, uint32_t size, uint32_t aux,
                    uint64_t pc);

/* The same for a piece of a wide access, whose events have been counted: as event `ordinal`.  Or
 * for what is no event, before the next one. */
void pl_sched_piece(enum pl_op_kind kind, const void *addr, uint32_t size, uint64_t pc,
                    uint32_t ordinal);

/*
 * The same for the next part of a text, of which t->op has the size that was read.  False: the
 * handler of a signal came first, and it is to be tried again; `n` such attempts were made before.
 */
bool pl_sched_text(const struct pl_reach *r, uint64_t pc, unsigned n);

#define PL_NEVER UINT64_MAX
/* The same with a deadline in virtual nanoseconds; how the operation goes on. */
enum pl_way pl_sched_timed_point(enum pl_op_kind kind, const void *addr, uint64_t deadline,
                                 uint32_t aux, uint64_t pc);

/* The same, and the operation has a size. */
enum pl_way pl_sched_sized_point(enum pl_op_kind kind, const void *addr, uint32_t size,
                                 uint64_t deadline, uint32_t aux, uint64_t pc);

/*
 * Ask the strategy, or the schedule that is followed: an index below `options`.  `running` is the
 * index that means to go on as before, or -1; `next` has the options if they are threads; `at` is
 * the operation at which the choice is due.
 */
unsigned pl_sched_choose(enum pl_choice_kind kind, unsigned options, int running,
                         const struct pl_operation *const *next, const struct pl_operation *at);

/*
 * One of the threads that wait at `kind` on addr, with a bit of `match` in their aux unless match
 * is 0; PL_TID_NONE when there are none.  Pick: which one is a choice; of several that one
 * operation wakes the first, `wanted` counting those that are still to be woken, with numbers above
 * that of the one before, or `after` is PL_TID_NONE.  Any: all will be woken.
 */
pl_tid pl_sched_pick_waiter(enum pl_op_kind kind, uint64_t addr, uint64_t match, uint32_t wanted,
                            pl_tid after);
pl_tid pl_sched_any_waiter(enum pl_op_kind kind, uint64_t addr, uint64_t match);
/* The operation of the running thread lets the waiting thread t go on; what t waits with. */
struct pl_operation *pl_sched_wake(struct pl_thread *t);

/* The running thread has ended: another one goes on, or the process exits. */
void pl_sched_end_thread(void) __attribute__((noreturn));
/* The execution ends: tell the strategy what each thread was about to do. */
void pl_sched_last(void);

/* An operation that nobody can be switched at: recorded, not chosen. */
void pl_sched_note(enum pl_op_kind kind, const void *addr, uint32_t aux, uint64_t pc);
/* On a new thread, before its function: its start has been chosen. */
void pl_sched_started(void);
/* For fresh.c: */
/* Write a choice, also one that is none, to the schedule. */
void pl_sched_record(const struct pl_choice *c);
/* The threads that could go on, in scratch.ready; their operations, with the way, in next; the
 * others' in blocked.  How many are ready. */
unsigned pl_sched_collect(void);
/* The same for a choice at `self`.  Who is to go on by a schedule may wait for what a process
 * beside this one, or a timer of the kernel's, is about to do: that is waited for. */
unsigned pl_sched_collect_wanted(const struct pl_thread *self);

#endif /* PL_RUNTIME_CORE_SCHED_H */
