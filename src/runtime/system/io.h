/* SPDX-License-Identifier: MIT */
/*
 * Waiting for descriptors, for all functions that do: an operation that is enabled when poll()
 * says so.
 *
 * Interposers of reads, writes and polls call it under control; the scheduler calls pl_io_wait()
 * through its port when only the outside world can let a thread go on.
 */
#ifndef PL_RUNTIME_SYSTEM_IO_H
#define PL_RUNTIME_SYSTEM_IO_H

#include "runtime/core/sched.h"
#include "runtime/ground/stage.h"

#include <poll.h>

/* Nobody can go on: wait until some descriptor is ready.  False when no thread waits for one. */
bool pl_io_wait(void);
/*
 * Wait until one of the descriptors is ready, as poll() does, for so many nanoseconds or PL_NEVER;
 * the way in which that ended.
 */
enum pl_way pl_io_await(struct pl_thread *t, struct pollfd *fds, nfds_t n, uint64_t limit,
                        uint64_t pc);
/* What poll() is told. */
static inline uint64_t pl_io_limit(int milliseconds)
{
    return milliseconds < 0 ? PL_NEVER : (uint64_t)milliseconds * 1000000;
}
/* The first descriptor that is a stream, so that inputs record what becomes of the call; -1: none
 * is. */
int pl_io_stream(const struct pollfd *fds, nfds_t n);

#endif /* PL_RUNTIME_SYSTEM_IO_H */
