/* SPDX-License-Identifier: MIT */
/*
 * What the scheduler knows of a system call that has been announced: whether it can go on now, what
 * it does to what it is about by then, and, when nobody can go on, whether what it waits for may
 * come from outside (core/descriptor.h).
 */
#include "base/sys.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_fifo.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/calls_rows.h"
#include "runtime/system/deputy.h"
#include "runtime/system/outside.h"
#include "runtime/system/pipe_room.h"
#include "runtime/system/processes.h"
#include "runtime/system/signalfd.h"

#include <poll.h>

static bool is_fed(const struct pl_thread *t)
{
    return pl_board->inputs.feeding && pl_inputs_is_stream(pl_ask_fd(t->call.now));
}

/*
 * A child runs in real time.  Most end soon, and then do so before anybody looks, in every
 * execution; one that does not may be waiting for this process, and one under control does.
 */
static bool linger(struct pl_thread *t)
{
    enum { STEPS = 40 };
    const struct timespec step = {.tv_nsec = 500000};

    if (pl_free || (pl_stage->process.company && !pl_stage->process.forked))
        return false;
    for (unsigned i = 0; i < STEPS && !t->call.lingered; i++) {
        pl_sys(SYS_nanosleep, &step, NULL);
        if (pl_ask_ready(t->call.wait, t->call.now))
            return true;
    }
    t->call.lingered = true;
    return false;
}

/* Who has the other end of a FIFO may be in another process under control: the kernel knows. */
static bool meets_elsewhere(struct pl_thread *t)
{
    t->io.released |= pl_fifo_met(t);
    return t->io.released;
}

/*
 * It was tried in vain, or not yet.  How often free threads try is recorded: a call that others,
 * also of other processes, may have let go on is not before they have.
 */
static bool can_be_tried(const struct pl_thread *t)
{
    bool first = t->call.tried == UINT64_MAX,
         changed = t->call.tried != pl_stage->process.calls_changed;

    if (pl_as_free() && pl_ask_is_tried(t->call.now))
        return (first || changed || pl_free) && pl_ask_may_retry(t->call.now);
    return first || (changed && pl_ask_may_retry(t->call.now));
}

bool pl_calls_can_go_on(const struct pl_thread *t)
{
    if (!t->call.waits || t->io.released)
        return true;
    if (is_fed(t))
        return pl_inputs_ready(t);
    pl_signalfd_show(t);
    bool ready = t->call.wait == PL_ASK_OVER      ? pl_deputy_is_over(t, 0)
                 : t->call.wait == PL_ASK_PARTNER ? t->woken
                 : t->call.wait != PL_ASK_RETRY
                     ? pl_ask_ready(t->call.wait, t->call.now) ||
                           (t->call.wait == PL_ASK_OUT && pl_pipe_room_fits(t, t->call.now))
                     : can_be_tried(t);

    if (!ready && t->call.wait == PL_ASK_CHILD)
        ready = linger(pl_thread_by_id(t->id));
    if (!ready && t->call.wait == PL_ASK_PARTNER && pl_stage->process.company && !pl_free)
        ready = meets_elsewhere(pl_thread_by_id(t->id));

    pl_inputs_seen(pl_thread_by_id(t->id), ready);
    return ready;
}

/* One that is told at once that it would have to wait has only looked. */
static bool only_looks(const struct pl_thread *t)
{
    pl_signalfd_show(t);
    return t->call.now != NULL && !t->call.waits && t->call.wait != PL_ASK_NEVER &&
           t->call.wait != PL_ASK_RETRY && !pl_ask_ready(t->call.wait, t->call.now);
}

/*
 * A number may stand for another open file by now than when the call was announced; only what the
 * call is about has changed, not what kind of operation it is.
 */
static void look_again(struct pl_thread *t, struct pl_operation *op)
{
    const struct pl_syscall *c = t->call.now;
    const struct pl_calls_row *r = c != NULL ? pl_calls_row(c->number) : NULL;

    if (r == NULL || r->by_hand != NULL)
        return;
    struct pl_plan p = pl_calls_plan(r, c);

    op->addr = p.first;
    op->other = t->call.second = p.second;
    t->call.effect = p.first_effect;
    t->call.second_effect = p.second_effect;
}

static enum pl_effect effect_of(struct pl_thread *t, struct pl_operation *op)
{
    bool looks = only_looks(t);

    op->ready = !t->call.waits;
    op->steady = t->call.waits || t->call.wait == PL_ASK_NEVER || t->call.wait == PL_ASK_LATER;
    look_again(t, op);
    /* Who could have gone on when its time was over is in a race with whoever came before; so is
     * who could have gone on without room for a page. */
    if (t->call.now != NULL && t->call.waits && !t->timed && pl_ask_events(t->call.wait) != 0 &&
        (t->call.begun || !pl_pipe_room_begins(t->call.now)))
        pl_files_tell_waker(pl_ask_fd(t->call.now), pl_ask_events(t->call.wait) == POLLOUT, op);

    op->other_effect =
        looks && t->call.second_effect != PL_EFFECT_NONE ? PL_EFFECT_READ : t->call.second_effect;
    return looks ? PL_EFFECT_READ : (enum pl_effect)t->call.effect;
}

static bool is_patient(const struct pl_thread *t)
{
    return pl_ask_events(t->call.wait) != 0 || t->call.wait == PL_ASK_PARTNER ||
           t->call.wait == PL_ASK_OVER;
}

static void pause_for(const struct pl_thread *t, int ms)
{
    struct pollfd p = {.fd = pl_ask_fd(t->call.now), .events = pl_ask_events(t->call.wait)};

    if (t->call.wait == PL_ASK_OVER)
        pl_deputy_is_over(t, ms);
    else
        pl_sys(SYS_poll, &p, p.events != 0 ? 1 : 0, is_patient(t) || ms == 0 ? ms : 1);
}

static uint8_t awaited(const struct pl_thread *t)
{
    return t->call.now != NULL && t->call.waits ? pl_ask_object(t->call.wait, t->call.now) : 0;
}

/* What it waits for, or who. */
static bool may_come_from_outside(const struct pl_thread *t)
{
    return pl_ask_outside(t->call.wait, t->call.now) ||
           (t->call.wait == PL_ASK_PARTNER && pl_fifo_is_open_to_others(t));
}

bool pl_calls_outside(struct pl_thread *t, int *ms)
{
    if (t->call.now == NULL || !t->call.waits || t->io.hopeless || is_fed(t))
        return false;
    t->io.released |= pl_fifo_met(t); /* by one that may have ended since */
    if (!t->io.released && !may_come_from_outside(t)) {
        if (pl_calls_can_go_on(t))
            return true; /* by a process that has just ended */
        t->io.hopeless = true;
        return false;
    }
    if (t->call.wait == PL_ASK_RETRY)
        t->call.tried = UINT64_MAX;
    bool alone = !pl_processes_run() && !pl_ask_is_endless(t->call.wait);

    if (!t->io.released) {
        pause_for(t, *ms);
        *ms = is_patient(t) ? 0 : *ms;
    }
    if (pl_calls_can_go_on(t)) {
        if (alone && !t->io.released)
            pl_outside_answered();
        return true;
    }
    if (alone && ++t->io.waits >= PL_OUTSIDE_TIMES) {
        t->io.hopeless = true;
        pl_outside_silent();
    }
    return true;
}

static bool is_inside(const struct pl_thread *t)
{
    return pl_ask_events(t->call.wait) != 0 && pl_ask_is_pipe(pl_ask_fd(t->call.now)) &&
           !pl_ask_outside(t->call.wait, t->call.now);
}

/* A pipe that nobody but the program and its children can have, or a child. */
static bool is_company(const struct pl_thread *t)
{
    int fd = t->call.now != NULL ? pl_ask_fd(t->call.now) : -1;

    return t->call.wait == PL_ASK_CHILD ||
           (pl_ask_events(t->call.wait) != 0 && fd >= 0 && pl_ask_is_unnamed(fd) &&
            !pl_inputs_is_stream(fd) && !pl_files_inherited(fd));
}

/* Who is let go on by another thread, which has come to the other end of a FIFO, does nothing. */
static enum pl_effect effect_of_end(struct pl_thread *t, struct pl_operation *op)
{
    return t->call.wait == PL_ASK_PARTNER && t->woken ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
}

PL_DESCRIBE(CALL_END) = {
    .enabled = pl_calls_can_go_on, .effect = effect_of_end, .awaited = awaited, .pause = pause_for};

PL_DESCRIBE(CALL) = {.enabled = pl_calls_can_go_on,
                     .effect = effect_of,
                     .awaited = awaited,
                     .pause = pause_for,
                     .is_inside = is_inside,
                     .is_company = is_company,
                     .native_blocked = pl_descriptor_waits_natively};
