/* SPDX-License-Identifier: MIT */
/*
 * The locks that a thread holds, in the order of acquisition.
 *
 * The models of locks call it when they are taken and given back, under control; detectors and
 * coverage are told.  Of more than
 * PL_HELD_MAX locks only the number is known.
 */
#ifndef PL_RUNTIME_OBSERVE_HELD_H
#define PL_RUNTIME_OBSERVE_HELD_H

#include "runtime/ground/stage.h"

void pl_held_add(struct pl_thread *t, const void *addr, enum pl_object_kind kind, bool shared,
                 uint64_t pc);
bool pl_held_remove(struct pl_thread *t, const void *addr);
struct pl_held *pl_held_find(struct pl_thread *t, const void *addr);
/* Who holds what the operation of t is about; PL_TID_NONE: nobody does. */
pl_tid pl_held_holder(const struct pl_thread *t);

#endif /* PL_RUNTIME_OBSERVE_HELD_H */
