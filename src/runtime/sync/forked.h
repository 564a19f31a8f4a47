/* SPDX-License-Identifier: MIT */
/*
 * A child process under control (model/company.h): what becomes of threads when one of them forks.
 *
 * The new process has one thread, which goes on where the other has forked.  It is a thread of its
 * own all the same: with a number that nobody else has, a name as a child of the one that forked,
 * and events that are counted from its start, which is an operation.
 */
#ifndef PL_RUNTIME_SYNC_FORKED_H
#define PL_RUNTIME_SYNC_FORKED_H

#include "runtime/ground/stage.h"

/*
 * The running thread is about to fork, at pc: the number of the new process's first thread, or
 * PL_TID_NONE where there are too many.
 */
pl_tid pl_forked_prepare(struct pl_thread *t, uint64_t pc);

/* There is no child after all. */
void pl_forked_failed(pl_tid first);

/* In the child: thread `from` goes on as `first`, and is alone. */
struct pl_thread *pl_forked_become(pl_tid from, pl_tid first);

/* In a child on its own: locks that were held are held for libc, too. */
void pl_forked_give_locks(void);

#endif /* PL_RUNTIME_SYNC_FORKED_H */
