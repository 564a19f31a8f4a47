/* SPDX-License-Identifier: MIT */
/*
 * What the model of a mutex offers conditions, robust mutexes and the end of threads.
 *
 * All functions are called by the running thread, in an operation that has been chosen; none of
 * them but the last switches threads.  `addr` is the address of the pthread_mutex_t, which holds
 * the state.
 */
#ifndef PL_RUNTIME_SYNC_PTH_MUTEX_H
#define PL_RUNTIME_SYNC_PTH_MUTEX_H

#include "runtime/ground/stage.h"

bool pl_mutex_free_for(uint64_t addr, const struct pl_thread *t);
pl_tid pl_mutex_owner(uint64_t addr);
int pl_mutex_take(pthread_mutex_t *m, struct pl_thread *t, uint64_t pc);
/* Whether it is still locked when its owner has given it back once. */
bool pl_mutex_stays(uint64_t addr, const struct pl_thread *t);
/* Give it back once, as a condition wait does, and return its depth before; */
unsigned pl_mutex_drop(pthread_mutex_t *m, struct pl_thread *t);
/* take it back with that depth.  EOWNERDEAD: from an owner that has ended; ENOTRECOVERABLE: not. */
int pl_mutex_retake(pthread_mutex_t *m, struct pl_thread *t, unsigned depth, uint64_t pc);
/* EPERM when a condition wait with this mutex is refused, after reporting misuse. */
int pl_mutex_waitable(pthread_mutex_t *m, struct pl_thread *t, uint64_t pc);
/*
 * The running thread ends: its robust mutexes say so to who takes them next.  Others may run
 * inside: each is an operation.
 */
void pl_mutex_abandon_all(struct pl_thread *t, uint64_t pc);

#endif /* PL_RUNTIME_SYNC_PTH_MUTEX_H */
