/* SPDX-License-Identifier: MIT */
/*
 * The free carrier without models or recording: `--noise record=none`.
 *
 * The program calls libc's own functions.  What counts as an operation goes through a thin function
 * that says what the thread is about to do, disturbs it before and after, collects coverage, and
 * calls libc.  There is no monitor; a thread writes to its own entry on the stage and nowhere
 * else, except when threads begin and end.  pl_free holds, too: an execution ends and is judged
 * as on the free carrier.
 *
 * See docs/design/native.md.
 */
#ifndef PL_RUNTIME_NATIVE_NATIVE_H
#define PL_RUNTIME_NATIVE_NATIVE_H

#include "runtime/ground/stage.h"

/* real.h declares pl_native, whether this process is like that. */

/* Decide it; at the start of the process, since objects are modelled always or never. */
void pl_native_decide(void);
/* Let the slots lead to libc, or to native_calls.c. */
void pl_native_init(void);

/* The calling thread is about to do something, has done it. */
void pl_native_before(enum pl_op_kind kind, const void *object, uint64_t pc);
void pl_native_after(void);

/* native_calls.c: what stands for an exported function. */
struct pl_native_call {
    const char *name;
    void *entry; /* NULL: what it is on other carriers */
    void **real; /* where libc's own goes, or NULL */
};
const struct pl_native_call *pl_native_call_find(const char *name);

/* native_thread.c */
void pl_native_threads_init(void);
int pl_native_create(pthread_t *out, const pthread_attr_t *attr, void *(*start)(void *), void *arg,
                     uint64_t pc);
void pl_native_joined(pthread_t handle); /* it has been: the handle may come again */

/* Before the root: what main is about to do with a lock. */
void pl_native_early(enum pl_op_kind kind, const void *object);
/* In a runner: what main had locked as thread `before` of the keeper is its own. */
void pl_native_adopt(int32_t before);

/* native_access.c */
struct pl_gate;
void pl_native_gate_open(struct pl_gate *gate);
/* From now on the calling thread's accesses are of interest; NULL: no more. */
void pl_native_watch(const struct pl_thread *t);

#endif /* PL_RUNTIME_NATIVE_NATIVE_H */
