/* SPDX-License-Identifier: MIT */
/* See free.h. */
#include "runtime/free/free.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/clock.h"
#include "runtime/core/company.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/fiber.h"
#include "runtime/core/ways.h"
#include "runtime/free/noise.h"
#include "runtime/free/order.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/standstill.h"

#include <linux/futex.h>

enum { IO_MS = 20, ALONE_MS = 100, SHARED_MS = 1 }; /* others give no sign from elsewhere */
#define PATIENCE_NS UINT64_C(500000000)             /* for a thread that never leaves, at the end */

static unsigned n_waiting; /* threads in await(); inside */

void pl_free_init(void)
{
    pl_free = pl_board->settings.carrier == PL_CARRIER_FREE;
    pl_free_self = pl_thread_by_id(pl_stage->process.first);
}

void pl_free_begin(void)
{
    if (!pl_free)
        return;
    PL_ASSERT(pl_free_self != NULL && pl_stage->restart.runner);
    pl_free_self->free.os_tid = (int32_t)pl_sys(SYS_gettid);
    pl_noise_begin();
}

void pl_free_forked(struct pl_thread *t)
{
    n_waiting = 0;
    pl_free_self = t;
    pl_monitor_forked(t);
}

void pl_free_joined(struct pl_thread *t)
{
    const bool inside = pl_monitor_holds(); /* a constructor creates threads */
    struct pl_monitor_place p = {0};

    PL_ASSERT(t == pl_free_self && pl_stage->process.company);
    if (inside)
        p = pl_monitor_step_out(t);
    pl_monitor_join();
    pl_board->company.os_tids[t->id] = t->free.os_tid;
    pl_free_begin();
    if (inside)
        pl_monitor_step_in(t, p);
}

void pl_free_share(void)
{
    pl_order_share();
    pl_monitor_share();
}

/* ---- who waits ---- */

/* Whether nobody in the program gives a sign. */
static bool is_outside(const struct pl_thread *t)
{
    return pl_descriptor_of(t)->pause != NULL;
}

/* It asks the kernel again and again, and yet only the program can let it go on. */
static bool is_inside(const struct pl_thread *t)
{
    return pl_descriptor_of(t)->is_inside != NULL && pl_descriptor_of(t)->is_inside(t);
}

static bool may_go_on(struct pl_thread *t)
{
    enum pl_way way = pl_ways_of(t);

    return way == PL_WAY_NORMAL || way == PL_WAY_CANCEL || way == PL_WAY_SIGNAL ||
           (way == PL_WAY_TIMEOUT && t->free.late);
}

/* Whoever was blocked and is no longer gets a sign. */
static void call_waiting(void)
{
    unsigned left = n_waiting;

    PL_ASSERT(pl_stage->n_threads <= PL_THREADS_MAX);
    for (pl_tid i = 0; i < pl_stage->n_threads && left > 0; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (!t->free.waiting)
            continue;
        left--;
        if (t->go != 0 || is_outside(t) || !may_go_on(t))
            continue;
        t->go = 1;
        pl_sys(SYS_futex, &t->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    }
}

/* ---- outside for a while ---- */

static void wait_before(struct pl_thread *t)
{
    struct pl_monitor_place p = pl_monitor_step_out(t);

    pl_noise_disturb(t, &t->op, true);
    pl_monitor_step_in(t, p);
}

static void wait_outside(struct pl_thread *t, uint64_t ns)
{
    struct timespec until = {.tv_sec = (time_t)(ns / 1000000000),
                             .tv_nsec = (long)(ns % 1000000000)};

    t->go = 0;
    t->free.waiting = t->free.waited = true;
    n_waiting++;
    struct pl_monitor_place p = pl_monitor_step_out(t);

    if (is_outside(t))
        pl_descriptor_of(t)->pause(t, (int)(ns / 1000000 < IO_MS ? ns / 1000000 + 1 : IO_MS));
    else if (t->go == 0)
        pl_sys(SYS_futex, &t->go, FUTEX_WAIT_PRIVATE, 0, &until, 0, 0);
    pl_monitor_step_in(t, p);
    PL_ASSERT(n_waiting > 0 && t->free.monitor != NULL);
    t->free.waiting = false;
    n_waiting--;
}

/* Whether nobody can go on, and nothing from outside can change that. */
static bool is_stuck(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        if (!t->free.waiting || t->timed || (is_outside(t) && !is_inside(t)) ||
            pl_ways_of(t) != PL_WAY_BLOCKED)
            return false;
    }
    return true;
}

/* Whether that has been so for as long as processes beside the program may take to change it. */
static bool is_hopeless(void)
{
    static uint64_t since, entries; /* inside */
    uint64_t hope = pl_ports.process->hope(), now = pl_order_now_ns();

    if (hope == 0)
        return true;
    if (since == 0 || entries != pl_board->n_order) {
        since = now;
        entries = pl_board->n_order;
    }
    return now - since >= hope;
}

static void check_stuck(void)
{
    if (pl_company_has_others())
        pl_standstill_look();
    else if (is_stuck() && is_hopeless())
        pl_ports.findings->stuck(false);
}

/* Wait until the announced operation of t can go on, or its time is up. */
static enum pl_way await(struct pl_thread *t)
{
    t->free.late = false;
    t->free.waited = t->free.waited && t->op.kind == PL_OP_SLEEP; /* it has slept before */
    for (;;) {
        uint64_t ns = (pl_stage->process.company ? SHARED_MS : ALONE_MS) * UINT64_C(1000000);

        /* What stands in for a signalfd is not made ready by the kernel. */
        if (pl_stage->signals.n_seen != pl_stage->signals.n_arrived ||
            pl_stage->process.n_signalfds > 0)
            pl_ports.process->arrived();
        enum pl_way way = pl_ways_of(t);

        if (way == PL_WAY_NORMAL || way == PL_WAY_CANCEL || way == PL_WAY_SIGNAL)
            return way;
        PL_ASSERT(way != PL_WAY_TIMEOUT || t->timed);
        if (t->timed) {
            uint64_t now = pl_clock_now();

            t->free.late = now >= t->deadline;
            if (t->free.late && way == PL_WAY_TIMEOUT)
                return way; /* otherwise the mutex of a condition is still to come */
            ns = !t->free.late && t->deadline - now < ns ? t->deadline - now : ns;
        } else {
            pl_ports.findings->blocked(t);
            t->free.waiting = true;
            check_stuck();
            t->free.waiting = false;
        }
        wait_outside(t, ns);
    }
}

/* A sleep is an operation that can go on when the time has come. */
void pl_free_sleep(struct pl_thread *t, clockid_t clock, uint64_t deadline)
{
    struct pl_monitor_place p = pl_monitor_step_out(t);

    t->free.waited = false;
    for (;;) {
        struct timespec shown = {0}; /* so that the kernel may write there */

        pl_sys(SYS_clock_gettime, clock, &shown);
        uint64_t now = pl_clock_ns(&shown);

        if (now >= deadline || pl_thread_cancel_due(t) || t->signals.due)
            break;
        uint64_t ns = deadline - now < 20000000 ? deadline - now : 20000000;
        struct timespec step = {.tv_sec = 0, .tv_nsec = (long)ns};

        t->free.waited = true;
        pl_sys(SYS_nanosleep, &step, NULL);
    }
    pl_monitor_step_in(t, p);
}

/* ---- ends ---- */

__attribute__((noreturn)) static void end_thread(struct pl_thread *t)
{
    PL_ASSERT(t == pl_free_self && t->state != PL_THREAD_ALIVE);
    check_stuck();
    pl_free_self = NULL;
    pl_monitor_step_out(t);
    if (t->main)
        pl_monitor_sleep_for_ever();
    pl_fiber_rest(t);
}

/* The monitor for good; by force if its holder does not come to an end. */
static void stop(void)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL || !pl_monitor_stop(t))
        return;
    pl_order_freeze();
    pl_board->fate.known = false; /* another one may have been about to end the process */
    if (t->free.monitor == NULL) {
        uint64_t since = pl_clock_now();

        while (!pl_monitor_seize() && pl_clock_now() - since < PATIENCE_NS)
            pl_sys(SYS_sched_yield);
    }
    pl_stage->current = t->id;
    t->free.monitor = PL_MONITOR_ENDING;
}

/* ---- what the lower rooms ask ---- */

static void leave(void)
{
    if (n_waiting > 0)
        call_waiting();
}

static void left(struct pl_thread *t)
{
    pl_noise_disturb(t, &t->op, false);
}

static void point(struct pl_thread *t)
{
    if (pl_stage->n_threads > 1)
        wait_before(t);
    t->op.way = (uint8_t)await(t);
}

static void started(struct pl_thread *t)
{
    if (pl_stage->process.company)
        pl_board->company.os_tids[t->id] = (int32_t)pl_sys(SYS_gettid);
    pl_noise_thread(t);
    pl_noise_disturb(t, &t->op, true);
}

const struct pl_free_port pl_free_port = {
    .enter = pl_order_release,
    .leave = leave,
    .left = left,
    .point = point,
    .chosen = pl_order_choice,
    .perform = pl_order_perform,
    .started = started,
    .end_thread = end_thread,
    .close = pl_order_close,
    .stop = stop,
};
