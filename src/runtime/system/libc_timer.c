/* SPDX-License-Identifier: MIT */
/*
 * Timers of the program: alarm(), setitimer(), timer_create().  They run in virtual time and
 * belong to the stage, so that rollback and fork() of a runner keep them.
 *
 * A timer that is set is a thread of its own, which goes off and then sends its signal.  When it
 * does is a choice, like the moment of a time-out; but the clock does not pass it, nobody sleeps
 * longer than until then.  What would kill the program goes off only when its time has come by
 * what others slept: a watchdog is no finding.  A timer that goes off again and again does so when
 * its time has come, or when all others wait; the search is then called incomplete.
 *
 * Timers keep nobody from ending: when only they are left, the process exits.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/ways.h"
#include "runtime/free/free.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/own.h"
#include "runtime/sync/thread.h"
#include "runtime/system/apart.h"
#include "runtime/system/functions.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/libc_time.h"
#include "runtime/system/signal_queue.h"
#include "runtime/system/stuck.h"

#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <sys/utsname.h>
#include <unistd.h>

#define SECOND UINT64_C(1000000000)

/* The first ones are those of setitimer(). */
enum { FIRST_MADE = 3, SLICE = 20000000, SETTING_SHIFT = 8 };

static int fail(int error)
{
    errno = error;
    return -1;
}

static struct pl_timer *timer_at(unsigned i)
{
    PL_ASSERT(i < PL_TIMERS);
    return &pl_stage->signals.timers[i];
}

/* ---- when they go off ---- */

/* Whether it would kill the program. */
static bool is_deadly(const struct pl_timer *timer)
{
    int signo = timer->event.sigev_signo;

    if (timer->event.sigev_notify == SIGEV_THREAD ||
        pl_signal_queue_fate(signo) != PL_SIGNAL_DEADLY)
        return false;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && !t->timer && (t->mask & pl_signal_bit(signo)) == 0)
            return true;
    }
    return false;
}

/* Find out anew when the first one goes off. */
static void look(void)
{
    uint64_t next = 0;

    for (unsigned i = 0; i < PL_TIMERS; i++) {
        const struct pl_timer *timer = timer_at(i);

        if (timer->armed && timer->event.sigev_notify != SIGEV_NONE && !is_deadly(timer) &&
            (next == 0 || timer->deadline < next))
            next = timer->deadline;
    }
    if (pl_stage->signals.next_timer != next)
        pl_stage->signals.next_timer = next;
}

uint64_t pl_timer_deadly(void)
{
    uint64_t first = PL_NEVER;

    for (unsigned i = 0; pl_stage->signals.n_timers > 0 && i < PL_TIMERS; i++) {
        const struct pl_timer *timer = timer_at(i);

        if (timer->armed && timer->deadline < first && timer->deadline > pl_stage->now &&
            is_deadly(timer))
            first = timer->deadline;
    }
    return first;
}

uint64_t pl_timer_next(void)
{
    look();
    return pl_stage->signals.next_timer != 0 ? pl_stage->signals.next_timer : PL_NEVER;
}

/* The timer that a thread is. */
static struct pl_timer *timer_of(const struct pl_thread *t)
{
    return timer_at((unsigned)((uint64_t)t->arg & ((1u << SETTING_SHIFT) - 1)));
}

static bool all_wait(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && !t->timer && pl_ways_now(t) != PL_WAY_BLOCKED)
            return false;
    }
    return true;
}

/*
 * What kills the program waits for somebody to sleep that long, what goes off again for its time.
 * Of free threads it is known that the time had come, also if its death is the last that they saw.
 */
static bool is_told(const struct pl_thread *t)
{
    return pl_board->settings.starts_chosen && pl_stage->context.replaying &&
           (pl_stage->context.following || (pl_stage->current == t->id && is_deadly(timer_of(t))));
}

static bool may_go_off(const struct pl_thread *t)
{
    const struct pl_timer *timer = timer_of(t);

    if (pl_free || pl_stage->now >= timer->deadline || is_told(t))
        return true;
    if (is_deadly(timer) || pl_timer_comes_before(timer->deadline))
        return false;
    return !timer->again || all_wait();
}

/* Setting a timer is an operation like changing a mask, and so is its end. */
static void change(unsigned i, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();

    t->signals.sets_timer = (uint8_t)(i + 1);
    pl_signal_changes(pc);
    t->signals.sets_timer = 0;
}

/* ---- going off ---- */

/* The thread of a timer ends; nobody can tell. */
static void retire(struct pl_thread *t)
{
    PL_ASSERT(t->timer && t->state == PL_THREAD_ALIVE && pl_stage->signals.n_timers > 0);
    t->state = PL_THREAD_GONE;
    pl_stage->n_alive--;
    pl_stage->signals.n_timers--;
}

static bool is_set(const struct pl_timer *timer, uint32_t setting)
{
    return timer->armed && timer->setting == setting;
}

bool pl_timer_goes(const struct pl_thread *t)
{
    return is_set(timer_of(t), (uint32_t)((uint64_t)t->arg >> SETTING_SHIFT));
}

/* On the free carrier, time is real. */
static void sleep_freely(struct pl_thread *t, const struct pl_timer *timer, uint32_t setting)
{
    while (is_set(timer, setting) && pl_clock_now() < timer->deadline) {
        uint64_t slice = pl_clock_now() + SLICE;

        pl_free_sleep(t, CLOCK_REALTIME, slice < timer->deadline ? slice : timer->deadline);
    }
}

static void *notify(void *arg)
{
    const struct pl_timer *timer = timer_at((unsigned)(uint64_t)arg);

    timer->event.sigev_notify_function(timer->event.sigev_value);
    return NULL;
}

/* A thread that calls the program's function, as libc makes one. */
static void go_off_by_thread(const struct pl_thread *t, unsigned i, uint64_t pc)
{
    pthread_t handle;

    change(i, pc);
    pl_clock_reach(t->deadline);
    pl_thread_create_detached(&handle, notify, (void *)(uint64_t)i, pc);
}

static void go_off(struct pl_thread *t, unsigned i, uint64_t pc)
{
    const struct pl_timer *timer = timer_at(i);
    siginfo_t info = {.si_signo = timer->event.sigev_signo,
                      .si_code = i < FIRST_MADE ? SI_KERNEL : SI_TIMER};

    pl_sched_point(PL_OP_TIMER, NULL, 0, timer->again, pc);
    t->deadline = timer->deadline; /* which the clock reaches when the signal is sent */
    if (timer->event.sigev_notify == SIGEV_THREAD) {
        go_off_by_thread(t, i, pc);
        return;
    }
    if (i >= FIRST_MADE) {
        info.si_value = timer->event.sigev_value;
        info.si_timerid = (int)i;
    }
    pl_signal_send(timer->target != PL_TID_NONE ? pl_thread_by_id(timer->target) : NULL, &info, pc);
}

/* After it has gone off: again, or not. */
static bool goes_on(struct pl_timer *timer)
{
    if (timer->interval == 0) {
        timer->armed = false;
    } else {
        timer->deadline += timer->interval;
        timer->again = true;
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_UNFAIR);
    }
    look();
    return timer->armed;
}

/* What the thread of a timer does. */
static void *body(void *arg)
{
    struct pl_thread *t = pl_thread_self();
    unsigned i = (unsigned)((uint64_t)arg & ((1u << SETTING_SHIFT) - 1));
    uint32_t setting = (uint32_t)((uint64_t)arg >> SETTING_SHIFT);
    struct pl_timer *timer = timer_at(i);
    bool goes = pl_free || timer->thread == t->id;

    t->timer = true;
    t->entry = NULL;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_CALL);
    while (goes) {
        if (pl_free)
            sleep_freely(t, timer, setting);
        if (pl_free && !is_set(timer, setting))
            break;
        go_off(t, i, t->op.pc);
        goes = goes_on(timer);
    }
    retire(t);
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_CALL);
    pl_sched_end_thread();
}

/* ---- setting them ---- */

static void disarm(struct pl_timer *timer)
{
    if (!timer->armed)
        return;
    timer->armed = false;
    timer->setting++;
    if (timer->event.sigev_notify == SIGEV_NONE || pl_free || timer->thread == PL_TID_NONE)
        return;
    struct pl_thread *t = pl_thread_by_id(timer->thread);

    retire(t);
    t->over = t->started && t->op.kind != PL_OP_TIMER;
    if (!t->over)
        return;
    t->op.way = PL_WAY_BLOCKED; /* it is told at the end, see pl_sched_last() */
    t->op.other = (uint64_t)&t->over;
    t->op.effect = PL_EFFECT_NONE;
    t->op.other_effect = PL_EFFECT_READ;
}

/*
 * What becomes of a signal that is pending when its timer is deleted or set anew POSIX leaves open.
 * Since 6.13 Linux forgets it.
 */
static void forget_pending(unsigned i)
{
    struct utsname name;
    const char *p = name.release;
    unsigned numbers[2] = {0, 0};

    if (i < FIRST_MADE || pl_sys(SYS_uname, &name) != 0)
        return;
    for (unsigned k = 0; k < 2; k++, p++) {
        for (; *p >= '0' && *p <= '9'; p++)
            numbers[k] = numbers[k] * 10 + (unsigned)(*p - '0');
    }
    if (numbers[0] > 6 || (numbers[0] == 6 && numbers[1] >= 13))
        pl_signal_queue_forget_timer((int)i);
}

static int arm(unsigned i, uint64_t deadline, uint64_t interval, uint64_t pc)
{
    struct pl_timer *timer = timer_at(i);
    pthread_t handle;

    disarm(timer);
    forget_pending(i);
    look();
    if (deadline == 0)
        return 0;
    uint32_t setting = ++timer->setting;

    timer->armed = true;
    timer->again = false;
    timer->thread =
        PL_TID_NONE; /* it is set from here on, while others may still come in between */
    timer->deadline = deadline;
    timer->interval = interval;
    if (timer->event.sigev_notify == SIGEV_NONE)
        return 0;
    pl_signal_matters();
    if (!pl_free)
        pl_shadow_share((uint64_t)&pl_stage->signals.next_timer);
    look();
    int rc = pl_thread_create_detached(&handle, body,
                                       (void *)(i | (uint64_t)setting << SETTING_SHIFT), pc);
    bool is_current = timer->setting == setting;

    if (rc == 0) {
        struct pl_thread *t = pl_thread_by_id(pl_thread_of(handle)->id);

        t->timer = true;
        pl_stage->signals.n_timers++;
        if (is_current)
            timer->thread = t->id; /* or it ends as soon as it begins */
        return 0;
    }
    timer->armed = timer->armed && !is_current;
    look();
    return rc;
}

/* How long it is until it goes off. */
static uint64_t left(const struct pl_timer *timer)
{
    uint64_t now = pl_clock_now(), deadline = timer->deadline;

    if (!timer->armed)
        return 0;
    if (timer->event.sigev_notify == SIGEV_NONE && now >= deadline) {
        if (timer->interval == 0)
            return 0;
        deadline += (now - deadline) / timer->interval * timer->interval + timer->interval;
    }
    return deadline > now ? deadline - now : 1;
}

/* The same for the program: where times are recorded or fed, that is one. */
static uint64_t show_left(const struct pl_timer *timer)
{
    uint64_t ns = left(timer), shown = ns;

    return pl_inputs_time(PL_INPUT_LEFT, &shown) ? shown : ns;
}

/* Executions may begin here: before the clock is read, which on the free carrier goes on. */
static void touch(unsigned i, uint64_t pc)
{
    pl_ports.restart->root();
    pl_access_state(timer_at(i), pc, NULL); /* it may never send anything */
    change(i, pc);
}

/* To look at one tells whether it has gone off. */
static void look_at(unsigned i, uint64_t pc)
{
    pl_access_look(timer_at(i), pc, NULL);
    pl_signal_changes(pc);
}

/* ---- the program's calls: one timer for the process ---- */

static struct timeval to_timeval(uint64_t ns)
{
    ns += ns > 0 && ns < 1000 ? 1000 : 0;
    return (struct timeval){(time_t)(ns / SECOND), (suseconds_t)(ns % SECOND / 1000)};
}

static uint64_t from_timeval(const struct timeval *v)
{
    return (uint64_t)v->tv_sec * SECOND + (uint64_t)v->tv_usec * 1000;
}

/* The timer of setitimer(). */
static struct pl_timer *process_timer(int which)
{
    static const int signals[] = {SIGALRM, SIGVTALRM, SIGPROF};
    struct pl_timer *timer = timer_at((unsigned)which);

    if (!timer->used) {
        timer->used = true;
        timer->target = PL_TID_NONE;
        timer->event.sigev_notify = SIGEV_SIGNAL;
        timer->event.sigev_signo = signals[which];
    }
    return timer;
}

static bool is_valid(const struct timeval *v)
{
    return v->tv_sec >= 0 && v->tv_usec >= 0 && v->tv_usec < 1000000;
}

/* What a call is given; what it answers is stored when it has happened (pl_apart_store()). */
static void reads(const void *in, uint64_t size, struct pl_call who)
{
    if (pl_call_wanted(who))
        pl_call_touches(in, size, false, who);
}

PL_INTERPOSE(int, getitimer, (__itimer_which_t which, struct itimerval *out))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(getitimer, which, out);
    if ((int)which < 0 || (int)which >= FIRST_MADE)
        return fail(EINVAL);
    look_at((unsigned)which, pc);
    const struct pl_timer *timer = process_timer((int)which);

    pl_time_glance(pc);
    struct itimerval now = {to_timeval(timer->armed ? timer->interval : 0),
                            to_timeval(show_left(timer))};

    pl_apart_store(out, &now, sizeof(now), who);
    return 0;
}

PL_INTERPOSE(int, setitimer,
             (__itimer_which_t which, const struct itimerval *in, struct itimerval *out))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;

    reads(in, sizeof(*in), who);
    if (!pl_begin(&t, &pc)) {
        pl_stuck_armed();
        return PL_OUTSIDE(setitimer, which, in, out);
    }
    if ((int)which < 0 || (int)which >= FIRST_MADE ||
        (in != NULL && (!is_valid(&in->it_value) || !is_valid(&in->it_interval))))
        return fail(EINVAL);
    touch((unsigned)which, pc);
    const struct pl_timer *timer = process_timer((int)which);
    uint64_t in_ns = in != NULL ? from_timeval(&in->it_value) : 0;

    struct itimerval before = {to_timeval(timer->armed ? timer->interval : 0), {0, 0}};

    if (out != NULL)
        before.it_value = to_timeval(show_left(timer));
    int rc = arm((unsigned)which, in_ns > 0 ? pl_clock_now() + in_ns : 0,
                 in != NULL ? from_timeval(&in->it_interval) : 0, pc);

    if (rc != 0)
        return fail(rc);
    pl_apart_store(out, &before, sizeof(before), who);
    return 0;
}

PL_INTERPOSE(unsigned, alarm, (unsigned seconds))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc)) {
        pl_stuck_armed();
        return PL_OUTSIDE(alarm, seconds);
    }
    touch(ITIMER_REAL, pc);
    uint64_t before = show_left(process_timer(ITIMER_REAL));

    arm(ITIMER_REAL, seconds > 0 ? pl_clock_now() + seconds * SECOND : 0, 0, pc);
    return (unsigned)((before + SECOND - 1) / SECOND);
}

PL_INTERPOSE(useconds_t, ualarm, (useconds_t us, useconds_t interval))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc)) {
        pl_stuck_armed();
        return PL_OUTSIDE(ualarm, us, interval);
    }
    touch(ITIMER_REAL, pc);
    uint64_t before = show_left(process_timer(ITIMER_REAL));

    arm(ITIMER_REAL, us > 0 ? pl_clock_now() + us * UINT64_C(1000) : 0, interval * UINT64_C(1000),
        pc);
    return (useconds_t)(before / 1000);
}

/* ---- any number of them ---- */

/*
 * The timer with this name, or NULL; it is set, or looked at.  Whether there is one is known when
 * that operation has been performed: another thread may delete it before.
 */
static struct pl_timer *made(timer_t id, bool sets, uint64_t pc)
{
    uint64_t i = (uint64_t)id;

    if (i < FIRST_MADE || i >= PL_TIMERS)
        return NULL;
    (sets ? touch : look_at)((unsigned)i, pc);
    return timer_at((unsigned)i)->used ? timer_at((unsigned)i) : NULL;
}

/* The thread of SIGEV_THREAD_ID, by what gettid() says; false when there is none. */
static bool find_target(const struct sigevent *event, struct pl_timer *timer)
{
    const struct pl_thread *t;

    timer->target = PL_TID_NONE;
    if (event->sigev_notify != SIGEV_THREAD_ID)
        return true;
    t = pl_own_find(event->_sigev_un._tid);
    if (t == NULL)
        return false;
    timer->target = t->id;
    return true;
}

/* Why the kernel makes no timer of this clock that tells of itself like this, or 0. */
static int refused(clockid_t clock, const struct sigevent *event)
{
    struct sigevent asked = {.sigev_notify = SIGEV_NONE};
    int id = 0;

    if (clock < 0)
        return EINVAL;
    /* What a thread is told is libc's affair, and which threads there are the model's. */
    if (event != NULL && event->sigev_notify != SIGEV_THREAD &&
        event->sigev_notify != SIGEV_THREAD_ID)
        asked = *event;
    long rc = pl_sys(SYS_timer_create, clock, &asked, &id);

    if (rc == 0)
        pl_sys(SYS_timer_delete, id);
    return (int)-rc;
}

PL_INTERPOSE(int, timer_create, (clockid_t clock, struct sigevent *event, timer_t *out))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;
    unsigned i = FIRST_MADE;

    reads(event, sizeof(*event), who);
    if (!pl_begin(&t, &pc)) {
        pl_stuck_armed();
        return PL_OUTSIDE(timer_create, clock, event, out);
    }
    int why = refused(clock, event);

    if (why != 0)
        return fail(why);
    while (i < PL_TIMERS && timer_at(i)->used)
        i++;
    if (i == PL_TIMERS)
        return fail(EAGAIN);
    struct pl_timer *timer = timer_at(i);
    uint32_t setting = timer->setting;
    struct sigevent usual = {.sigev_notify = SIGEV_SIGNAL,
                             .sigev_signo = SIGALRM,
                             .sigev_value.sival_ptr = (void *)(uint64_t)i};

    *timer = (struct pl_timer){
        .clock = clock, .setting = setting, .event = event != NULL ? *event : usual};
    bool signals =
        timer->event.sigev_notify == SIGEV_SIGNAL || timer->event.sigev_notify == SIGEV_THREAD_ID;

    if (!find_target(&timer->event, timer) ||
        (signals && (timer->event.sigev_signo < 1 || timer->event.sigev_signo > PL_SIGNALS)))
        return fail(EINVAL);
    timer->used = true;
    timer_t name = (timer_t)(uint64_t)i;

    pl_apart_store(out, &name, sizeof(name), who);
    return 0;
}

PL_INTERPOSE(int, timer_settime,
             (timer_t id, int flags, const struct itimerspec *in, struct itimerspec *out))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc, deadline = 0;

    reads(in, sizeof(*in), who);

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(timer_settime, id, flags, in, out);
    if (in == NULL || !pl_clock_is_time(&in->it_value) || !pl_clock_is_time(&in->it_interval))
        return fail(EINVAL);
    struct pl_timer *timer = made(id, true, pc);

    if (timer == NULL)
        return fail(EINVAL);
    if (in->it_value.tv_sec != 0 || in->it_value.tv_nsec != 0)
        deadline = flags & TIMER_ABSTIME ? pl_clock_of(timer->clock, &in->it_value)
                                         : pl_clock_now() + pl_clock_ns(&in->it_value);
    struct itimerspec before = {pl_clock_timespec(timer->armed ? timer->interval : 0), {0, 0}};

    if (out != NULL)
        before.it_value = pl_clock_timespec(show_left(timer));
    timer->overrun = 0;
    int rc = arm((unsigned)(uint64_t)id, deadline, pl_clock_ns(&in->it_interval), pc);

    if (rc != 0)
        return fail(rc);
    pl_apart_store(out, &before, sizeof(before), who);
    return 0;
}

PL_INTERPOSE(int, timer_gettime, (timer_t id, struct itimerspec *out))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(timer_gettime, id, out);
    const struct pl_timer *timer = made(id, false, pc);

    if (timer == NULL)
        return fail(EINVAL);
    pl_time_glance(pc);
    struct itimerspec now = {pl_clock_timespec(timer->armed ? timer->interval : 0),
                             pl_clock_timespec(show_left(timer))};

    pl_apart_store(out, &now, sizeof(now), who);
    return 0;
}

PL_INTERPOSE(int, timer_getoverrun, (timer_t id))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(timer_getoverrun, id);
    const struct pl_timer *timer = made(id, false, pc);

    if (timer == NULL)
        return fail(EINVAL);
    uint64_t times = (uint64_t)timer->overrun;

    return pl_inputs_time(PL_INPUT_OVERRUN, &times) ? (int)times : timer->overrun;
}

PL_INTERPOSE(int, timer_delete, (timer_t id))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(timer_delete, id);
    struct pl_timer *timer = made(id, true, pc);

    if (timer == NULL)
        return fail(EINVAL);
    disarm(timer);
    forget_pending((unsigned)(uint64_t)id);
    timer->used = false;
    look();
    return 0;
}

void pl_timer_forked(void)
{
    for (unsigned i = 0; i < PL_TIMERS; i++) {
        struct pl_timer *timer = timer_at(i);

        *timer = (struct pl_timer){.setting = timer->setting + 1};
    }
    pl_stage->signals.n_timers = 0;
    look();
}

/* ---- what the core asks ---- */

static uint64_t moment_of(const struct pl_thread *t)
{
    return timer_of(t)->deadline;
}

PL_DESCRIBE(TIMER) = {.enabled = may_go_off, .moment = moment_of};
