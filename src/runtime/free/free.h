/* SPDX-License-Identifier: MIT */
/*
 * The free carrier: threads of the program are OS threads that run in parallel,
 * and the runtime only disturbs them, watches and records.
 *
 * The models of synchronisation were written for one thread at a time.  So a
 * call that uses them runs inside the monitor, which one thread holds at a time,
 * for as long as the call takes; pl_stage->current is that thread.  Whoever cannot
 * go on waits outside.  Memory accesses do not come here; see order.c.
 *
 * See docs/design/free-carrier.md.
 */
#ifndef PL_RUNTIME_FREE_FREE_H
#define PL_RUNTIME_FREE_FREE_H

#include "runtime/ground/stage.h"

void pl_free_init(void);
void pl_free_begin(void); /* in the runner: an execution begins */

/* Several processes (model/company.h): inside the monitor, before the first is forked; in it. */
void pl_free_share(void);
void pl_free_forked(struct pl_thread *t);
/* In one that has become another program. */
void pl_free_joined(struct pl_thread *t);

/* A sleep until then: by CLOCK_REALTIME, or by what has been computed. */
void pl_free_sleep(struct pl_thread *t, clockid_t clock, uint64_t deadline);

struct pl_free_port;
extern const struct pl_free_port pl_free_port;

/* free_access.c: the gate of the free carrier */
struct pl_gate;
void pl_free_gate_open(struct pl_gate *gate); /* let it lead here */
void pl_free_range(const void *addr, uint64_t size, bool write, uint64_t pc);
void pl_free_release(const void *addr, uint64_t size, uint64_t pc);

#endif /* PL_RUNTIME_FREE_FREE_H */
