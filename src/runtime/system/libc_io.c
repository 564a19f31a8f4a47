/* SPDX-License-Identifier: MIT */
/*
 * Input and output through descriptors.  Where threads are scheduled each call is an operation of
 * calls.h; what is special here is what the world has to say: streams are recorded, or fed, and
 * detectors are told what orders threads.  When nobody else can go on, the worker waits for the
 * outside world.
 *
 * On the free carrier, and in a replay of what was recorded there, calls that may wait are
 * operations of this file, enabled when poll() says so.
 */
#include "runtime/system/libc_io.h"
#include "runtime/system/libc_time.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/depend.h"
#include "model/inputs.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/about.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/own_calls.h"
#include "runtime/restart/rollback.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/calls_order.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/children.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/others.h"
#include "runtime/system/outside.h"
#include "runtime/system/processes.h"
#include "runtime/system/signal_outside.h"
#include "runtime/system/signal_queue.h"
#include "runtime/system/signalfd.h"
#include "runtime/system/stuck.h"
#include "runtime/system/timerfd.h"

#include <sys/ioctl.h>
#include <unistd.h>

void __chk_fail(void) __attribute__((noreturn)); /* of libc: a buffer is too small */

static short events_of(const struct pl_thread *t)
{
    return (short)(t->op.aux >> 16);
}

static int fd_of(const struct pl_thread *t)
{
    return (int)(t->op.aux & 0xffff);
}

int pl_io_stream(const struct pollfd *fds, nfds_t n)
{
    for (nfds_t i = 0; i < n; i++) {
        if (pl_inputs_is_stream(fds[i].fd))
            return fds[i].fd;
    }
    return -1;
}

/* A replay knows when the call could go on. */
static bool is_fed(const struct pl_thread *t)
{
    if (!pl_board->inputs.feeding)
        return false;
    return t->io.fds != NULL ? pl_io_stream(t->io.fds, t->io.n) >= 0
                             : pl_inputs_is_stream(fd_of(t));
}

/*
 * Who waits for several looks at all of them again when one of the files calls that it began with:
 * a number that was given up since is none of them.
 */
static bool is_called(const struct pl_thread *t)
{
    if (t->io.fds == NULL || t->io.holds || !pl_kept_any(t))
        return true;
    for (uint64_t i = 0; i < t->io.n; i++) {
        struct pollfd p = {.fd = pl_kept_fd(t, t->io.fds[i].fd), .events = t->io.fds[i].events};

        if (pl_sys(SYS_poll, &p, 1, 0) > 0)
            return true;
    }
    return false;
}

/* Whether what it waits for is there. */
static bool is_ready(const struct pl_thread *t)
{
    struct pollfd p = {.fd = fd_of(t), .events = events_of(t)};
    bool ready;

    if (t->call.now != NULL)
        return pl_calls_can_go_on(t);
    if (is_fed(t))
        return pl_inputs_ready(t);
    PL_ASSERT(t->op.kind == PL_OP_IO);
    pl_signalfd_show(t);
    if (t->io.fds != NULL)
        pl_rollback_touch(t->io.fds, t->io.n * sizeof(struct pollfd));
    ready = is_called(t) && pl_sys(SYS_poll, t->io.fds != NULL ? t->io.fds : &p,
                                   t->io.fds != NULL ? t->io.n : 1, 0) != 0;
    pl_inputs_seen(pl_thread_by_id(t->id), ready);
    return ready;
}

static bool is_waiting(const struct pl_thread *t)
{
    return t->state == PL_THREAD_ALIVE && t->announced &&
           (t->op.kind == PL_OP_IO || t->call.now != NULL);
}

/* Of those that a replay feeds and that could go on once, the first one does. */
static bool release_first(void)
{
    struct pl_thread *first = NULL;

    for (pl_tid i = 0; pl_board->inputs.feeding && i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (is_waiting(t) && is_fed(t) && !t->io.released &&
            pl_inputs_ready_at(t) != PL_INPUT_NEVER &&
            (first == NULL || pl_inputs_ready_at(t) < pl_inputs_ready_at(first)))
            first = t;
    }
    PL_ASSERT(first == NULL || !first->io.released);
    if (first != NULL)
        first->io.released = true;
    return first != NULL;
}

static uint8_t awaited(const struct pl_thread *t)
{
    if (t->io.fds == NULL)
        return pl_ask_kind(fd_of(t));
    return t->io.n == 1 ? pl_ask_kind(t->io.fds[0].fd) : PL_OBJECT_DESCRIPTOR;
}

static void pause_for(const struct pl_thread *t, int ms)
{
    struct pollfd p = {.fd = fd_of(t), .events = events_of(t)};

    if (t->io.fds != NULL)
        pl_sys(SYS_poll, t->io.fds, t->io.n, ms);
    else
        pl_sys(SYS_poll, &p, 1, ms);
}

/*
 * Free threads that wait for the world are found by the clock, in the main thread:
 * that is a hang, which a replay knows at once.
 */
static void report_hang(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (!is_waiting(t) || !is_fed(t) || pl_inputs_ready_at(t) != PL_INPUT_NEVER)
            continue;
        pl_stage->current = 0;
        pl_ports.findings->hang(0);
    }
}

static bool any_outside(const struct pollfd *fds, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        if (fds[i].fd >= 0 && pl_ask_is_outside(fds[i].fd))
            return true;
    }
    return false;
}

/* Whether each thread waits for what only the program and its processes can do. */
static bool all_in_company(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);
        const struct pl_descriptor *d = pl_descriptor_of(t);

        if (t->state == PL_THREAD_ALIVE && d->pause != NULL &&
            (d->is_company == NULL || !d->is_company(t)))
            return false;
    }
    return true;
}

/* Nobody can go on: wait until some descriptor is ready.  False when no thread waits for one. */
bool pl_io_wait(void)
{
    bool any = false;

    if (release_first() || pl_signal_has_come())
        return true;
    if (pl_stage->process.forked && !pl_board->inputs.feeding && all_in_company() && pl_stuck_all())
        return false; /* they wait for each other */
    if (pl_others_wait())
        return true;
    if (pl_inputs_clocks_fed())
        report_hang();
    int ms = pl_outside_pause();

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (is_waiting(t) && t->call.now != NULL) {
            any |= pl_calls_outside(t, &ms);
            continue;
        }
        if (t->state != PL_THREAD_ALIVE || t->op.kind != PL_OP_IO || t->io.hopeless || is_fed(t))
            continue;
        struct pollfd p = {.fd = fd_of(t), .events = events_of(t)};
        struct pollfd *list = t->io.fds != NULL ? t->io.fds : &p;

        pl_signalfd_show(t);
        if (t->io.fds != NULL && !any_outside(list, t->io.n)) {
            if (pl_sys(SYS_poll, list, t->io.n, 0) != 0)
                return true;       /* by a process that has just ended */
            t->io.hopeless = true; /* nobody is left who could make them ready */
            continue;
        }
        bool alone = !pl_processes_run();

        if (pl_sys(SYS_poll, list, t->io.fds != NULL ? t->io.n : 1, ms) != 0) {
            if (alone)
                pl_outside_answered();
            return true;
        }
        if (alone && ++t->io.waits >= PL_OUTSIDE_TIMES) {
            t->io.hopeless = true;
            pl_outside_silent();
        }
        any = true;
        ms = 0;
    }
    return any || pl_signal_has_come(); /* of a process that has just ended */
}

static void start_wait(struct pl_thread *t, struct pollfd *fds, nfds_t n, int fd)
{
    PL_ASSERT(t == pl_thread_self());
    t->io.fds = fds;
    t->io.n = n;
    t->io.waits = 0;
    t->io.hopeless = t->io.released = t->io.late = false;
    pl_inputs_expect(t, fd);
}

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
    if (!pl_as_free() || pl_ask_may_wait(fd))
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

    pl_own_made_in_child(SYS_recvmsg, (uint64_t)fd, (uint64_t)message, (uint64_t)flags, 0, got);
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

/* Whether timers may be among them, whoever sets them and when. */
static bool any_timer(const struct pollfd *fds, nfds_t n)
{
    bool any = false;

    for (nfds_t i = 0; !pl_free && i < n; i++)
        any |= pl_timerfd_is(fds[i].fd) || (pl_about_is_set(fds[i].fd) && pl_timerfd_exists());
    return any;
}

static bool any_begins(const struct pollfd *fds, nfds_t n)
{
    bool any = false;

    for (nfds_t i = 0; i < n; i++)
        any |= pl_kept_begins(fds[i].fd);
    return any;
}

/* Which of them are ready may be up to a child; see children.h. */
static void tell_of_child(const struct pl_thread *t, const struct pollfd *fds, nfds_t n, bool looks)
{
    for (nfds_t i = 0; i < n && pl_children_matter(); i++) {
        if (fds[i].fd >= 0 && looks)
            pl_children_looked(fds[i].fd);
        else if (fds[i].fd >= 0)
            pl_children_waited(t, fds[i].fd);
    }
}

enum pl_way pl_io_await(struct pl_thread *t, struct pollfd *fds, nfds_t n, uint64_t limit,
                        uint64_t pc)
{
    uint64_t deadline = limit == PL_NEVER ? PL_NEVER : pl_clock_now() + limit;
    enum pl_way way;
    bool again;

    pl_kept_end();
    if (limit > 0 && n > 0)
        pl_calls_begin(any_begins(fds, n) ? pl_plan_only(R_TABLE) : 0, pc);
    if (limit == 0 && any_timer(fds, n)) {
        pl_time_glance(pc);
        pl_timerfd_fire();
    }
    do {
        start_wait(t, fds, n, pl_io_stream(fds, n));
        uint64_t fires = pl_timerfd_next_of(fds, n);

        t->cancel_point = true;
        t->signals.interruption = PL_INTERRUPTION_ALWAYS;
        pl_timerfd_await(t, fires, deadline);
        way = pl_sched_timed_point(PL_OP_IO, (const void *)PL_DEPEND_FILES,
                                   fires < deadline ? fires : deadline, 0, pc);
        t->signals.interruption = PL_INTERRUPTION_NONE;
        t->cancel_point = false;
        again = way == PL_WAY_TIMEOUT && t->io.fires < deadline;
        if (again) {
            pl_timerfd_fire();
            way = PL_WAY_NORMAL;
            again = !is_ready(t); /* it was another timer */
        }
    } while (again);
    tell_of_child(t, fds, n, limit != PL_NEVER);
    if (way == PL_WAY_SIGNAL)
        errno = EINTR;
    t->io.fds = NULL;
    if (way == PL_WAY_CANCEL) {
        pl_kept_end();
        pl_cancel_act();
    }
    if (way == PL_WAY_TIMEOUT && t->io.fires != PL_NEVER) /* for others time may have passed */
        pl_unmodelled("that looks at a timer before its time", PL_UNMODELLED_FUNCTION, pc);
    if (way == PL_WAY_TIMEOUT)
        pl_inputs_time_out(t, pl_io_stream(fds, n));
    return way;
}

/* What never waits comes in any order. */
static bool never_waits(const struct pl_thread *t)
{
    return t->call.now != NULL ? !t->call.waits : t->io.limit == t->waits_since;
}

static enum pl_effect effect_of(struct pl_thread *t, struct pl_operation *op)
{
    op->ready = never_waits(t);
    if (pl_stage->process.n_signalfds > 0) { /* what is sent to the process makes them ready */
        op->other = PL_SIGNALS_SENT;
        op->other_effect = PL_EFFECT_READ;
    }
    return PL_EFFECT_WRITE;
}

PL_DESCRIBE(IO) = {.enabled = is_ready,
                   .effect = effect_of,
                   .awaited = awaited,
                   .pause = pause_for,
                   .native_blocked = pl_descriptor_waits_natively};
