/* SPDX-License-Identifier: MIT */
/*
 * The free carrier: threads of the program are OS threads that run in parallel,
 * and the runtime only disturbs them, watches and records.
 *
 * The models of synchronisation were written for one thread at a time.  So a
 * call that uses them runs inside the monitor, which one thread holds at a time,
 * for as long as the call takes; pl_stage->current is that thread.  Whoever cannot
 * go on waits outside.  Memory accesses do not come here; see order.c.
 *
 * See docs/design/free-carrier.md.
 */
#ifndef PL_RUNTIME_FREE_H
#define PL_RUNTIME_FREE_H

#include "runtime/stage.h"

/*
 * stage.h declares pl_free, whether this process runs threads on the free carrier,
 * and pl_free_self, the calling thread, NULL in one that is none of the program's.
 */

/* At the entry of the calling thread's stub: six callee-saved registers, then the return address.
 */
extern _Thread_local const uint64_t *pl_free_entry __attribute__((tls_model("initial-exec")));

/* What holds the monitor when it is no stub. */
#define PL_FREE_INNER ((const void *)1)  /* pl_enter() */
#define PL_FREE_STREAM ((const void *)2) /* a call of stdio */
#define PL_FREE_CALL ((const void *)3)   /* another call without a stub */
#define PL_FREE_ENDING ((const void *)4) /* for ever: the thread, or the execution, ends */

void pl_free_init(void);
void pl_free_begin(void); /* in the runner: an execution begins */

/* Enter the monitor on behalf of `frame`; nothing when the thread is in it already. */
void pl_free_enter(const void *frame);
/* Leave it, if it was entered on behalf of `frame`.  The stubs call it. */
__attribute__((visibility("hidden"))) void pl_free_leave(const void *frame);
/* Leave it on whoever's behalf it was entered: the program's own code follows. */
void pl_free_open(void);

static inline bool pl_free_holds(void)
{
    return pl_free_self != NULL && pl_free_self->monitor != NULL;
}

/* Inside: wait until the announced operation of t can go on, or its time is up. */
enum pl_way pl_free_await(struct pl_thread *t);
/* Inside: disturb the thread before the operation it has announced, outside. */
void pl_free_before(struct pl_thread *t);
void pl_free_sleep(struct pl_thread *t, uint64_t deadline);
void pl_free_end_thread(struct pl_thread *t) __attribute__((noreturn));
/* The execution ends by what this thread has found: everybody else stops where it is. */
void pl_free_stop(void);

/* order.c: the order of operations */
void pl_order_begin(void);
/* Let others have what the thread's last access was to. */
void pl_order_release(struct pl_thread *t);
/* The same for a while: it has touched nothing yet, and gets it back with the next claim. */
void pl_order_pause(const struct pl_thread *t);
/* Until then the thread has the memory to itself, and what it had before a pause. */
void pl_order_claim(struct pl_thread *t, uint64_t addr, uint64_t size);
/* Inside the monitor: the thread performs the operation that it has announced. */
void pl_order_perform(const struct pl_thread *t);
void pl_order_choice(const struct pl_choice *c);
/* What is recorded from now on no longer belongs to the execution. */
void pl_order_freeze(void);
/* The execution ends: how far everybody has come. */
void pl_order_close(void);
/* In the keeper: make a list of choices of what was recorded. */
void pl_order_settle(void);

/* free_access.c: the gate of the free carrier */
struct pl_gate;
void pl_free_gate_open(struct pl_gate *gate); /* let it lead here */
void pl_free_range(const void *addr, uint64_t size, bool write, uint64_t pc);
void pl_free_release(const void *addr, uint64_t size, uint64_t pc);

#endif /* PL_RUNTIME_FREE_H */
