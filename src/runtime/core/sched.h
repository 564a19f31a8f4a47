/* SPDX-License-Identifier: MIT */
/* See sched.c. */
#ifndef PL_RUNTIME_CORE_SCHED_H
#define PL_RUNTIME_CORE_SCHED_H

#include "runtime/ground/stage.h"

void pl_sched_point(enum pl_op_kind kind, const void *addr, uint32_t size, uint32_t aux,
                    uint64_t pc);
#define PL_NEVER UINT64_MAX
enum pl_way pl_sched_timed_point(enum pl_op_kind kind, const void *addr, uint64_t deadline,
                                 uint32_t aux, uint64_t pc);
unsigned pl_sched_choose(enum pl_choice_kind kind, unsigned options, int running,
                         const struct pl_operation *const *next, const struct pl_operation *at);
pl_tid pl_sched_pick_waiter(enum pl_op_kind kind, uint64_t addr, uint64_t match);
pl_tid pl_sched_any_waiter(enum pl_op_kind kind, uint64_t addr, uint64_t match);
void pl_sched_end_thread(void) __attribute__((noreturn));
void pl_sched_wake(struct pl_thread *t); /* by the running thread's operation */
void pl_sched_last(void);                /* the execution ends: tell the strategy what was left */

/* An operation that nobody can be switched at: recorded, not chosen. */
void pl_sched_note(enum pl_op_kind kind, const void *addr, uint32_t aux, uint64_t pc);
void pl_sched_started(void);
void pl_sched_run_fresh(struct pl_thread *t);

#endif /* PL_RUNTIME_CORE_SCHED_H */
