/* SPDX-License-Identifier: MIT */
/*
 * What a thread is about to do is written down before anybody chooses: the operation with its
 * objects, its number among the thread's events, and what a signal or a cancellation would do to
 * it. Then all that look at announcements are told.
 */
#ifndef PL_RUNTIME_CORE_ANNOUNCE_H
#define PL_RUNTIME_CORE_ANNOUNCE_H

#include "runtime/ground/thread.h"

/* As the thread's next event, or events where it is wide. */
void pl_announce(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr, uint32_t size,
                 uint32_t aux, uint64_t pc);

/* As event number `ordinal`, which has been taken before. */
void pl_announce_as(struct pl_thread *t, enum pl_op_kind kind, uint64_t addr, uint32_t size,
                    uint32_t aux, uint64_t pc, uint32_t ordinal);

/* After a handler: the operation that it came before, as it was. */
void pl_announce_again(struct pl_thread *t);

#endif /* PL_RUNTIME_CORE_ANNOUNCE_H */
