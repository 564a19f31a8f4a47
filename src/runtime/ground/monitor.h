/* SPDX-License-Identifier: MIT */
/*
 * The monitor of the free carrier.  The models of synchronisation were written for one thread
 * at a time; where threads run in parallel (free/free.h), a call that uses them runs inside the
 * monitor, which one thread holds at a time, for as long as the call takes;
 * pl_stage->current is that thread.  On the other carriers nobody comes here.
 *
 * stage.h declares pl_free, whether this process runs threads on the free carrier,
 * and pl_free_self, the calling thread, NULL in one that is none of the program's.
 */
#ifndef PL_RUNTIME_GROUND_MONITOR_H
#define PL_RUNTIME_GROUND_MONITOR_H

#include "runtime/ground/stage.h"

/* At the entry of the calling thread's stub: six callee-saved registers, then the return address.
 */
extern _Thread_local const uint64_t *pl_monitor_entry __attribute__((tls_model("initial-exec")));

/* What holds the monitor when it is no stub. */
#define PL_MONITOR_INNER ((const void *)1)  /* pl_enter() */
#define PL_MONITOR_STDIO ((const void *)2)  /* a call of stdio */
#define PL_MONITOR_CALL ((const void *)3)   /* another call without a stub */
#define PL_MONITOR_ENDING ((const void *)4) /* for ever: the thread, or the execution, ends */

/* Enter the monitor on behalf of `frame`; nothing when the thread is in it already. */
void pl_monitor_enter(const void *frame);
/* Leave it, if it was entered on behalf of `frame`.  The stubs call it. */
__attribute__((visibility("hidden"))) void pl_monitor_leave(const void *frame);
/* Leave it on whoever's behalf it was entered: the program's own code follows. */
void pl_monitor_open(void);

static inline bool pl_monitor_holds(void)
{
    return pl_free_self != NULL && pl_free_self->free.monitor != NULL;
}

/* The holder: from now on it is the monitor of several processes (model/company.h). */
void pl_monitor_share(void);
/* In a new one of them: the thread that forked has it, and not this one. */
void pl_monitor_forked(struct pl_thread *t);
/* In a process that has become another program (start/join.h): the monitor is there already; this
 * one has had it all the while. */
void pl_monitor_join(void);
void pl_monitor_give_back(void);
/* The holder ends its process, and not the execution: its other threads come in no more. */
void pl_monitor_end_process(void);

/* Outside for a while. */
struct pl_monitor_place {
    const void *frame;
    uint32_t busy;
};
struct pl_monitor_place pl_monitor_step_out(struct pl_thread *t);
void pl_monitor_step_in(struct pl_thread *t, struct pl_monitor_place p);

/*
 * What a process leaves when it ends, its status, the ends of its pipes, a signal to its parent, is
 * there once the kernel is done with it.  Whoever performs next comes after that, and so does
 * whoever gets the turn in a replay.
 */
void pl_monitor_await_end(void);

/* From now on nobody but t comes in; false when that was so already.  Whoever asks second
 * sleeps for ever. */
bool pl_monitor_stop(struct pl_thread *t);
/* Try to take it by force, and for good. */
bool pl_monitor_seize(void);
void pl_monitor_sleep_for_ever(void);

#endif /* PL_RUNTIME_GROUND_MONITOR_H */
