/* SPDX-License-Identifier: MIT */
/* See calls_fifo.h. */
#include "runtime/system/calls_fifo.h"

#include "base/sys.h"
#include "runtime/core/sched.h"
#include "runtime/ground/stage.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>

bool pl_fifo_is_opening(const struct pl_syscall *c)
{
    struct stat st = {0}; /* so that the kernel may write there */
    const char *path;
    uint64_t flags;
    int folder;

    pl_plan_opening(c, &folder, &path, &flags);
    return (flags & (O_NONBLOCK | O_PATH)) == 0 && (flags & O_ACCMODE) != O_RDWR &&
           pl_files_look_up(folder, path, 0, &st) == 0 && S_ISFIFO(st.st_mode);
}

/* ---- ends ---- */

static uint64_t mode_of(int fd)
{
    return (uint64_t)pl_sys(SYS_fcntl, fd, F_GETFL) & O_ACCMODE;
}

/* Whether the first is one that the other can wait for: the other end of the same FIFO, or both. */
static bool are_partners(int fd, int other)
{
    struct stat a = {0}, b = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_fstat, fd, &a) == 0 && pl_sys(SYS_fstat, other, &b) == 0 &&
           S_ISFIFO(a.st_mode) && a.st_dev == b.st_dev && a.st_ino == b.st_ino &&
           mode_of(fd) != mode_of(other);
}

/* Only the program itself can have come to it: its own numbers say whether anybody has. */
static bool is_known(int end)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return !pl_stage->process.company && !pl_processes_run() && pl_sys(SYS_fstat, end, &st) == 0 &&
           pl_files_is_own_fifo(st.st_dev, st.st_ino);
}

/*
 * Who reads at a FIFO without writers is at its end; else there is something, or will be.  Where
 * there is something it may be what a writer has left that had gone before: who reads has kept it.
 */
static bool has_writer(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int other[2] = {-1, -1}; /* so that the kernel may write there */

    if (pl_sys(SYS_poll, &p, 1, 0) > 0) /* also if it is gone: only who was there is told */
        return (p.revents & POLLHUP) != 0 || !is_known(fd) || pl_fifo_has_partner(fd);
    if (pl_sys(SYS_pipe2, other, O_CLOEXEC) != 0)
        return false;
    long n = pl_sys(SYS_tee, fd, other[1], 1, SPLICE_F_NONBLOCK);

    pl_sys(SYS_close, other[0]);
    pl_sys(SYS_close, other[1]);
    return n > 0 || n == -EAGAIN;
}

static bool has_reader(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLOUT};

    return pl_sys(SYS_poll, &p, 1, 0) <= 0 || (p.revents & POLLERR) == 0;
}

static bool is_met(int fd)
{
    return mode_of(fd) == O_WRONLY ? has_reader(fd) : has_writer(fd);
}

/* The end that the thread waits at. */
static int end_of(const struct pl_thread *t)
{
    return t->io.end - 1;
}

bool pl_fifo_met(const struct pl_thread *t)
{
    return t->io.end != 0 && is_met(end_of(t));
}

bool pl_fifo_is_open_to_others(const struct pl_thread *t)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_fstat, end_of(t), &st) != 0 || !pl_files_is_own_fifo(st.st_dev, st.st_ino);
}

void pl_fifo_opened(long fd)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && t->io.end != 0 && !t->woken &&
            are_partners((int)fd, end_of(t)))
            pl_sched_wake(t);
    }
}

bool pl_fifo_has_partner(int end)
{
    for (int fd = 0; fd < PL_FILES_MAX; fd++) {
        if (pl_stage->process.files.open[fd] != 0 && are_partners(fd, end))
            return true;
    }
    return pl_stage->process.company && is_met(end);
}

void pl_fifo_forked(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->io.end != 0)
            pl_sys(SYS_close, end_of(t));
    }
}
