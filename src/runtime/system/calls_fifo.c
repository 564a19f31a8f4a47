/* SPDX-License-Identifier: MIT */
/* See calls_fifo.h. */
#include "runtime/system/calls_fifo.h"

#include "base/sys.h"
#include "runtime/ground/config.h"
#include "runtime/ground/stage.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_plan.h"

#include <errno.h>
#include <fcntl.h>

/* The end that the call wants, or the other one. */
static long open_end(const struct pl_syscall *c, bool other)
{
    const char *path;
    uint64_t flags;
    int folder;

    pl_plan_opening(c, &folder, &path, &flags);
    uint64_t mode = (flags & O_ACCMODE) ^ (other ? O_WRONLY : 0);
    long fd = pl_sys(SYS_openat, folder, path, mode | O_NONBLOCK | O_CLOEXEC, 0);
    long own = fd >= 0 ? pl_sys(SYS_fcntl, fd, F_DUPFD_CLOEXEC, PL_FD_LOW) : fd;

    if (fd >= 0)
        pl_sys(SYS_close, fd);
    return own;
}

/* Who reads at a FIFO without writers is at its end; else there is something, or will be. */
static bool has_writer(int fd)
{
    int other[2] = {-1, -1}; /* so that the kernel may write there */

    if (pl_sys(SYS_pipe2, other, O_CLOEXEC) != 0)
        return false;
    long n = pl_sys(SYS_tee, fd, other[1], 1, SPLICE_F_NONBLOCK);

    pl_sys(SYS_close, other[0]);
    pl_sys(SYS_close, other[1]);
    return n > 0 || n == -EAGAIN;
}

static bool writes(int fd)
{
    return (pl_sys(SYS_fcntl, fd, F_GETFL) & O_ACCMODE) == O_WRONLY;
}

bool pl_fifo_met(struct pl_thread *t)
{
    if (t->io.end == 0) {
        long fd = open_end(t->call.now, false);

        if (fd < 0)
            return fd != -ENXIO; /* nobody reads; or the call will say why */
        t->io.end = (int32_t)fd;
    }
    return writes(t->io.end) || has_writer(t->io.end);
}

void pl_fifo_opened(struct pl_thread *t, const struct pl_syscall *c)
{
    /* A writer that came may be gone.  Only who had the FIFO open then is told of its end. */
    long writer = t->io.end != 0 && !writes(t->io.end) ? open_end(c, true) : -1;

    if (writer >= 0)
        pl_sys(SYS_close, writer);
    pl_fifo_leave(t);
}

void pl_fifo_leave(struct pl_thread *t)
{
    if (t->io.end != 0)
        pl_sys(SYS_close, t->io.end);
    t->io.end = 0;
}
