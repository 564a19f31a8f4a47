/* SPDX-License-Identifier: MIT */
/*
 * Blocking input and output.  A read from a pipe or socket that has nothing yet
 * would stop the one OS thread that all fibers share, and with it whoever is to
 * write; so such a call is an operation that is enabled when poll() says so.
 * When nobody else can go on, the worker waits for the outside world.
 *
 * Ordinary files never block and are no points.
 */
#include "runtime/rollback.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

static bool may_block(int fd)
{
    struct stat st;

    if (fd < 0 || fd >= PL_FD_LOW || fstat(fd, &st) != 0)
        return false;
    if (!S_ISFIFO(st.st_mode) && !S_ISSOCK(st.st_mode) && !S_ISCHR(st.st_mode))
        return false;
    return (pl_sys(SYS_fcntl, fd, 3 /* F_GETFL */, 0) & 04000 /* O_NONBLOCK */) == 0;
}

static short events_of(const struct pl_thread *t)
{
    return (short)(t->op.aux >> 16);
}

static int fd_of(const struct pl_thread *t)
{
    return (int)(t->op.aux & 0xffff);
}

bool pl_io_ready(const struct pl_thread *t)
{
    struct pollfd p = {.fd = fd_of(t), .events = events_of(t)};

    if (t->io != NULL) {
        pl_rollback_touch(t->io, t->n_io * sizeof(struct pollfd));
        return pl_sys(SYS_poll, t->io, t->n_io, 0) != 0;
    }
    return pl_sys(SYS_poll, &p, 1, 0) != 0;
}

void pl_io_pause(const struct pl_thread *t, int ms)
{
    struct pollfd p = {.fd = fd_of(t), .events = events_of(t)};
    struct timespec step = {.tv_sec = 0, .tv_nsec = 1000000};

    if (t->op.kind != PL_OP_IO)
        pl_sys(SYS_nanosleep, &step, NULL);
    else if (t->io != NULL)
        pl_sys(SYS_poll, t->io, t->n_io, ms);
    else
        pl_sys(SYS_poll, &p, 1, ms);
}

/* Nobody can go on: wait until some descriptor is ready.  False when no thread waits for one. */
bool pl_io_wait(void)
{
    bool any = false;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE || t->op.kind != PL_OP_IO || t->io_hopeless)
            continue;
        struct pollfd p = {.fd = fd_of(t), .events = events_of(t)};
        struct pollfd *list = t->io != NULL ? t->io : &p;

        /* A second of real time, a few times: what comes from outside may take a while. */
        if (pl_sys(SYS_poll, list, t->io != NULL ? t->n_io : 1, 200) != 0)
            return true;
        if (++t->io_waits >= 10)
            t->io_hopeless = true;
        any = true;
    }
    return any;
}

/* Come to a point where fd must be ready; the call itself follows and does not block. */
static void ready(int fd, short events, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    t->io = NULL;
    t->io_waits = 0;
    t->io_hopeless = false;
    t->cancel_point = true;
    enum pl_way way = pl_sched_timed_point(PL_OP_IO, NULL, PL_NEVER,
                                           (uint32_t)fd | (uint32_t)(uint16_t)events << 16, pc);

    t->cancel_point = false;
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
}

static void before(int fd, short events)
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return;
    pl_cancel_check(pc);
    if (may_block(fd))
        ready(fd, events, pc);
    else if (events == POLLOUT)
        pl_sched_point(PL_OP_OUTPUT, (void *)(uintptr_t)(fd + 1), 0, 0, pc);
}

/*
 * What carries an order from those who write to those who read: the pipe, or
 * whatever else it is.  Which sockets are connected is not known: all are one.
 * 0 for a file, which orders nothing.
 */
static uint64_t channel_of(int fd)
{
    struct stat st;

    if (!pl_stage->feeding || fd < 0 || fd >= PL_FD_LOW || fstat(fd, &st) != 0 ||
        S_ISREG(st.st_mode))
        return 0;
    return UINT64_C(3) << 62 | (S_ISSOCK(st.st_mode) ? 0 : st.st_ino << 3);
}

static void tell(enum pl_sync_kind kind, int fd)
{
    uint64_t channel = pl_on() && !pl_inside() ? channel_of(fd) : 0;

    if (channel != 0)
        pl_feed_object(kind, pl_stage->current, channel, PL_OBJECT_FILE);
}

/* The result of a call that reads; it has taken up what was written before. */
static ssize_t have_read(int fd, ssize_t n)
{
    if (n >= 0)
        tell(PL_SYNC_RECEIVE, fd);
    return n;
}

/* A call that writes is about to be made. */
static void before_write(int fd)
{
    before(fd, POLLOUT);
    tell(PL_SYNC_SEND, fd);
}

PL_INTERPOSE(ssize_t, read, (int fd, void *buffer, size_t size))
{
    before(fd, POLLIN);
    return have_read(fd, pl_real.read(fd, buffer, size));
}

PL_INTERPOSE(ssize_t, readv, (int fd, const struct iovec *v, int n))
{
    before(fd, POLLIN);
    return have_read(fd, pl_real.readv(fd, v, n));
}

PL_INTERPOSE(ssize_t, write, (int fd, const void *buffer, size_t size))
{
    before_write(fd);
    return pl_real.write(fd, buffer, size);
}

PL_INTERPOSE(ssize_t, writev, (int fd, const struct iovec *v, int n))
{
    before_write(fd);
    return pl_real.writev(fd, v, n);
}

PL_INTERPOSE(ssize_t, recv, (int fd, void *buffer, size_t size, int flags))
{
    before(fd, POLLIN);
    return have_read(fd, pl_real.recv(fd, buffer, size, flags));
}

PL_INTERPOSE(ssize_t, recvfrom,
             (int fd, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *n))
{
    before(fd, POLLIN);
    return have_read(fd, pl_real.recvfrom(fd, buffer, size, flags, from, n));
}

PL_INTERPOSE(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags))
{
    before(fd, POLLIN);
    return have_read(fd, pl_real.recvmsg(fd, message, flags));
}

PL_INTERPOSE(ssize_t, send, (int fd, const void *buffer, size_t size, int flags))
{
    before_write(fd);
    return pl_real.send(fd, buffer, size, flags);
}

/* Whoever reads the end of what comes through it knows what happened before. */
PL_INTERPOSE(int, close, (int fd))
{
    tell(PL_SYNC_SEND, fd);
    return pl_real.close(fd);
}

PL_INTERPOSE(int, accept, (int fd, struct sockaddr *from, socklen_t *n))
{
    before(fd, POLLIN);
    return (int)have_read(fd, pl_real.accept(fd, from, n));
}

PL_INTERPOSE(int, accept4, (int fd, struct sockaddr *from, socklen_t *n, int flags))
{
    before(fd, POLLIN);
    return (int)have_read(fd, pl_real.accept4(fd, from, n, flags));
}

PL_INTERPOSE(int, poll, (struct pollfd * fds, nfds_t n, int timeout))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_real.poll(fds, n, timeout);
    pl_cancel_check(pc);
    t->io = fds;
    t->n_io = n;
    t->io_waits = 0;
    t->io_hopeless = false;
    uint64_t deadline = timeout < 0 ? PL_NEVER : pl_time_now() + (uint64_t)timeout * 1000000;
    enum pl_way way = pl_sched_timed_point(PL_OP_IO, NULL, deadline, 0, pc);

    t->io = NULL;
    if (way == PL_WAY_TIMEOUT)
        return 0;
    int rc = pl_real.poll(fds, n, 0);

    for (nfds_t i = 0; i < n; i++) {
        if (rc > 0 && fds[i].revents != 0)
            tell(PL_SYNC_RECEIVE, fds[i].fd);
    }
    return rc;
}

/* select() without descriptors is a way to sleep; with them it goes through poll(). */
PL_INTERPOSE(int, select, (int n, fd_set *in, fd_set *out, fd_set *bad, struct timeval *timeout))
{
    struct pollfd fds[FD_SETSIZE];
    unsigned m = 0;
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_real.select(n, in, out, bad, timeout);
    for (int fd = 0; fd < n && fd < FD_SETSIZE; fd++) {
        short events = (short)((in && FD_ISSET(fd, in) ? POLLIN : 0) |
                               (out && FD_ISSET(fd, out) ? POLLOUT : 0) |
                               (bad && FD_ISSET(fd, bad) ? POLLPRI : 0));

        if (events != 0)
            fds[m++] = (struct pollfd){.fd = fd, .events = events};
    }
    int ms = timeout == NULL ? -1 : (int)(timeout->tv_sec * 1000 + (timeout->tv_usec + 999) / 1000);

    if (pl_in_poll(fds, m, ms) == 0) {
        if (in != NULL)
            FD_ZERO(in);
        if (out != NULL)
            FD_ZERO(out);
        if (bad != NULL)
            FD_ZERO(bad);
        return 0;
    }
    struct timeval zero = {0, 0};

    return pl_real.select(n, in, out, bad, &zero);
}
