/* SPDX-License-Identifier: MIT */
/* See calls_parts.h. */
#include "runtime/system/calls_parts.h"

#include "base/assert.h"
#include "base/sys.h"
#include "model/depend.h"
#include "runtime/core/clock.h"
#include "runtime/core/sched.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/ports.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_fifo.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/pipe_room.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>

/* What was done before it failed counts. */
static long done_or(uint64_t done, long error)
{
    return done > 0 ? (long)done : error;
}

/* The call as it is, but for waiting; the flags of the open file are the same afterwards. */
static long without_waiting(struct pl_syscall *now, uint64_t fd)
{
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL);

    pl_sys(SYS_fcntl, fd, F_SETFL, flags | O_NONBLOCK);
    long rc = pl_calls_now(now);

    pl_sys(SYS_fcntl, fd, F_SETFL, flags);
    return rc;
}

/* ---- one buffer ---- */

/* What goes behind what is in the last page of a pipe, as a call begins. */
static long write_behind(struct pl_syscall *part)
{
    long n = without_waiting(part, part->a[0]);

    pl_thread_self()->call.begun = true; /* the rest of it goes elsewhere */
    return n;
}

/*
 * A write that waits until everything is written.  The kernel goes on while there is room; where
 * there is none the thread waits, and others may write in between.
 */
static long write_all(struct pl_syscall *c, uint64_t pc)
{
    uint64_t size = c->a[2], done = 0;
    bool socket = c->number == SYS_sendto;

    for (;;) {
        bool behind = pl_pipe_room_fits(pl_thread_self(), c);
        /* There is room for what was announced, and not for what comes behind it. */
        long error = behind || pl_ask_ready(PL_ASK_OUT, c) ? 0 : pl_calls_wait_again(c, pc);

        if (error != 0)
            return done_or(done, error);
        struct pl_syscall part = *c;
        uint64_t left = size - done;

        part.a[1] += done;
        part.a[2] = behind ? pl_pipe_room_rest(c) : !socket && left > PIPE_BUF ? PIPE_BUF : left;
        if (socket)
            part.a[3] |= MSG_DONTWAIT;
        long n = behind ? write_behind(&part) : pl_calls_now(&part);

        if (n > 0)
            done += (uint64_t)n;
        if (n < 0 && n != -EAGAIN)
            return done_or(done, n);
        if (done >= size || n == 0)
            return (long)done;
    }
}

/* A receive that waits until so much is there. */
static long receive_least(struct pl_syscall *c, uint64_t least, uint64_t pc)
{
    uint64_t size = c->a[2], done = 0;

    for (;;) {
        struct pl_syscall part = *c;

        part.a[1] += done;
        part.a[2] = size - done;
        part.a[3] = (part.a[3] & ~(uint64_t)MSG_WAITALL) | MSG_DONTWAIT;
        long n = pl_calls_now(&part);

        if (n > 0)
            done += (uint64_t)n;
        if (n == 0 || done >= least || (n < 0 && n != -EAGAIN))
            return done > 0 || n == 0 ? (long)done : n;
        if (!pl_ask_ready(PL_ASK_IN, c) && pl_calls_wait_again(c, pc) != 0)
            return done_or(done, -EAGAIN);
    }
}

static long receive_all(struct pl_syscall *c, uint64_t pc)
{
    return receive_least(c, c->a[2], pc);
}

/* How much a receive waits for by the socket's option: of a stream between processes, which is
 * called ready before. */
static uint64_t least_of(const struct pl_syscall *c)
{
    int domain = 0, least = 1; /* so that the kernel may write there */
    socklen_t size = sizeof(int);

    if (pl_sys(SYS_getsockopt, c->a[0], SOL_SOCKET, SO_RCVLOWAT, &least, &size) != 0 ||
        least <= 1 || !pl_ask_is_stream(c) ||
        pl_sys(SYS_getsockopt, c->a[0], SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0 ||
        domain != AF_UNIX)
        return 1;
    return (uint64_t)least < c->a[2] ? (uint64_t)least : c->a[2];
}

/*
 * What is looked at stays, so it cannot be taken in parts.  Between processes the kernel waits for
 * the first of it only; elsewhere a socket is called ready when as much is there as its option
 * says.
 */
static long look_at_all(struct pl_syscall *c, unsigned flags, uint64_t bytes, uint64_t pc)
{
    int before = 1, wanted = bytes < INT_MAX ? (int)bytes : INT_MAX;
    socklen_t size = sizeof(int);
    struct pl_syscall look = *c;

    look.a[flags] = (look.a[flags] & ~(uint64_t)MSG_WAITALL) | MSG_DONTWAIT;
    pl_sys(SYS_getsockopt, c->a[0], SOL_SOCKET, SO_RCVLOWAT, &before, &size);
    pl_sys(SYS_setsockopt, c->a[0], SOL_SOCKET, SO_RCVLOWAT, &wanted, size);
    if (!pl_ask_ready(PL_ASK_IN, c))
        pl_calls_wait_again(c, pc);
    look.a[0] = c->a[0]; /* it may have been given up */
    pl_sys(SYS_setsockopt, look.a[0], SOL_SOCKET, SO_RCVLOWAT, &before, size);
    return pl_calls_now(&look);
}

/* ---- several pieces ---- */

/* Piece by piece, each as a call `like` that has one buffer; the first `done` bytes are through. */
static long pieces(struct pl_syscall like, const struct iovec *v, uint64_t n, uint64_t done,
                   uint64_t pc)
{
    uint64_t skip = done;

    for (uint64_t i = 0; i < n; i++) {
        if (skip >= v[i].iov_len) {
            skip -= v[i].iov_len;
            continue;
        }
        struct pl_syscall one = like;

        one.a[1] = (uint64_t)v[i].iov_base + skip;
        one.a[2] = v[i].iov_len - skip;
        long got = one.number == SYS_recvfrom ? receive_all(&one, pc) : write_all(&one, pc);

        if (got < 0)
            return done_or(done, got);
        done += (uint64_t)got;
        if ((uint64_t)got < one.a[2])
            break;
        like.a[0] = one.a[0]; /* it may have been given up */
        skip = 0;
    }
    return (long)done;
}

/* A message in a stream: whatever goes with it goes with its first part. */
static long message(struct pl_syscall *c, uint64_t pc)
{
    const struct msghdr *m = (const struct msghdr *)c->a[1];
    bool in = c->number == SYS_recvmsg;
    struct pl_syscall first = *c;

    first.a[2] = (c->a[2] & ~(uint64_t)MSG_WAITALL) | MSG_DONTWAIT;
    for (;;) {
        long n = pl_calls_now(&first);

        if (n > 0 && (uint64_t)n < pl_calls_bytes(m->msg_iov, m->msg_iovlen))
            return pieces(
                (struct pl_syscall){in ? SYS_recvfrom : SYS_sendto, {c->a[0], 0, 0, c->a[2], 0, 0}},
                m->msg_iov, m->msg_iovlen, (uint64_t)n, pc);
        if (n != -EAGAIN)
            return n;
        long error = pl_calls_wait_again(c, pc);

        if (error != 0)
            return error;
        first.a[0] = c->a[0];
    }
}

/* ---- again, after each change ---- */

/* `now` is the call in a form that does not wait; argument: the descriptor whose flags say that
 * instead, or -1. */
static long retry(struct pl_syscall *c, struct pl_syscall now, int argument, uint64_t pc)
{
    unsigned held = pl_ask_descriptors(c);
    bool waited = false;

    for (;;) {
        for (unsigned i = 0; i < 6; i++)
            now.a[i] = (held >> i & 1) != 0 ? c->a[i] : now.a[i];
        long rc = argument >= 0 ? without_waiting(&now, c->a[argument]) : pl_calls_now(&now);

        if (waited && rc == -EINVAL && pl_arguments_of(c->number)->interrupted)
            return -EIDRM; /* removed while it waited */
        if (rc != -EAGAIN && rc != -ENOMSG)
            return rc;
        rc = pl_calls_wait_change(c, pc);
        if (rc != 0)
            return rc;
        waited = true;
    }
}

/* The same call, told not to wait. */
static struct pl_syscall told_not_to(const struct pl_syscall *c)
{
    const struct pl_arguments *g = pl_arguments_of(c->number);
    struct pl_syscall now = *c;

    PL_ASSERT(g->nowait != 0);
    now.a[g->nowait - 1] |= g->nowait_flag;
    return now;
}

/* All of it at once, as soon as it can be: of a message, when there is one or room for one. */
static long retry_told(struct pl_syscall *c, uint64_t pc)
{
    return retry(c, told_not_to(c), -1, pc);
}

static bool is_socket(uint64_t fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_fstat, fd, &st) == 0 && S_ISSOCK(st.st_mode);
}

/* To a socket everything is sent, to a pipe as much as there is room for. */
static long send_file(struct pl_syscall *c, uint64_t pc)
{
    bool all = is_socket(c->a[0]);
    uint64_t size = c->a[3], done = 0;

    while (done < size) {
        struct pl_syscall part = *c;

        part.a[3] = size - done;
        long n = retry(c, part, 0, pc);

        if (n < 0)
            return done_or(done, n);
        done += (uint64_t)n;
        if (n == 0 || !all)
            break;
    }
    return (long)done;
}

/* ---- several messages ---- */

static long one_message(struct pl_syscall *c, struct mmsghdr *m, uint64_t flags, uint64_t pc)
{
    bool in = c->number == SYS_recvmmsg;
    struct pl_syscall one = {in ? SYS_recvmsg : SYS_sendmsg,
                             {c->a[0], (uint64_t)&m->msg_hdr, flags, 0, 0, 0}};
    bool parts = pl_ask_is_stream(c) && (!in || (flags & MSG_WAITALL) != 0);
    long n = (flags & MSG_DONTWAIT) != 0 ? pl_calls_now(&one)
             : parts                     ? message(&one, pc)
                                         : retry_told(&one, pc);

    c->a[0] = one.a[0]; /* it may have been given up */
    if (n >= 0)
        m->msg_len = (unsigned)n;
    return n;
}

static long messages(struct pl_syscall *c, uint64_t pc)
{
    struct mmsghdr *m = (struct mmsghdr *)c->a[1];
    const struct timespec *limit =
        c->number == SYS_recvmmsg ? (const struct timespec *)c->a[4] : NULL;
    uint64_t end = limit != NULL ? pl_clock_now() + pl_clock_ns(limit) : PL_NEVER;
    uint64_t flags = c->a[3] & ~(uint64_t)MSG_WAITFORONE, done = 0;

    if (!pl_clock_is_time(limit))
        return -EINVAL;
    while (done < c->a[2]) {
        bool only_first = (c->a[3] & MSG_WAITFORONE) != 0 && done > 0;

        /* The kernel takes them one by one: others may come in between. */
        if (done > 0 && pl_calls_wait_as(c, PL_ASK_NEVER, pc) != 0)
            break;
        long n = one_message(c, &m[done], only_first ? flags | MSG_DONTWAIT : flags, pc);

        if (n < 0)
            return done_or(done, n);
        done++;
        if (pl_clock_now() >= end)
            break;
    }
    return (long)done;
}

/* ---- which are these ---- */

static bool is_counter(uint64_t fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    return pl_sys(SYS_fstat, fd, &st) == 0 && (st.st_mode & S_IFMT) == 0;
}

static bool is_unix(uint64_t fd)
{
    int domain = 0, size = sizeof(domain);

    return pl_sys(SYS_getsockopt, fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) == 0 &&
           domain == AF_UNIX;
}

static bool is_nonblocking(uint64_t fd)
{
    return (pl_sys(SYS_fcntl, fd, F_GETFL) & O_NONBLOCK) != 0;
}

/* Of those that move bytes between two: neither they nor one of the two says that they do not. */
static bool moves_waiting(const struct pl_syscall *c)
{
    unsigned all = pl_ask_descriptors(c);

    for (unsigned i = 0; all >> i != 0; i++) {
        if ((all >> i & 1) != 0 && is_nonblocking(c->a[i]))
            return false;
    }
    return !pl_ask_is_told_not_to(c);
}

/* A connection that the other side has not answered yet; the last call says what came of it. */
static long connect_waiting(struct pl_syscall *c, uint64_t pc)
{
    for (;;) {
        long rc = without_waiting(c, c->a[0]);

        if (rc != -EINPROGRESS && rc != -EALREADY)
            return rc;
        rc = pl_ask_ready(PL_ASK_REPLY, c) ? 0 : pl_calls_wait_as(c, PL_ASK_REPLY, pc);
        if (rc != 0)
            return rc == -EAGAIN ? -EINPROGRESS : rc;
    }
}

/* ---- what the kernel was asked to do ---- */

/* Submitted first, then waited for. */
static long enter_ring(struct pl_syscall *c, uint64_t pc)
{
    struct pl_syscall submit = *c, wait = *c;
    long n = 0, rc = 0;

    if (c->a[1] > 0) {
        submit.a[2] = submit.a[4] = submit.a[5] = 0;
        submit.a[3] &= ~(uint64_t)(IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG);
        n = pl_calls_now(&submit);
        if (n < 0 || (uint64_t)n < c->a[1])
            return n;
        wait.a[1] = 0;
        rc = pl_ask_ready(PL_ASK_EVENTS, &wait) ? 0 : pl_calls_wait_again(&wait, pc);
    }
    return rc == 0 || n > 0 ? n : rc;
}

static long get_events(struct pl_syscall *c, uint64_t pc)
{
    static const struct timespec none = {0, 0};
    struct pl_syscall left = *c;
    uint64_t done = 0;

    for (;;) {
        struct pl_syscall now = left;

        bool ready = pl_ask_ready(PL_ASK_EVENTS, &left); /* or its time is over */

        now.a[4] = (uint64_t)&none;
        long n = pl_calls_now(&now);

        if (n < 0)
            return done_or(done, n);
        done += (uint64_t)n;
        if (done >= c->a[1] || !ready)
            return (long)done;
        left.a[1] = c->a[1] - done;
        left.a[2] = c->a[2] - done;
        left.a[3] = c->a[3] + done * sizeof(struct io_event);
        long rc = pl_calls_wait_again(&left, pc);

        if (rc != 0)
            return done_or(done, rc);
    }
}

/*
 * Beside a client.  Who starts one by hand does so when the server is up; here that is when it can
 * be reached.  What is sent is to be there at once, since no time passes.
 */
static long reach(struct pl_syscall *c, uint64_t pc)
{
    bool waits = is_unix(c->a[0]) && !is_nonblocking(c->a[0]);

    for (;;) {
        long rc = waits                     ? without_waiting(c, c->a[0])
                  : is_nonblocking(c->a[0]) ? pl_calls_now(c)
                                            : connect_waiting(c, pc);

        if (!pl_ports.client->waits(rc) && (rc != -EAGAIN || !waits))
            return rc;
        pl_stage->process.calls_changed--; /* others who wait like this need not try again */
        rc = pl_calls_wait_change(c, pc);
        if (rc != 0)
            return rc;
    }
}

/* What is written to a socket is sent: as one message, or as far as there is room in a stream. */
static long send_written(struct pl_syscall *c, struct iovec one, const struct iovec *v, uint64_t n,
                         uint64_t pc)
{
    struct msghdr m = {.msg_iov = v != NULL ? (struct iovec *)v : &one,
                       .msg_iovlen = v != NULL ? n : 1};
    struct pl_syscall send = {SYS_sendmsg, {c->a[0], (uint64_t)&m, 0, 0, 0, 0}};
    long result = pl_ask_is_stream(c) ? message(&send, pc) : retry_told(&send, pc);

    c->a[0] = send.a[0]; /* it may have been given up */
    return result;
}

/* ---- opening a FIFO ---- */

/*
 * The end without the wait.  The kernel opens none to write before somebody reads, unless it may
 * wait; for as long as that takes there is somebody.
 */
static long arrive(const struct pl_syscall *c)
{
    struct pl_syscall now = *c;
    const char *path;
    uint64_t flags;
    int folder;

    pl_plan_opening(c, &folder, &path, &flags);
    if (c->number == SYS_creat)
        now = (struct pl_syscall){SYS_open, {c->a[0], flags, c->a[1], 0, 0, 0}};
    now.a[c->number == SYS_openat ? 2 : 1] = flags | O_NONBLOCK;
    long fd = pl_calls_now(&now);

    if (fd == -ENXIO) {
        long reader = pl_sys(SYS_openat, folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC, 0);

        fd = pl_calls_now(&now);
        if (reader >= 0)
            pl_sys(SYS_close, reader);
    }
    if (fd >= 0)
        pl_sys(SYS_fcntl, fd, F_SETFL, flags & ~(uint64_t)O_NONBLOCK);
    return fd;
}

/* The kernel lets nobody in between: who finds the end there finds its thread waiting. */
void pl_parts_leave(void)
{
    struct pl_thread *t = pl_thread_self();
    struct pl_syscall c = PL_SYSCALL(SYS_close, (uint64_t)(t->io.end - 1));

    if (t->io.end == 0)
        return;
    t->io.end = 0;
    t->woken = t->call.cancellable = false;
    pl_calls_now(&c);
}

static long open_end(struct pl_syscall *c, uint64_t pc)
{
    const struct pl_plan plan = {
        .first = PL_DEPEND_FILES, .first_effect = PL_EFFECT_WRITE, .wait = PL_ASK_PARTNER};
    struct pl_thread *t = pl_thread_self();
    long fd = arrive(c);

    if (fd < 0 || pl_fifo_has_partner((int)fd))
        return fd;
    t->io.end = (int32_t)fd + 1;
    t->woken = false;
    long error = pl_calls_come(c, &plan, t->call.cancellable, pc);

    if (error != 0) {
        pl_parts_leave();
        return error;
    }
    t->io.end = 0;
    t->woken = false;
    return fd;
}

/* ---- as rows name them ---- */

/*
 * Each makes a call that waits as `wait` says, behind its point.  False: it does not wait in its
 * middle, and nothing has been done.
 */
typedef bool part(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result);

static bool opening(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!pl_fifo_is_opening(c))
        return false;
    *result = open_end(c, pc);
    return true;
}

/* Of queues of System V, and what is sent as a whole. */
static bool whole(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!pl_ask_is_blocking(wait, c))
        return false;
    *result = retry_told(c, pc);
    return true;
}

/* SPLICE_F_NONBLOCK is about pipes only. */
static bool spliced(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!moves_waiting(c))
        return false;
    *result = retry(c, told_not_to(c), is_socket(c->a[2]) ? 2 : -1, pc);
    return true;
}

static bool copied(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!moves_waiting(c))
        return false;
    *result = retry_told(c, pc);
    return true;
}

/* Where it comes from never waits. */
static bool sent_file(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (is_nonblocking(c->a[0]))
        return false;
    *result = send_file(c, pc);
    return true;
}

static bool connected(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    bool to_client = pl_stage->process.client.main != 0;

    if (!to_client && (!is_socket(c->a[0]) || is_nonblocking(c->a[0])))
        return false;
    *result = to_client          ? reach(c, pc)
              : is_unix(c->a[0]) ? retry(c, *c, 0, pc)
                                 : connect_waiting(c, pc);
    return true;
}

static bool entered(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if ((c->a[3] & IORING_ENTER_GETEVENTS) == 0 || c->a[2] == 0)
        return false;
    *result = enter_ring(c, pc);
    return true;
}

static bool got_events(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!pl_ask_is_blocking(wait, c))
        return false;
    *result = get_events(c, pc);
    return true;
}

static bool written(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!pl_ask_is_blocking(wait, c))
        return false;
    if (is_socket(c->a[0]))
        *result = send_written(c, (struct iovec){(void *)c->a[1], c->a[2]}, NULL, 0, pc);
    else if (is_counter(c->a[0]))
        *result = retry(c, *c, 0, pc);
    else if (c->a[2] > PIPE_BUF)
        *result = write_all(c, pc);
    else if (pl_pipe_room_fits(pl_thread_self(), c))
        *result = retry(c, *c, 0, pc);
    else
        return false;
    return true;
}

static bool written_pieces(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    const struct iovec *v = (const struct iovec *)c->a[1];

    if (!pl_ask_is_blocking(wait, c))
        return false;
    if (pl_calls_bytes(v, c->a[2]) == 0) /* nothing, and no empty message either */
        return false;
    if (is_socket(c->a[0]))
        *result = send_written(c, (struct iovec){0}, v, c->a[2], pc);
    else if (pl_calls_bytes(v, c->a[2]) > PIPE_BUF)
        *result =
            pieces((struct pl_syscall){SYS_write, {c->a[0], 0, 0, 0, 0, 0}}, v, c->a[2], 0, pc);
    else if (pl_pipe_room_fits(pl_thread_self(), c))
        *result = retry(c, *c, 0, pc);
    else
        return false;
    return true;
}

static bool sent(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!pl_ask_is_blocking(wait, c))
        return false;
    *result = c->a[4] == 0 && pl_ask_is_stream(c) ? write_all(c, pc) : retry_told(c, pc);
    return true;
}

static bool sent_message(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!pl_ask_is_blocking(wait, c))
        return false;
    *result = pl_ask_is_stream(c) ? message(c, pc) : retry_told(c, pc);
    return true;
}

static bool received(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    bool all = (c->a[3] & MSG_WAITALL) != 0, looks = (c->a[3] & MSG_PEEK) != 0;
    uint64_t least = all ? c->a[2] : looks ? 1 : least_of(c);

    if (least <= 1 || !pl_ask_is_blocking(wait, c))
        return false;
    *result = looks ? look_at_all(c, 3, least, pc) : receive_least(c, least, pc);
    return true;
}

static bool read_from(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    struct pl_syscall one = {SYS_recvfrom, {c->a[0], c->a[1], c->a[2], 0, 0, 0}};
    uint64_t least = least_of(&one);

    if (least <= 1 || !pl_ask_is_blocking(wait, c))
        return false;
    *result = receive_least(&one, least, pc);
    c->a[0] = one.a[0]; /* it may have been given up */
    return true;
}

static bool received_message(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if ((c->a[2] & MSG_WAITALL) == 0 || !pl_ask_is_blocking(wait, c) || !pl_ask_is_stream(c))
        return false;
    const struct msghdr *m = (const struct msghdr *)c->a[1];

    *result = (c->a[2] & MSG_PEEK) != 0
                  ? look_at_all(c, 2, pl_calls_bytes(m->msg_iov, m->msg_iovlen), pc)
                  : message(c, pc);
    return true;
}

static bool several(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    if (!pl_ask_is_blocking(wait, c))
        return false;
    *result = messages(c, pc);
    return true;
}

bool pl_parts_make(struct pl_syscall *c, unsigned wait, uint64_t pc, long *result)
{
    static const struct {
        part *make;
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define PARTS(function) .make = function,
#include "runtime/ground/calls.def"
    };
    part *make = rules[pl_arguments_row(c->number)].make;

    return make != NULL && make(c, wait, pc, result);
}
