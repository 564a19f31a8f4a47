/* SPDX-License-Identifier: MIT */
/*
 * Time is virtual.  It stands still while the program computes; sleeping and
 * timeouts move it forward at once, a look at the clock a little (libc_time.c).  On the free
 * carrier it is real.
 */
#include "runtime/core/clock.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"

#define SECOND UINT64_C(1000000000)

enum { ORDERED = 2 }; /* looks, and sleeps, of a thread that are operations */

uint64_t pl_clock_ns(const struct timespec *ts)
{
    uint64_t s = (uint64_t)ts->tv_sec;

    if (ts->tv_sec < 0)
        return 0;
    return s > UINT64_MAX / SECOND / 2 ? UINT64_MAX / 2 : s * SECOND + (uint64_t)ts->tv_nsec;
}

struct timespec pl_clock_timespec(uint64_t ns)
{
    const uint64_t second = 1000000000;

    return (struct timespec){.tv_sec = (time_t)(ns / second), .tv_nsec = (long)(ns % second)};
}

bool pl_clock_is_time(const struct timespec *ts)
{
    return ts == NULL || (ts->tv_sec >= 0 && ts->tv_nsec >= 0 && (uint64_t)ts->tv_nsec < SECOND);
}

uint64_t pl_clock_of(clockid_t clock, const struct timespec *absolute)
{
    pl_spin_ignore(pl_thread_self(), absolute, sizeof(*absolute), pl_clock_ns(absolute));
    uint64_t shown = pl_clock_ns(absolute) + pl_clock_behind(clock), gap = pl_board->clock_gap;

    return shown > gap ? shown - gap : 0;
}

static bool by_another(uint16_t who, const struct pl_thread *t)
{
    return who != 0 && who != t->id + 1;
}

static void add(uint16_t *who, const struct pl_thread *t)
{
    *who = by_another(*who, t) ? PL_TID_NONE : (uint16_t)(t->id + 1);
}

/* Somebody moves the clock other than by looking at it. */
static void note_move(const struct pl_thread *t)
{
    if (pl_free || pl_stage->n_unjoined <= 1)
        return;
    add(&pl_stage->clock.moved_by, t);
    if (by_another(pl_stage->clock.read_by, t))
        pl_shadow_share((uint64_t)&pl_stage->now);
}

static void reach(uint64_t deadline)
{
    PL_ASSERT(deadline != UINT64_MAX);
    if (pl_stage->now >= deadline)
        return;
    pl_thread_self()->clock_spent = 0; /* it has waited */
    pl_thread_self()->clock_patience = 0;
    pl_stage->now = deadline;
}

void pl_clock_reach(uint64_t deadline)
{
    note_move(pl_thread_self());
    reach(deadline);
}

bool pl_clock_is_seen(void)
{
    return !pl_free && pl_stage->n_unjoined > 1 && pl_shadow_known((uint64_t)&pl_stage->now);
}

bool pl_clock_has_timers(void)
{
    return !pl_free && pl_shadow_known((uint64_t)&pl_stage->signals.next_timer);
}

/* An operation on the clock, or an event that is none. */
static void use(struct pl_thread *t, enum pl_op_kind kind, bool shared, bool ordered, uint64_t pc)
{
    if (shared && ordered) {
        pl_sched_point(kind, &pl_stage->now, sizeof(pl_stage->now), 0, pc);
        return;
    }
    if (shared)
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_CLOCK);
    else if (pl_stage->n_unjoined > 1 && !pl_free)
        pl_shadow_saw((uint64_t)&pl_stage->now, sizeof(pl_stage->now), t);
    t->ordinal++;
}

/* The thread looks at the clock, now or within what it does next: whether others move it. */
static bool note_look(struct pl_thread *t, bool moves)
{
    add(&pl_stage->clock.read_by, t);
    return pl_shadow_shared((uint64_t)&pl_stage->now, sizeof(pl_stage->now), moves, t);
}

static void note_moved(const struct pl_thread *t)
{
    if (!pl_free && by_another(pl_stage->clock.moved_by, t))
        pl_shadow_share((uint64_t)&pl_stage->now);
}

uint64_t pl_clock_within(void)
{
    struct pl_thread *t = pl_thread_self();

    if (pl_free || pl_stage->n_unjoined <= 1)
        return 0;
    note_moved(t);
    return note_look(t, false) ? (uint64_t)&pl_stage->now : 0;
}

void pl_clock_look(bool moves, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    bool shared = false;

    if (pl_inside())
        return;
    note_moved(t);
    /* Round a loop that achieves nothing: only how often it goes round would differ. */
    bool idle = t->clock_step != 0 && t->operations != t->looked_at && t->n_looks >= ORDERED;

    if (!pl_free && pl_stage->n_unjoined > 1 && !idle) {
        t->n_looks += t->n_looks <= ORDERED;
        shared = note_look(t, moves);
    }
    use(t, moves ? PL_OP_CLOCK_READING : PL_OP_CLOCK_LOOK, shared, t->n_looks <= ORDERED, pc);
    t->looked_at = t->operations;
}

/* Whether sleeping is an operation on the clock; a schedule does not say whether it was. */
static bool is_shared(void)
{
    return pl_clock_is_seen() ||
           (!pl_free && pl_stage->n_unjoined > 1 && pl_board->settings.points_all);
}

void pl_clock_sleep(uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    t->n_sleeps += pl_stage->n_unjoined > 1 && t->n_sleeps <= ORDERED;
    use(t, PL_OP_CLOCK_LOOK, is_shared(), t->n_sleeps <= ORDERED, pc);
}

void pl_clock_wake(uint64_t deadline, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    note_move(t);
    use(t, PL_OP_CLOCK_PASS, is_shared(), t->n_sleeps <= ORDERED, pc);
    reach(deadline);
}

static uint64_t kernel_now(clockid_t clock)
{
    struct timespec now = {0}; /* so that the kernel may write there */

    pl_sys(SYS_clock_gettime, clock, &now);
    return pl_clock_ns(&now);
}

/* ---- beside children ---- */

uint64_t pl_clock_beside(void)
{
    int64_t ahead = pl_stage->clock.ahead;

    return ahead != 0 ? kernel_now(CLOCK_MONOTONIC) + (uint64_t)ahead : 0;
}

uint64_t pl_clock_shown(void)
{
    uint64_t shown = pl_stage->now + pl_board->clock_gap, beside = pl_clock_beside();

    if (beside <= shown)
        return shown;
    if (!pl_in_child())
        pl_board->clock_gap += beside - shown; /* what is slept from now on comes on top of it */
    return beside;
}

void pl_clock_part(void)
{
    if (pl_free)
        return;
    pl_stage->clock.ahead = (int64_t)(pl_clock_shown() - kernel_now(CLOCK_MONOTONIC));
    pl_board->clock_ahead = pl_stage->clock.ahead;
}

void pl_clock_meet(void)
{
    pl_clock_shown();
    pl_stage->clock.ahead = 0;
}

uint64_t pl_clock_in_child(clockid_t clock)
{
    return pl_stage->clock.ahead != 0 ? pl_clock_shown() - pl_clock_behind(clock)
                                      : kernel_now(clock);
}

const struct timespec *pl_clock_real(clockid_t clock, const struct timespec *absolute,
                                     struct timespec *room)
{
    if (!pl_in_child() || absolute == NULL || !pl_clock_is_time(absolute))
        return absolute;
    uint64_t until = pl_clock_ns(absolute), now = pl_clock_in_child(clock);

    *room = pl_clock_timespec(kernel_now(clock) + (until > now ? until - now : 0));
    return room;
}

uint64_t pl_clock_now(void)
{
    /* On the free carrier time is real; the clocks differ from each other as on the others. */
    return pl_free ? kernel_now(CLOCK_REALTIME) : pl_stage->now;
}
