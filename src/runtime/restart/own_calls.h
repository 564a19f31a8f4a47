/* SPDX-License-Identifier: MIT */
/*
 * System calls of the program that are about itself: what own.h knows instead of the kernel.
 *
 * Numbers of threads and processes, paths below /proc and what is read there are translated in both
 * directions, and some calls are answered here.  Plait's own descriptors are not open to any.
 */
#ifndef PL_RUNTIME_RESTART_OWN_CALLS_H
#define PL_RUNTIME_RESTART_OWN_CALLS_H

#include "runtime/ground/arguments.h"

enum { PL_OWN_PATH = 256 };

/*
 * A system call of the program: true when it is answered here.  Arguments may be others
 * afterwards, with `paths` as room for some of them.
 */
bool pl_own_call(long number, uint64_t a[6], char paths[PL_ARGUMENTS_PATHS][PL_OWN_PATH],
                 long *result);
/* After it was made; by this path, if it has one. */
void pl_own_made(long number, const uint64_t a[6], const char *path, long *result);
/* The same where libc makes the program's calls, in a child that runs for itself and for free
 * threads: the result as the program is told it. */
long pl_own_passed(long number, uint64_t a, uint64_t b, uint64_t c, uint64_t d, long result);
/* Whether an entry of a folder is a descriptor of plait's own: where calls are not watched. */
bool pl_own_hides(int folder, const char *name);

/* A call that was made. */
struct pl_own_made {
    long number;
    const uint64_t *a;
    const char *path; /* as the program says it */
    long *result;
};

/* What rows of ground/calls.def ask. */
#define PL_CALL(call, operation, undo, ...) __VA_ARGS__
#define ANSWERED(function) bool pl_##function(uint64_t a[6], long *result);
#define TOLD(function) void pl_##function(const struct pl_own_made *m);
#define RESTORED(function) void pl_##function(const struct pl_own_made *m);
#include "runtime/ground/calls.def"

#endif /* PL_RUNTIME_RESTART_OWN_CALLS_H */
