/* SPDX-License-Identifier: MIT */
/*
 * See io.h.  When nobody else can go on, the worker waits for the outside world.
 *
 * On the free carrier, and in a replay of what was recorded there, calls that may wait are
 * operations of this kind, too.
 */
#include "runtime/system/io.h"

#include "base/assert.h"
#include "base/sys.h"
#include "model/depend.h"
#include "model/inputs.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/about.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/rollback.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/children.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_time.h"
#include "runtime/system/others.h"
#include "runtime/system/outside.h"
#include "runtime/system/processes.h"
#include "runtime/system/signal_outside.h"
#include "runtime/system/signalfd.h"
#include "runtime/system/stuck.h"
#include "runtime/system/timerfd.h"

#include <errno.h>

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
    bool any = false, timers = pl_timerfd_beside();

    if (release_first() || pl_signal_has_come())
        return true;
    if (pl_stage->process.forked && !pl_board->inputs.feeding && all_in_company() && pl_stuck_all())
        return false; /* they wait for each other */
    if (pl_others_wait())
        return true;
    if (pl_inputs_clocks_fed())
        report_hang();
    int ms = timers ? 1 : pl_outside_pause();

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
