/* SPDX-License-Identifier: MIT */
/*
 * Accesses that are made for the program by others: functions of libc, the heap.
 *
 * Interposers call these functions before the access, on any carrier, also when the thread is not
 * under control.  An access to shared memory becomes a point: other threads may run inside the
 * call.
 */
#ifndef PL_RUNTIME_ACCESS_ACCESS_H
#define PL_RUNTIME_ACCESS_ACCESS_H

#include "runtime/ground/stage.h"

/* A block is about to be freed. */
void pl_access_free(const void *addr, uint64_t size, uint64_t pc);
/*
 * An object is about to be initialised, whatever was there before: a point if others use the
 * memory.  Under control, with the entry of the thread set.
 */
void pl_access_init(const void *addr, uint64_t size, uint64_t pc);
/*
 * A mapping is about to change: the memory is `gone`, or may no longer be used as it was.  `entry`
 * may be NULL.
 */
void pl_access_mapping(const void *addr, uint64_t size, bool gone, uint64_t pc,
                       const uint64_t *entry);
/* A library function is about to touch memory for the program; `entry` as in PL_INTERPOSE. */
void pl_access_range(const void *addr, uint64_t size, bool write, const uint64_t *entry);
/* The same where there are no saved registers: `entry` may be NULL. */
void pl_access_call(const void *addr, uint64_t size, bool write, uint64_t pc,
                    const uint64_t *entry);
/* The same for one that may be made in pieces of its own: it counts as so many events. */
void pl_access_call_as(const void *addr, uint64_t size, bool write, uint32_t events, uint64_t pc,
                       const uint64_t *entry);
/*
 * A library function is about to read the next part of a text, from r->at on (core/reach.h): how
 * many bytes it may read now.  Only where it may be read `apart`, in several parts, is there more
 * than one as a rule.
 */
uint64_t pl_access_text(struct pl_reach *r, bool apart, uint64_t pc, const uint64_t *entry);
/*
 * A library function is about to use state of its own, under a lock of its own: nobody races, but
 * the order matters.  Only the address means something.
 */
void pl_access_state(const void *state, uint64_t pc, const uint64_t *entry);
/* The same, and it only looks at the state. */
void pl_access_look(const void *state, uint64_t pc, const uint64_t *entry);
/*
 * The same for an object of the library that has an operation of its own: whether it is a point.
 * It is none while nobody else is known to use the object.  Not on free threads.
 */
bool pl_access_object(const void *object, uint64_t size, bool write, uint64_t pc,
                      const uint64_t *entry);
/*
 * A function of libc is about to touch what one of its arguments points to, if anything: as
 * pl_access_range(), at the beginning, before pl_begin(); or `after` the operation, of which
 * nothing is left to do.
 */
void pl_access_argument(const void *addr, uint64_t size, bool write, const uint64_t *entry);
void pl_access_after(void *addr, uint64_t size, const uint64_t *entry);
/*
 * Code without a hook is about to access memory; `atomic` when it reads and writes in one step.
 * Under control, outside of the runtime, on no free thread.  Detectors are not told: assembly
 * orders threads in ways that they do not know.  True when it was a point: others may have run.
 */
bool pl_access_unhooked(uint64_t addr, uint64_t size, unsigned flags, bool atomic,
                        const uint64_t *entry);
/* The same where nothing is announced: it matters in a child on its own (pl_shadow_in_child()). */
void pl_access_missed(uint64_t addr, uint64_t size, bool write, uint64_t pc);
/* Whether what a library function does for the code at `pc` is to be announced. */
bool pl_access_wanted(uint64_t pc);

/*
 * Whether a signal or a cancellation comes before the thread's next access by a schedule that is
 * followed.  Where threads were free it is at an access that nobody else knows, too, and so need
 * not come to a point.
 */
bool pl_access_is_interrupted(const struct pl_thread *t);

#endif /* PL_RUNTIME_ACCESS_ACCESS_H */
