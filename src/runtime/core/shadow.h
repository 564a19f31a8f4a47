/* SPDX-License-Identifier: MIT */
/* See shadow.c. */
#ifndef PL_RUNTIME_CORE_SHADOW_H
#define PL_RUNTIME_CORE_SHADOW_H

#include "runtime/ground/stage.h"

bool pl_shadow_shared(uint64_t addr, uint64_t size, bool write, struct pl_thread *t);
void pl_shadow_share(uint64_t addr);
bool pl_shadow_known(uint64_t addr);
void pl_shadow_saw(uint64_t addr, uint64_t size, const struct pl_thread *t);
void pl_shadow_suspect_unseen(void); /* what the thread has accessed since its last point */
bool pl_shadow_suspect(uint64_t addr, uint64_t size);
void pl_shadow_clear(uint64_t addr, uint64_t size);
void pl_shadow_apply(void);

#endif /* PL_RUNTIME_CORE_SHADOW_H */
