/* SPDX-License-Identifier: MIT */
/*
 * Record locks that processes wait for: a thread that waits for one does not wait in the kernel
 * here, which then finds no circle of waiting processes.  So it is looked for, and whoever would
 * close it makes the call, for the kernel to say EDEADLK.
 */
#ifndef PL_RUNTIME_SYSTEM_RECORD_LOCKS_H
#define PL_RUNTIME_SYSTEM_RECORD_LOCKS_H

#include <fcntl.h>
#include <stdbool.h>

/* Whether that process, which has a lock, waits for one of this process, or of one that does. */
bool pl_record_locks_close(long pid);
/* What was let go on cannot be had: whether a process under control has it, so that it was for a
 * circle. */
bool pl_record_locks_refused(int fd, const struct flock *wanted);

#endif /* PL_RUNTIME_SYSTEM_RECORD_LOCKS_H */
