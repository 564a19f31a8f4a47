/* SPDX-License-Identifier: MIT */
/*
 * Input and output through descriptors.  Where threads are scheduled each call is an operation of
 * calls.h; what is special here is what the world has to say: streams are recorded, or fed, and
 * detectors are told what orders threads.
 */
#include "runtime/system/libc_io.h"

#include "base/sys.h"
#include "model/inputs.h"
#include "runtime/core/sched.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/own_calls.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_order.h"
#include "runtime/system/functions.h"
#include "runtime/system/signalfd.h"

#include <errno.h>
#include <poll.h>
#include <unistd.h>

void __chk_fail(void) __attribute__((noreturn)); /* of libc: a buffer is too small */

/* A call that is being made. */
struct io {
    struct pl_syscall call;
    uint64_t pc;      /* 0: it is not under control, and libc makes it */
    long error;       /* as the kernel says it, when it is over before it could be made */
    uint64_t channel; /* what carries an order through it */
};

static struct io io_of(long number, uint64_t a, const void *b, uint64_t c, uint64_t d)
{
    return (struct io){.call = PL_SYSCALL(number, a, (uint64_t)b, c, d)};
}

/* The point of a call where threads are scheduled. */
static bool come(struct io *io, uint64_t pc)
{
    io->pc = pc;
    io->error = pl_calls_point(&io->call, pc);
    io->channel = pl_order_channel((int)io->call.a[0]); /* whose number may be another one now */
    return io->error == 0;
}

/* Come to the point of the call; false when it is over already. */
static bool before(struct io *io, short events)
{
    int fd = (int)io->call.a[0];
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return true;
    /* What a read finds in a file depends on who has written before; writing has its own point. */
    if (!pl_as_free() || pl_ask_may_wait(fd) || (events == POLLIN && !pl_inputs_is_stream(fd)))
        return come(io, pc);
    t->io.record = 0;
    io->channel = pl_order_channel(fd);
    pl_cancel_check(pc);
    if (events == POLLOUT)
        pl_sched_point(PL_OP_OUTPUT, (void *)(uintptr_t)(fd + 1), 0, 0, pc);
    return true;
}

/* The call itself, or what libc makes of it where nothing is controlled. */
#define MAKE(io, real) \
    ((io)->pc != 0 ? pl_calls_result(pl_calls_make(&(io)->call, (io)->pc)) : (real))

static void leave(const struct io *io)
{
    if (io->pc != 0 && io->error == 0)
        pl_calls_end(pl_thread_self()->call.cancellable, io->pc);
}

#define IO struct io __attribute__((cleanup(leave)))

static ssize_t over(const struct io *io)
{
    return pl_calls_result(io->error);
}

/* The result of a call that reads; it has taken up what was written before. */
static ssize_t have_read(const struct io *io, ssize_t n)
{
    if (n >= 0)
        pl_order_tell(PL_SYNC_RECEIVE, io->channel);
    return n;
}

/* A call that writes is about to be made. */
static bool before_write(struct io *io)
{
    bool may = before(io, POLLOUT);

    pl_order_tell(PL_SYNC_SEND, io->channel);
    return may;
}

/* The bytes that a call has read. */
static uint64_t read_bytes(ssize_t n)
{
    return n > 0 ? (uint64_t)n : 0;
}

PL_INTERPOSE(ssize_t, read, (int fd, void *buffer, size_t size))
{
    struct pl_call who = PL_CALL_ENTERED;

    IO io = io_of(SYS_read, (uint64_t)fd, buffer, size, 0);

    if (!before(&io, POLLIN))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_READ, fd);
    struct pl_fill fill = pl_fill_begin(buffer, size, who);
    struct iovec v = {fill.at, size};

    io.call.a[1] = (uint64_t)fill.at;
    ssize_t n = have_read(
        &io, r != NULL ? pl_inputs_scatter(r, &v, 1)
                       : pl_inputs_gather(fd, MAKE(&io, pl_real.read(fd, fill.at, size)), &v, 1));

    pl_fill_end(&fill, read_bytes(n), who);
    pl_signalfd_was_read(fd, buffer, n);
    return n;
}

PL_INTERPOSE(ssize_t, __read_chk, (int fd, void *buffer, size_t size, size_t room))
{
    if (size > room)
        __chk_fail();
    return pl_in_read(fd, buffer, size);
}

PL_INTERPOSE(ssize_t, readv, (int fd, const struct iovec *v, int n))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (pl_call_wanted(who) && n > 0)
        pl_call_touches(v, (uint64_t)n * sizeof(*v), false, who);
    IO io = io_of(SYS_readv, (uint64_t)fd, v, (uint64_t)n, 0);

    if (!before(&io, POLLIN))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_READ, fd);
    struct pl_fill fill = pl_fill_begin_pieces(v, n, who);
    struct iovec one = {fill.at, fill.at != NULL ? pl_calls_bytes(v, (size_t)n) : 0};
    const struct iovec *to = fill.at != NULL ? &one : v;
    int m = fill.at != NULL ? 1 : n;

    io.call.a[1] = (uint64_t)to;
    io.call.a[2] = (uint64_t)m;
    ssize_t got = have_read(
        &io, r != NULL ? pl_inputs_scatter(r, to, m)
                       : pl_inputs_gather(fd, MAKE(&io, pl_real.readv(fd, to, m)), to, m));

    pl_fill_end_pieces(&fill, v, n, read_bytes(got), who);
    return got;
}

static ssize_t have_written(const struct io *io, ssize_t n)
{
    int error = errno, fd = (int)io->call.a[0];

    /* Files that nobody waits for are written to as libc does it; their signals come, too. */
    if (n < 0 && io->pc == 0 && pl_on() &&
        (pl_free ? pl_monitor_holds() : pl_board->settings.starts_chosen) && !pl_inside()) {
        pl_calls_failed(-error);
        errno = error;
    }
    return pl_inputs_is_stream(fd) ? pl_inputs_keep(PL_INPUT_WRITE, fd, n) : n;
}

/* What a call sends; first of all, while the entry is known. */
#define SENDS(call, p, n)                     \
    do {                                      \
        struct pl_call who = PL_CALL_ENTERED; \
        if (pl_call_wanted(who))              \
            pl_call_sends(p, n, call, who);   \
    } while (0)

PL_INTERPOSE(ssize_t, write, (int fd, const void *buffer, size_t size))
{
    SENDS("write", buffer, size);
    IO io = io_of(SYS_write, (uint64_t)fd, buffer, size, 0);

    if (!before_write(&io))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_WRITE, fd);

    return r != NULL ? pl_inputs_result(r, (ssize_t)size)
                     : have_written(&io, MAKE(&io, pl_real.write(fd, buffer, size)));
}

PL_INTERPOSE(ssize_t, writev, (int fd, const struct iovec *v, int n))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (pl_call_wanted(who))
        pl_call_sends_pieces(v, n, "writev", who);
    IO io = io_of(SYS_writev, (uint64_t)fd, v, (uint64_t)n, 0);

    if (!before_write(&io))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_WRITE, fd);

    return r != NULL ? pl_inputs_result(r, (ssize_t)pl_calls_bytes(v, (size_t)n))
                     : have_written(&io, MAKE(&io, pl_real.writev(fd, v, n)));
}

/* ---- for a thread of libc ---- */

static struct io io_at(long at, long plain, const struct pl_io_job *job)
{
    bool seeks = pl_sys(at, job->fd, NULL, 0, job->offset) != -ESPIPE; /* as libc finds out */

    pl_thread_self()->entry = NULL;
    pl_count_event(job->pc);
    return io_of(seeks ? at : plain, (uint64_t)job->fd, job->buffer, job->size,
                 (uint64_t)job->offset);
}

ssize_t pl_io_read_job(const struct pl_io_job *job)
{
    struct pl_call who = {.pc = job->pc};
    IO io = io_at(SYS_pread64, SYS_read, job);

    if (!come(&io, job->pc))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_READ, job->fd);
    struct pl_fill fill = pl_fill_begin(job->buffer, job->size, who);
    struct iovec v = {fill.at, job->size};

    io.call.a[1] = (uint64_t)fill.at;
    ssize_t n = have_read(&io, r != NULL ? pl_inputs_scatter(r, &v, 1)
                                         : pl_inputs_gather(job->fd, MAKE(&io, -1), &v, 1));

    pl_fill_end(&fill, read_bytes(n), who);
    return n;
}

ssize_t pl_io_write_job(const struct pl_io_job *job)
{
    struct pl_call who = {.pc = job->pc};

    pl_call_touches(job->buffer, job->size, false, who);
    IO io = io_at(SYS_pwrite64, SYS_write, job);
    bool may = come(&io, job->pc);

    pl_order_tell(PL_SYNC_SEND, io.channel);
    if (!may)
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_WRITE, job->fd);

    return r != NULL ? pl_inputs_result(r, (ssize_t)job->size) : have_written(&io, MAKE(&io, -1));
}

PL_INTERPOSE(ssize_t, send, (int fd, const void *buffer, size_t size, int flags))
{
    SENDS("send", buffer, size);
    IO io = io_of(SYS_sendto, (uint64_t)fd, buffer, size, (uint64_t)flags);

    if (!before_write(&io))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_WRITE, fd);

    return r != NULL ? pl_inputs_result(r, (ssize_t)size)
                     : have_written(&io, MAKE(&io, pl_real.send(fd, buffer, size, flags)));
}

PL_INTERPOSE(ssize_t, sendto,
             (int fd, const void *buffer, size_t size, int flags, const struct sockaddr *to,
              socklen_t n))
{
    SENDS("sendto", buffer, size);
    SENDS("sendto", to, n);
    IO io = io_of(SYS_sendto, (uint64_t)fd, buffer, size, (uint64_t)flags);

    io.call.a[4] = (uint64_t)to;
    io.call.a[5] = n;
    if (!before_write(&io))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_WRITE, fd);

    return r != NULL ? pl_inputs_result(r, (ssize_t)size)
                     : have_written(&io, MAKE(&io, pl_real.sendto(fd, buffer, size, flags, to, n)));
}

PL_INTERPOSE(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (pl_call_wanted(who)) {
        pl_call_touches(m, sizeof(*m), false, who);
        pl_call_touches(m->msg_name, m->msg_namelen, false, who);
        pl_call_touches(m->msg_control, m->msg_controllen, false, who);
        pl_call_sends_pieces(m->msg_iov, (int64_t)m->msg_iovlen, "sendmsg", who);
    }
    IO io = io_of(SYS_sendmsg, (uint64_t)fd, m, (uint64_t)flags, 0);

    if (!before_write(&io))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_WRITE, fd);

    return r != NULL ? pl_inputs_result(r, (ssize_t)pl_calls_bytes(m->msg_iov, m->msg_iovlen))
                     : have_written(&io, MAKE(&io, pl_real.sendmsg(fd, m, flags)));
}

PL_INTERPOSE(ssize_t, recv, (int fd, void *buffer, size_t size, int flags))
{
    struct pl_call who = PL_CALL_ENTERED;

    IO io = io_of(SYS_recvfrom, (uint64_t)fd, buffer, size, (uint64_t)flags);

    if (!before(&io, POLLIN))
        return over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_READ, fd);
    struct pl_fill fill = pl_fill_begin(buffer, size, who);
    struct iovec v = {fill.at, size};

    io.call.a[1] = (uint64_t)fill.at;
    ssize_t n = have_read(
        &io, r != NULL
                 ? pl_inputs_scatter(r, &v, 1)
                 : pl_inputs_gather(fd, MAKE(&io, pl_real.recv(fd, fill.at, size, flags)), &v, 1));

    pl_fill_end(&fill, read_bytes(n), who);
    return n;
}

PL_INTERPOSE(ssize_t, __recv_chk, (int fd, void *buffer, size_t size, size_t room, int flags))
{
    if (size > room)
        __chk_fail();
    return pl_in_recv(fd, buffer, size, flags);
}

/* An address that a call stores, as far as there is room, with its length. */
static void takes_address(const struct sockaddr *from, const socklen_t *n, struct pl_call who)
{
    if (!pl_call_wanted(who) || from == NULL || n == NULL)
        return;
    pl_call_touches(n, sizeof(*n), true, who);
    pl_call_touches(from, (int)*n > 0 ? *n : 0, true, who); /* what is below is refused */
}

/* recvmsg() as it is, without point and detectors. */
static ssize_t receive(struct io *io, struct msghdr *m, int flags)
{
    int fd = (int)io->call.a[0];
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_READ, fd);

    if (r != NULL)
        return pl_socket_receive(r, m);
    socklen_t name_room = m->msg_namelen;

    if (io->pc != 0)
        io->call = PL_SYSCALL(SYS_recvmsg, (uint64_t)fd, (uint64_t)m, (uint64_t)flags);
    return pl_socket_received(fd, MAKE(io, pl_real.recvmsg(fd, m, flags)), m, name_room);
}

PL_INTERPOSE(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (pl_call_wanted(who)) {
        pl_call_touches(message, sizeof(*message), true, who);
        pl_call_touches(message->msg_name, message->msg_namelen, true, who);
        pl_call_touches(message->msg_control, message->msg_controllen, true, who);
        pl_call_touches(message->msg_iov, message->msg_iovlen * sizeof(struct iovec), false, who);
    }
    IO io = io_of(SYS_recvmsg, (uint64_t)fd, message, (uint64_t)flags, 0);

    if (!before(&io, POLLIN))
        return over(&io);
    struct iovec *v = message->msg_iov;
    size_t n = message->msg_iovlen;
    struct pl_fill fill = pl_fill_begin_pieces(v, (int64_t)n, who);
    struct iovec one = {fill.at, fill.at != NULL ? pl_calls_bytes(v, n) : 0};

    if (fill.at != NULL) {
        message->msg_iov = &one;
        message->msg_iovlen = 1;
    }
    ssize_t got = have_read(&io, receive(&io, message, flags));

    got = pl_own_passed(SYS_recvmsg, (uint64_t)fd, (uint64_t)message, (uint64_t)flags, 0, got);
    message->msg_iov = v;
    message->msg_iovlen = n;
    pl_fill_end_pieces(&fill, v, (int64_t)n, read_bytes(got), who);
    return got;
}

PL_INTERPOSE(ssize_t, recvfrom,
             (int fd, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *n))
{
    struct pl_call who = PL_CALL_ENTERED;

    takes_address(from, n, who);
    IO io = io_of(SYS_recvfrom, (uint64_t)fd, buffer, size, (uint64_t)flags);

    if (!before(&io, POLLIN))
        return over(&io);
    struct pl_fill fill = pl_fill_begin(buffer, size, who);

    io.call.a[1] = (uint64_t)fill.at;
    io.call.a[4] = (uint64_t)from;
    io.call.a[5] = (uint64_t)n;
    struct iovec v = {fill.at, size};
    struct msghdr m = {
        .msg_name = from, .msg_namelen = n != NULL ? *n : 0, .msg_iov = &v, .msg_iovlen = 1};
    bool stream = pl_inputs_is_stream(fd);
    ssize_t got = stream ? receive(&io, &m, flags)
                         : MAKE(&io, pl_real.recvfrom(fd, fill.at, size, flags, from, n));

    if (stream && got >= 0 && from != NULL && n != NULL)
        *n = m.msg_namelen;
    have_read(&io, got);
    pl_fill_end(&fill, read_bytes(got), who);
    return got;
}

/* __recvfrom_chk(fd, buffer, size, room, flags, from, n): the last one is on the stack. */
__asm__(PL_SLOT(__recvfrom_chk, pl_recvfrom_checked) "pl_recvfrom_checked:\n"
                                                     "\t.cfi_startproc\n"
                                                     "\tcmp %rcx, %rdx\n\tja 1f\n"
                                                     "\tmov %r8, %rcx\n\tmov %r9, %r8\n"
                                                     "\tmov 8(%rsp), %r9\n"
                                                     "\tjmp pl_stub_recvfrom\n"
                                                     "1:\tsub $8, %rsp\n"
                                                     "\t.cfi_adjust_cfa_offset 8\n"
                                                     "\tcall __chk_fail@PLT\n"
                                                     "\t.cfi_endproc\n");

/* Whoever reads the end of what comes through it knows what happened before. */
PL_INTERPOSE(int, close, (int fd))
{
    pl_cancel_call(pl_entry()[6]);
    struct pl_syscall c = PL_SYSCALL(SYS_close, (uint64_t)fd);
    struct pl_thread *t;
    uint64_t pc = 0;

    if (pl_fd_is_own(fd))
        return (int)pl_calls_result(-EBADF);
    if (pl_on() && (!pl_as_free() || pl_ask_may_wait(fd)) && pl_begin(&t, &pc))
        pl_calls_point(&c, pc);
    pl_order_sends(fd);
    if (pl_works())
        pl_inputs_forget(fd);
    if (pc == 0)
        return pl_real.close(fd);
    int rc = (int)pl_calls_result(pl_calls_make(&c, pc));

    pl_calls_end(rc == 0, pc);
    return rc;
}

/* Where calls are not trapped, or not yet. */
static bool is_made_here(void)
{
    return !pl_on() || pl_free || !pl_stage->restart.watched;
}

PL_INTERPOSE(int, close_range, (unsigned first, unsigned last, int flags))
{
    return is_made_here() ? (int)pl_calls_result(pl_fd_close_range(first, last, (unsigned)flags))
                          : PL_FALLBACK(close_range)(first, last, flags);
}

PL_INTERPOSE(void, closefrom, (int first))
{
    if (is_made_here())
        pl_fd_close_range(first < 0 ? 0 : (unsigned)first, UINT32_MAX, 0);
    else
        PL_FALLBACK(closefrom)(first);
}

PL_INTERPOSE(int, accept4, (int fd, struct sockaddr *from, socklen_t *n, int flags))
{
    takes_address(from, n, PL_CALL_ENTERED);
    socklen_t room = n != NULL ? *n : 0;

    IO io = io_of(SYS_accept4, (uint64_t)fd, from, (uint64_t)n, (uint64_t)flags);

    if (!before(&io, POLLIN))
        return (int)over(&io);
    const struct pl_input_record *r = pl_inputs_fed(PL_INPUT_ACCEPT, fd);
    int made = r != NULL ? pl_socket_accept(r, from, n, flags)
                         : (int)MAKE(&io, pl_real.accept4(fd, from, n, flags));

    if (r == NULL)
        pl_socket_accepted(fd, made, from, n, room);
    return (int)have_read(&io, made);
}

PL_INTERPOSE(int, accept, (int fd, struct sockaddr *from, socklen_t *n))
{
    return pl_in_accept4(fd, from, n, 0);
}
