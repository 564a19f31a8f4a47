/* SPDX-License-Identifier: MIT */
/* See spin.c. */
#ifndef PL_RUNTIME_CORE_SPIN_H
#define PL_RUNTIME_CORE_SPIN_H

#include "runtime/ground/stage.h"

bool pl_spin_visit(struct pl_thread *t, const struct pl_operation *op);
void pl_spin_saw(struct pl_thread *t, uint64_t addr, uint64_t size, bool write, uint64_t pc);
void pl_spin_park(struct pl_thread *t);
void pl_spin_unpark(struct pl_thread *t);
void pl_spin_progress(struct pl_thread *t);
void pl_spin_performed(struct pl_thread *t);
void pl_spin_touch(uint64_t addr, uint64_t size, pl_tid by);
void pl_spin_other(pl_tid by);
bool pl_spin_grant(void);
void pl_spin_ignore(struct pl_thread *t, const void *time, uint64_t size, uint64_t fraction);

#endif /* PL_RUNTIME_CORE_SPIN_H */
