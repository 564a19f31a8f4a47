/* SPDX-License-Identifier: MIT */
/* The life of a thread: creation, cancellation, end. */
#ifndef PL_RUNTIME_SYNC_THREAD_H
#define PL_RUNTIME_SYNC_THREAD_H

#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"

void pl_thread_unwind(void *result) __attribute__((noreturn));
void pl_thread_finish(void *result) __attribute__((noreturn));
void pl_thread_run_destructors(struct pl_thread *t);
void pl_key_run_destructors(struct pl_thread *t, uint64_t pc);
/* The calling thread is the one of a child on its own. */
void pl_key_forked(void);
void pl_cancel_act(void) __attribute__((noreturn));
/* Under control, at a cancellation point that is no operation which can be cancelled. */
void pl_cancel_check(uint64_t pc);
/* The same behind a wait that is over: whether it has come.  If so the thread is to act. */
bool pl_cancel_has_come(uint64_t pc);
/* The same from a function that has not begun as interposers do, whoever calls it. */
void pl_cancel_call(uint64_t pc);
/*
 * A function of libc that is a cancellation point and may wait is about to be called; it is over.
 * On free threads whoever cancels interrupts it, and then the thread acts.  True: it must be said
 * when it is over.
 */
bool pl_cancel_wait_begin(void);
void pl_cancel_wait_end(void);
struct pl_thread *pl_thread_of(pthread_t handle);
/* The struct of a new thread, a child of `parent`, before it has a carrier; NULL: too many. */
struct pl_thread *pl_thread_prepare(struct pl_thread *parent);
/* Its start is its next operation. */
void pl_thread_announce(struct pl_thread *t, uint64_t pc);
/* The thread exists from now on, with its start announced. */
void pl_thread_enlist(struct pl_thread *t, struct pl_thread *parent, void *(*start)(void *),
                      void *arg);
/* What threads have from their creator, its name or its treatment, is about to be changed for t. */
void pl_thread_passes_on(const struct pl_thread *t, const void *state);
int pl_thread_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                     uint64_t pc);
/* One that libc makes for the program, which nobody joins. */
int pl_thread_create_detached(pthread_t *out, void *(*start)(void *), void *arg, uint64_t pc);

/* A thread is to be created: what is tested may be in a process where nobody follows it. */
static inline void pl_thread_in_child(void)
{
    if (pl_active || pl_stage == NULL || !pl_stage->process.child)
        return;
    __atomic_fetch_add(&pl_board->child_threads, 1, __ATOMIC_RELAXED);
    pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_CHILDREN);
}

/* The program makes a call that shows whether a thread has ended: from now on exits are points. */
void pl_thread_exit_matters(void);

void pl_thread_body(void); /* the first function of every thread */

#endif /* PL_RUNTIME_SYNC_THREAD_H */
