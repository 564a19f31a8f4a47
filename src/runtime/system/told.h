/* SPDX-License-Identifier: MIT */
/*
 * Files below /proc that tell about the process itself: what stands there depends on what its
 * threads do, though none of them writes to the file.
 *
 * Some of it is done by calls that are operations on files or on the process (which descriptors
 * there are and where they stand, limits, the working folder): whoever reads that depends on all of
 * these.  The rest is memory, threads, signals and names, of which nobody knows which operation
 * would change what is read: the search is complete but for the file.  A few never change.
 */
#ifndef PL_RUNTIME_SYSTEM_TOLD_H
#define PL_RUNTIME_SYSTEM_TOLD_H

#include <stdbool.h>
#include <stdint.h>

enum pl_told {
    PL_TOLD_NOTHING, /* that changes */
    PL_TOLD_CALLS,   /* what calls do */
    PL_TOLD_MORE,    /* what others do as well */
};

/* What stands below a path, or in what is open, if it is about this process. */
enum pl_told pl_told_at(const char *path);
enum pl_told pl_told_in(int fd);
/* Whether libc looks at it for itself, such as whether a format could have been changed (%n). */
bool pl_told_to_libc(const char *path);
/* It is looked at by the call at pc, beside other threads or not. */
void pl_told_looked(const char *path, uint64_t pc);
void pl_told_read(int fd, uint64_t pc);

#endif /* PL_RUNTIME_SYSTEM_TOLD_H */
