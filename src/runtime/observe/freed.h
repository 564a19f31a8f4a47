/* SPDX-License-Identifier: MIT */
/*
 * Use of freed memory and of memory outside of every block, and blocks that are freed twice, by the
 * wrong function, or never were blocks.
 *
 * The hooks call pl_freed_check() before an access to the heap; the heap calls the other two
 * through its port (struct pl_findings_port in ground/ports.h).  A call that finds something ends
 * the execution.
 */
#ifndef PL_RUNTIME_OBSERVE_FREED_H
#define PL_RUNTIME_OBSERVE_FREED_H

#include "runtime/ground/stage.h"

/* Memory of the heap is about to be read or written. */
void pl_freed_check(uint64_t addr, uint64_t size, bool write, uint64_t pc);
/*
 * The same for a hook, with its flags.  A whole vector that is loaded from where it is aligned is
 * read from no page, and no line, in which the block is not: code that works on vectors throws away
 * what lies around it.
 */
void pl_freed_check_hook(uint64_t addr, uint64_t size, unsigned flags, uint64_t pc);

/* The same of memory where stacks are: its thread may have ended. */
void pl_freed_stack(uint64_t addr, uint64_t size, bool write, uint64_t pc);

/* An object that synchronises threads is about to be used: the same as if it were written. */
void pl_freed_object(uint64_t addr, uint64_t size, uint64_t pc);
/* The thread has ended; who is about to use an object on its stack? */
void pl_freed_thread(const struct pl_thread *t);

/* A block is given back as if it had come from the functions of this kind (enum pl_heap_kind). */
void pl_freed_wrongly(const void *p, unsigned kind, uint64_t site);

/* A block is freed that is none, or once more. */
void pl_freed_badly(uint64_t addr, bool twice, uint64_t freed_at, uint64_t site);
/* A block is freed as it should be; who is about to use it? */
void pl_freed_block(uint64_t addr, uint64_t size, uint64_t site);

#endif /* PL_RUNTIME_OBSERVE_FREED_H */
