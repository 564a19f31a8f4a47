/* SPDX-License-Identifier: MIT */
/*
 * Carriers: what a thread of the program runs on, a fiber or an OS thread of its own, its donor.
 *
 * The scheduler switches, thread creation attaches; both run inside the runtime (pl_enter()).
 * Stacks lie at fixed addresses and donors are used in the order of thread creation, so all
 * executions see the same addresses.
 */
#ifndef PL_RUNTIME_CORE_FIBER_H
#define PL_RUNTIME_CORE_FIBER_H

#include "runtime/ground/stage.h"

void pl_fiber_init(void);          /* once, at the start of the library */
void pl_fiber_reserve(unsigned n); /* have so many donors before they are needed */
/* Give a new thread a donor and a stack, the user's if there is one; false: no more donors. */
bool pl_fiber_attach(struct pl_thread *t, uint64_t stack_size, void *user_stack,
                     uint64_t user_size);
/* Let `to` run; returns when `from` is switched to again. */
/* In a child process, whose first thread this is: the others have no carriers there. */
void pl_fiber_forked(pl_tid first);
void pl_fiber_switch_to(struct pl_thread *from, struct pl_thread *to);
void pl_fiber_start(struct pl_thread *t); /* OS threads: t begins to run */
/* The first function of every thread; the start of the runtime says which. */
extern void (*pl_fiber_body)(void) __attribute__((visibility("hidden")));
void pl_fiber_began(const struct pl_thread *t);                    /* t itself, on its stack */
void pl_fiber_rest(struct pl_thread *t) __attribute__((noreturn)); /* OS threads: t has ended */
/* Of a thread that has ended: its last steps are no longer on its stack, which may go away. */
void pl_fiber_wait_until_left(const struct pl_thread *t);
/* Memory where stacks are: the thread that has used that place last, whose stack or (`local`)
 * thread-local memory it is; NULL for what is neither. */
static inline bool pl_fiber_is_stack(uint64_t addr)
{
    return addr - PL_STACKS_ADDRESS < PL_THREADS_MAX * PL_STACK_SLOT;
}
struct pl_thread *pl_fiber_owner(uint64_t addr, bool *local);
void pl_fiber_set_pointer(void *tp); /* the thread pointer of the OS thread */
uint64_t pl_fiber_gs(void);          /* the base of GS, which libc leaves to programs */
void pl_fiber_set_gs(uint64_t base);
void pl_fiber_swap(void **save_sp, void *new_sp); /* switch.S */
/* Call that on the stack of a fiber that is not running, which was left with this stack pointer. */
void pl_fiber_visit(void *sp, void (*call)(void *), void *arg); /* switch.S */
/* A stack that ends at `top` and on which a switch begins at `entry`. */
void *pl_fiber_frame(uint64_t top, void (*entry)(void));

#endif /* PL_RUNTIME_CORE_FIBER_H */
