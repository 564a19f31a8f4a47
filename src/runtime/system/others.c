/* SPDX-License-Identifier: MIT */
/* See others.h. */
#include "runtime/system/others.h"

#include "base/sys.h"
#include "runtime/ground/maps.h"
#include "runtime/ground/stage.h"
#include "runtime/system/processes.h"
#include "runtime/system/signal_outside.h"
#include "runtime/system/signal_queue.h"

#include <signal.h>

/* ---- who waits for them ---- */

bool pl_others_share(uint64_t addr)
{
    return pl_maps_at("/proc/self/maps", addr) == PL_MAPS_SHARED;
}

/* It waits for what a child of the program may do to memory that both have. */
static bool waits_for_others(const struct pl_thread *t)
{
    return (t->op.kind == PL_OP_FUTEX_WAIT && t->word_shared) ||
           (t->op.kind == PL_OP_SPIN_LOCK && pl_others_share(t->op.addr)) ||
           ((t->op.kind == PL_OP_SEM_WAIT || t->op.kind == PL_OP_SEM_TIMEDWAIT) &&
            ((const uint32_t *)t->op.addr)[2] != 0);
}

/* A child that ends says so, and may send what it likes before. */
static bool waits_for_signal(const struct pl_thread *t)
{
    return t->op.kind == PL_OP_SIGNAL_WAIT || pl_signal_queue_fate(SIGCHLD) == PL_SIGNAL_HANDLED;
}

/* Whether a child could make a handler run by a signal of its own; which may let others go on. */
bool pl_others_hear(void)
{
    for (int signo = 1; signo <= PL_SIGNALS; signo++) {
        if (pl_signal_queue_fate(signo) == PL_SIGNAL_HANDLED)
            return true;
    }
    return false;
}

/* Whether nothing has happened for so many steps that a signal is no longer to be expected. */
static bool is_silent(unsigned steps)
{
    static uint64_t execution, points; /* at which they are counted */
    static unsigned n;

    if (execution != pl_board->execution || points != pl_board->execution_points) {
        execution = pl_board->execution;
        points = pl_board->execution_points;
        n = 0;
    }
    return ++n >= steps;
}

bool pl_others_wait(void)
{
    enum { STEPS = 4000 };
    const struct timespec step = {.tv_nsec = 500000};
    bool live = pl_stage->process.forked && pl_processes_run();
    bool any = live && pl_others_hear() && !is_silent(STEPS);

    for (pl_tid i = 0; pl_stage->process.forked && i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        any |= live && (waits_for_others(t) || waits_for_signal(t));
        any |= waits_for_others(t) && ++t->io.waits < STEPS;
    }
    if (any)
        pl_sys(SYS_nanosleep, &step, NULL);
    if (any)
        pl_signal_take_in();
    return any;
}

uint64_t pl_others_hope(void)
{
    const uint64_t while_sent = UINT64_C(200000000), while_made = UINT64_C(2000000000);
    uint64_t hope = while_sent; /* what has just ended may have sent something */

    if (!pl_stage->process.forked && !pl_stage->process.company)
        return 0;
    bool live = pl_processes_run();

    if (live && pl_others_hear())
        hope = while_made;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        if (live && (waits_for_others(t) || waits_for_signal(t)))
            return UINT64_MAX;
        if (waits_for_others(t))
            hope = while_made;
    }
    return hope;
}
