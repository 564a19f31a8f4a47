/* SPDX-License-Identifier: MIT */
/*
 * Room in the last page of a pipe.
 *
 * A pipe is a row of pages.  What is written goes behind what is in its last page if all of it, or
 * what is left of it besides whole pages, fits there: also while the pipe has no room for another
 * page, of which alone poll() speaks.  But the kernel looks for that when a call begins, and not
 * again: who waits already waits for a page.  So where it matters the beginning of a call is an
 * operation of its own (as in calls_kept.h), which decides for what it waits; that it matters is
 * learned, as sharing is.
 *
 * The kernel does not say how full a page is.  What writes have left is followed, of pipes that
 * nobody else has.
 */
#ifndef PL_RUNTIME_SYSTEM_PIPE_ROOM_H
#define PL_RUNTIME_SYSTEM_PIPE_ROOM_H

#include "runtime/system/calls.h"

/* What was in it before the first execution. */
void pl_pipe_room_root(int fd);
/* A call has been made: what it has left in the last page. */
void pl_pipe_room_made(const struct pl_syscall *c, long result);

/* How much of what the call writes has to go into a last page; 0: it never looks for room there. */
uint64_t pl_pipe_room_rest(const struct pl_syscall *c);
/* Whether that fits there now, and the thread does not wait for a page already: so the call goes
 * on, though maybe not to its end. */
bool pl_pipe_room_fits(const struct pl_thread *t, const struct pl_syscall *c);

/* Whether the beginning of such a call is a point. */
bool pl_pipe_room_begins(const struct pl_syscall *c);

#endif /* PL_RUNTIME_SYSTEM_PIPE_ROOM_H */
