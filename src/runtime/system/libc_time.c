/* SPDX-License-Identifier: MIT */
/*
 * Time is virtual.  It stands still while the program computes; sleeping and
 * timeouts move it forward at once; reading a clock moves it a little, and more
 * each time while nothing else happens, so that loops that wait for a time end.
 * When a sleeper wakes or a timeout fires relative to others is a choice.  All of these are
 * operations on the clock, where several threads have to do with it (core/clock.h).
 */
#include "runtime/system/libc_time.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/free/free.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/sync/thread.h"
#include "runtime/system/apart.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_signal.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/timeb.h>
#include <sys/times.h>
#include <threads.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

enum {
    TICKS = 100, /* a second, as sysconf() says */
    FIRST_STEP = 1000,
    WAITS = 64000,         /* the step after some looks in a row: the thread waits for a time */
    RUNS = 16 * WAITS,     /* so much by all of them, too, whatever it did in between */
    GROWTH = 16,           /* a look moves the clock by this part of what the looks before have */
    PATIENCE = 1024,       /* looks of a thread that do not let another's long time-out expire, */
    LONG_PATIENCE = 65536, /* nor a timer go off that kills the program, */
    LONG_PART = 4096,      /* each of which takes such a part of what is left until then */
};

/* Whether it counts what is computed, of a thread or of all: sleeping costs nothing. */
static bool is_cpu(clockid_t clock)
{
    return clock == CLOCK_PROCESS_CPUTIME_ID || clock == CLOCK_THREAD_CPUTIME_ID || clock < 0;
}

/* Clocks that wake the machine are there where it has what that takes. */
static bool is_known(clockid_t clock)
{
    struct timespec now = {0}; /* so that the kernel may write there */

    if (clock < 0)
        return (clock & 7) == 6 || (clock & 7) == 2;
    return clock <= CLOCK_BOOTTIME || clock == CLOCK_TAI ||
           pl_sys(SYS_clock_gettime, clock, &now) == 0;
}

static uint64_t free_read(clockid_t clock)
{
    struct timespec now = {0}; /* so that the kernel may write there */

    if (!is_cpu(clock))
        return pl_clock_now() - pl_clock_behind(clock);
    pl_sys(SYS_clock_gettime, clock, &now);
    return pl_clock_ns(&now);
}

/* That of a thread; which one a number below 0 says, but they are all alike. */
static bool is_thread_cpu(clockid_t clock)
{
    return clock == CLOCK_THREAD_CPUTIME_ID || (clock < 0 && (clock & 4) != 0);
}

/* When the first of those gives up who wait for a second and more; never, if nobody does. */
static uint64_t first_to_give_up(const struct pl_thread *looks)
{
    uint64_t first = PL_NEVER;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t != looks && t->state == PL_THREAD_ALIVE && t->timed && t->deadline < first &&
            t->deadline > pl_stage->now && t->deadline - t->waits_since >= SECOND)
            first = t->deadline;
    }
    return first;
}

/*
 * A thread that looks at the clock now and then may be working until a deadline, or may be about
 * to do what another waits for: who gives up after seconds does not for a few hundred looks, and
 * the alarm that would kill a test does not go off for thousands.
 */
static uint64_t stop_short(struct pl_thread *t, uint64_t step)
{
    uint64_t waits = t->clock_patience < PATIENCE ? first_to_give_up(t) : PL_NEVER;
    uint64_t deadly = pl_timer_deadly(), part = step;

    if (waits != PL_NEVER)
        part = (waits - pl_stage->now) / (PATIENCE - t->clock_patience);
    if (deadly != PL_NEVER && (deadly - pl_stage->now) / LONG_PART < part)
        part = (deadly - pl_stage->now) / LONG_PART;
    if (step <= part)
        return step;
    t->clock_patience++;
    return part > 0 ? part : 1;
}

/*
 * By how much the look of a thread moves the clock.  Twice as much as its last one if it has done
 * nothing since; and more and more, if it goes on looking, whatever else it does: it may be
 * working until a deadline.  A thread that waits for time starts anew.
 */
static uint64_t next_step(struct pl_thread *t)
{
    uint64_t doubled = t->clock_step * 2, grown = FIRST_STEP + t->clock_spent / GROWTH;

    t->clock_step = doubled > grown ? doubled : grown;
    if (t->clock_step > SECOND)
        t->clock_step = SECOND;
    if (t->clock_step > SECOND / PATIENCE && t->clock_patience < LONG_PATIENCE)
        t->clock_step = stop_short(t, t->clock_step);
    t->clock_spent += t->clock_step;
    return t->clock_step;
}

/* A clock that counts in large steps: two looks at it as a rule show the same. */
static bool is_coarse(clockid_t clock)
{
    return clock == CLOCK_REALTIME_COARSE || clock == CLOCK_MONOTONIC_COARSE;
}

static void move_clock(struct pl_thread *t, uint64_t step)
{
    t->cpu_ns += step;
    pl_stage->clock.cpu_ns += step;
    pl_stage->now = pl_timer_comes_before(pl_stage->now + step) ? pl_stage->signals.next_timer
                                                                : pl_stage->now + step;
}

uint64_t pl_time_look(void)
{
    struct pl_thread *t = pl_thread_self();

    move_clock(t, next_step(t));
    return pl_clock_shown() - pl_clock_behind(CLOCK_MONOTONIC);
}

static uint64_t read_clock(clockid_t clock, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    bool moves = !is_coarse(clock) || t->clock_step >= WAITS || t->clock_spent >= RUNS;
    uint64_t ns;

    pl_clock_look(moves, pc);
    ns = pl_free ? free_read(clock) : 0;
    if (pl_inputs_time(clock, &ns))
        return ns;
    uint64_t step = next_step(t);

    PL_ASSERT(step > 0 && step <= SECOND);
    t->clock_looks++;
    if (moves)
        move_clock(t, step);
    ns = is_thread_cpu(clock) ? t->cpu_ns
         : is_cpu(clock)      ? pl_stage->clock.cpu_ns
                              : pl_clock_shown() - pl_clock_behind(clock);
    pl_spin_know(t, ns);
    return ns;
}

void pl_time_glance(uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    bool moves = t->clock_step >= WAITS || t->clock_spent >= RUNS;

    pl_clock_look(moves, pc);
    if (pl_free)
        return;
    uint64_t step = next_step(t);

    t->clock_looks++;
    if (moves)
        move_clock(t, step);
}

/* A time is about to be stored, or read; before anything else that may switch threads. */
static void touches(const void *time, size_t size, bool write, struct pl_call who)
{
    if (pl_call_wanted(who))
        pl_call_touches(time, size, write, who);
}

/* Of a child the clocks go on from where the program's were; see core/clock.h. */
static int read_outside(clockid_t clock, struct timespec *out)
{
    if (pl_in_child() && !is_cpu(clock) && is_known(clock)) {
        *out = pl_clock_timespec(pl_clock_in_child(clock));
        return 0;
    }
    return (int)pl_sys(SYS_clock_gettime, clock, out);
}

PL_INTERPOSE(int, clock_gettime, (clockid_t clock, struct timespec *out))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_on())
        return read_outside(clock, out);
    if (!is_known(clock)) {
        errno = EINVAL;
        return -1;
    }
    uint64_t ns = read_clock(clock, who.pc);

    const struct timespec now = pl_clock_timespec(ns);

    pl_apart_store(out, &now, sizeof(now), who);
    pl_spin_ignore(pl_thread_self(), out, sizeof(*out), ns);
    return 0;
}

static struct timeval to_timeval(uint64_t ns)
{
    return (struct timeval){(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
}

PL_INTERPOSE(int, gettimeofday, (struct timeval * out, void *zone))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_on()) {
        int rc = (int)pl_sys(SYS_gettimeofday, out, zone);

        if (pl_in_child() && out != NULL)
            *out = to_timeval(pl_clock_in_child(CLOCK_REALTIME));
        return rc;
    }
    uint64_t ns = read_clock(CLOCK_REALTIME, who.pc);

    if (zone != NULL)
        pl_sys(SYS_gettimeofday, NULL, zone);
    if (out == NULL)
        return 0;
    const struct timeval now = to_timeval(ns);

    pl_apart_store(out, &now, sizeof(now), who);
    pl_spin_ignore(pl_thread_self(), out, sizeof(*out), ns);
    return 0;
}

PL_INTERPOSE(int, ftime, (struct timeb * out))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct timespec real = {0}; /* so that the kernel may write there */

    if (!pl_on())
        read_outside(CLOCK_REALTIME, &real);
    uint64_t ns = pl_on() ? read_clock(CLOCK_REALTIME, who.pc) : pl_clock_ns(&real);
    const struct timeb now = {.time = (time_t)(ns / SECOND),
                              .millitm = (unsigned short)(ns % SECOND / 1000000)};

    pl_apart_store(out, &now, sizeof(now), who);
    if (pl_on())
        pl_spin_ignore(pl_thread_self(), out, sizeof(*out), ns);
    return 0;
}

PL_INTERPOSE(time_t, time, (time_t * out))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct timespec real = {0}; /* so that the kernel may write there */

    if (!pl_on())
        read_outside(CLOCK_REALTIME_COARSE, &real);
    time_t now =
        pl_on() ? (time_t)(read_clock(CLOCK_REALTIME_COARSE, who.pc) / SECOND) : real.tv_sec;

    if (out == NULL)
        return now;
    touches(out, sizeof(*out), true, who);
    *out = now;
    return now;
}

PL_INTERPOSE(int, timespec_get, (struct timespec * out, int base))
{
    if (base != TIME_UTC)
        return 0;
    pl_in_clock_gettime(CLOCK_REALTIME, out);
    return base;
}

PL_INTERPOSE(clock_t, clock, (void))
{
    return pl_on() ? (clock_t)(read_clock(CLOCK_PROCESS_CPUTIME_ID, pl_entry()[6]) / 1000) : -1;
}

/* What has been computed, of one thread or of all, to the microsecond; a look like any other. */
static uint64_t computed(bool thread, uint64_t pc)
{
    return read_clock(thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID, pc) / 1000;
}

PL_INTERPOSE(clock_t, times, (struct tms * out))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!pl_on() || pl_free)
        return (clock_t)pl_sys(SYS_times, out);
    uint64_t tick = SECOND / TICKS, ns = read_clock(CLOCK_MONOTONIC, who.pc);

    const struct tms used = {.tms_utime = (clock_t)(pl_stage->clock.cpu_ns / tick)};

    pl_apart_store(out, &used, sizeof(used), who);
    return (clock_t)(ns / tick);
}

/* Of processes that have ended, and of memory, the kernel knows. */
PL_INTERPOSE(int, getrusage, (__rusage_who_t whom, struct rusage *out))
{
    struct pl_call who = PL_CALL_ENTERED;
    bool modelled = pl_on() && !pl_free && (whom == RUSAGE_SELF || whom == RUSAGE_THREAD);
    uint64_t us = modelled ? computed(whom == RUSAGE_THREAD, who.pc) : 0;

    PL_APART(apart, who);

    if (pl_on() && pl_call_wanted(who))
        out = pl_apart(&apart, out, sizeof(*out), PL_APART_OUT);
    long rc = pl_sys(SYS_getrusage, whom, out);

    if (rc < 0) {
        apart.fails = true;
        errno = (int)-rc;
        return -1;
    }
    if (modelled) {
        out->ru_utime = (struct timeval){(time_t)(us / 1000000), (suseconds_t)(us % 1000000)};
        out->ru_stime = (struct timeval){0};
    }
    return 0;
}

bool pl_time_told(struct sysinfo *out)
{
    if (pl_on()) {
        uint64_t ns = pl_free ? free_read(CLOCK_BOOTTIME) : 0;

        if (!pl_inputs_time(CLOCK_BOOTTIME, &ns))
            ns = pl_time_look();
        out->uptime = (long)(ns / SECOND);
    }
    return true;
}

/* What the deadline of a sleep by that clock is compared with: of a free thread it may be how much
 * others have computed. */
static uint64_t sleeper_now(clockid_t clock)
{
    return pl_free && is_cpu(clock) ? free_read(clock) : pl_clock_now();
}

/* Sleep until a moment of virtual time; a free thread by the clock.  False when a handler has run
 * meanwhile. */
static bool sleep_until(uint64_t deadline, clockid_t clock, struct pl_thread *t, uint64_t pc)
{
    t->cancel_point = true;
    t->signals.interruption = PL_INTERRUPTION_ALWAYS;
    t->sleeps_by = is_cpu(clock) ? clock : CLOCK_REALTIME;
    if (pl_free)
        pl_free_sleep(t, t->sleeps_by, deadline);
    t->sleeps_until = deadline;
    const void *timers = pl_clock_has_timers() ? (const void *)PL_SIGNALS_SENT : NULL;
    enum pl_way way = pl_sched_timed_point(PL_OP_SLEEP, timers, PL_NEVER, 0, pc);

    t->signals.interruption = PL_INTERRUPTION_NONE;
    t->cancel_point = false;
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    if (way == PL_WAY_SIGNAL)
        return false;
    pl_clock_wake(deadline, pc);
    return true;
}

/* What is left of a sleep that was interrupted. */
static struct timespec rest_until(uint64_t deadline, clockid_t clock)
{
    uint64_t now = sleeper_now(clock);

    return pl_clock_timespec(deadline > now ? deadline - now : 0);
}

static int sleep_for(const struct timespec *request, struct timespec *left)
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_on() ? 0 : (int)pl_sys(SYS_nanosleep, request, left);
    if (!pl_clock_is_time(request)) {
        errno = EINVAL;
        return -1;
    }
    pl_clock_sleep(pc);
    uint64_t deadline = pl_clock_now() + pl_clock_ns(request);

    if (sleep_until(deadline, CLOCK_REALTIME, t, pc))
        return 0;
    if (left != NULL)
        *left = rest_until(deadline, CLOCK_REALTIME);
    errno = EINTR;
    return -1;
}

PL_INTERPOSE(int, nanosleep, (const struct timespec *request, struct timespec *left))
{
    struct pl_call who = PL_CALL_ENTERED;

    struct timespec rest;

    touches(request, sizeof(*request), false, who);
    if (sleep_for(request, pl_on() ? &rest : left) == 0)
        return 0;
    if (pl_on() && errno == EINTR) {
        pl_apart_store(left, &rest, sizeof(rest), who);
        errno = EINTR;
    }
    return -1;
}

/* Why the kernel lets nobody sleep by this clock, or 0; 0 ns are over at once by any. */
static int no_sleep(clockid_t clock)
{
    static const struct timespec nothing;

    if (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC)
        return 0;
    if (clock < 0 || clock == CLOCK_THREAD_CPUTIME_ID) /* nobody computes while he sleeps */
        return is_known(clock) && !is_thread_cpu(clock) ? 0 : EINVAL;
    return (int)-pl_sys(SYS_clock_nanosleep, clock, 0, &nothing, NULL);
}

/* By what the threads compute: from then on they have computed so much. */
static void compute_until(uint64_t ns)
{
    if (pl_stage->clock.cpu_ns < ns)
        pl_stage->clock.cpu_ns = ns;
}

static int sleep_outside(clockid_t clock, int flags, const struct timespec *request,
                         struct timespec *left)
{
    bool absolute = (flags & TIMER_ABSTIME) != 0 && !is_cpu(clock);

    return (int)-pl_sys(SYS_clock_nanosleep, clock, flags,
                        absolute ? PL_CLOCK_REAL_UNTIL(clock, request) : request, left);
}

PL_INTERPOSE(int, clock_nanosleep,
             (clockid_t clock, int flags, const struct timespec *request, struct timespec *left))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;

    touches(request, sizeof(*request), false, who);
    if (!pl_begin(&t, &pc))
        return pl_on() ? 0 : sleep_outside(clock, flags, request, left);
    int refused = no_sleep(clock);

    if (refused != 0 || !pl_clock_is_time(request))
        return refused != 0 ? refused : EINVAL;
    bool absolute = (flags & TIMER_ABSTIME) != 0, computes = is_cpu(clock) && !pl_free;
    uint64_t ns = pl_clock_ns(request), computed = pl_stage->clock.cpu_ns;

    if (!absolute || computes)
        pl_clock_sleep(pc);
    if (absolute && computes)
        ns = ns > computed ? ns - computed : 0;
    uint64_t deadline = absolute && !is_cpu(clock) ? pl_clock_of(clock, request)
                        : absolute && !computes    ? ns
                                                   : sleeper_now(clock) + ns;

    if (sleep_until(deadline, clock, t, pc)) {
        if (computes)
            compute_until(computed + ns);
        return 0;
    }
    const struct timespec rest = rest_until(deadline, clock);

    pl_apart_store(absolute ? NULL : left, &rest, sizeof(rest), who);
    return EINTR;
}

PL_INTERPOSE(int, thrd_sleep, (const struct timespec *request, struct timespec *left))
{
    return pl_in_nanosleep(request, left) == 0 ? 0 : errno == EINTR ? -1 : -2;
}

PL_INTERPOSE(int, usleep, (useconds_t us))
{
    struct timespec ts = pl_clock_timespec((uint64_t)us * 1000);

    return sleep_for(&ts, NULL);
}

PL_INTERPOSE(unsigned, sleep, (unsigned seconds))
{
    struct timespec ts = {.tv_sec = (time_t)seconds};

    return sleep_for(&ts, &ts) == 0 ? 0 : (unsigned)ts.tv_sec;
}

/* Nobody sleeps past the moment at which a timer goes off. */
static bool may_wake(const struct pl_thread *t)
{
    return !pl_timer_comes_before(t->sleeps_until);
}

static uint64_t moment_of(const struct pl_thread *t)
{
    return t->sleeps_until;
}

/*
 * Who sets a timer, and whoever it goes off for, decides whether a sleep may come to its end: where
 * there are timers it looks at them.
 */
static enum pl_effect effect_of_sleep(struct pl_thread *t, struct pl_operation *op)
{
    op->ready = op->addr == 0;
    op->steady = true;
    return op->ready ? PL_EFFECT_NONE : PL_EFFECT_READ;
}

PL_DESCRIBE(SLEEP) = {.enabled = may_wake,
                      .effect = effect_of_sleep,
                      .moment = moment_of,
                      .native_blocked = pl_descriptor_waits_natively};
