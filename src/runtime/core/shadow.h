/* SPDX-License-Identifier: MIT */
/*
 * Which memory is shared: two bytes of shadow per granule of 8 bytes say who touched it first in
 * this execution and how.
 *
 * The hooks call it for each access of the running thread; an access to shared memory becomes a
 * point. What turns out to be shared is noted on the board and stays so in all later executions;
 * addresses are deterministic.
 */
#ifndef PL_RUNTIME_CORE_SHADOW_H
#define PL_RUNTIME_CORE_SHADOW_H

#include "runtime/ground/stage.h"

/* Note an access; true when it is to be a point: the memory is shared, or suspect. */
bool pl_shadow_shared(uint64_t addr, uint64_t size, bool write, struct pl_thread *t);
/* Note an operation on the object at addr, which is a point in any case. */
void pl_shadow_object(uint64_t addr, const struct pl_thread *t);
/* The granule is shared from now on. */
void pl_shadow_share(uint64_t addr);
/*
 * A wide access and another operation are about to happen to these bytes: from now on such
 * accesses are made in pieces there.  Whether that is known of any of the bytes.
 */
void pl_shadow_split(uint64_t addr, uint64_t size);
bool pl_shadow_is_split(uint64_t addr, uint64_t size);
/* Whether this execution has shown more of them. */
bool pl_shadow_split_grew(void);
/* A loop has its head at this place in the code, and does not end by itself; see core/fair.h. */
void pl_shadow_endless(uint64_t pc);
bool pl_shadow_is_endless(uint64_t pc);
/* Whether no hook has announced an access to the granule in this execution, nor is it known. */
bool pl_shadow_is_untouched(uint64_t addr);
/* Whether the granule is known to be shared. */
bool pl_shadow_known(uint64_t addr);
/* An access was no point: remember it until the thread's next one. */
void pl_shadow_saw(uint64_t addr, uint64_t size, const struct pl_thread *t);
/* What was remembered is suspect: from the next execution on accesses to it are points. */
void pl_shadow_suspect_unseen(void);
/* Whether the access is a point only because memory is suspect, none of it known to be shared. */
bool pl_shadow_suspect(uint64_t addr, uint64_t size);
/* Of larger ranges that are taken away, what nobody has touched is not noted: it would cost memory.
 */
enum { PL_SHADOW_REMEMBERED = 1 << 20 };
/*
 * The thread is about to take the memory away or to change all of it at once: whether others have
 * touched any of it.  What nobody has touched costs next to nothing.
 */
bool pl_shadow_ends(uint64_t addr, uint64_t size, const struct pl_thread *t);
/* To what is shared of it, from the first byte to the last; nothing happens where nothing is. */
void pl_shadow_narrow(uint64_t *addr, uint64_t *size);
/* Memory is fresh: who touched it in its earlier life has nothing to do with it. */
void pl_shadow_clear(uint64_t addr, uint64_t size);
/*
 * A child that is on its own reads memory, or writes it: that is how the thread that has made it
 * has read it, when it did.  The parent is told, and at the end of the execution it is as if that
 * thread had: what others have written is shared.
 */
void pl_shadow_in_child(uint64_t addr, uint64_t size, bool write);
void pl_shadow_take_copied(void);
/* Before an execution: bring the shadow up to what was known when it was planned. */
void pl_shadow_apply(void);

#endif /* PL_RUNTIME_CORE_SHADOW_H */
