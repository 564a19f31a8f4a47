/* SPDX-License-Identifier: MIT */
/* See timerfd.h. */
#include "runtime/system/timerfd.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/core/clock.h"
#include "runtime/core/expiry.h"
#include "runtime/core/sched.h"
#include "runtime/ground/about.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/rollback.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/functions.h"
#include "runtime/system/processes.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/timerfd.h>

/* The timer behind a descriptor, or one that is free for it. */
static struct pl_timerfd *find(int fd, bool make)
{
    struct pl_timerfd *unused = NULL;
    uint64_t file = pl_files_open(fd);

    for (unsigned i = 0; i < PL_TIMERFDS; i++) {
        struct pl_timerfd *t = &pl_stage->process.timerfds[i];

        if (t->file == file)
            return t;
        if (t->file == 0 && unused == NULL)
            unused = t;
    }
    return make ? unused : NULL;
}

/* What the kernel says against this clock and these flags, or 0: where it would make one. */
static long refused(int clock, int flags)
{
    long fd = pl_sys(SYS_timerfd_create, clock, flags);

    return fd < 0 ? fd : pl_sys(SYS_close, fd);
}

long pl_timerfd_create(int clock, int flags)
{
    long why = refused(clock, flags);

    if (why != 0)
        return why;
    uint64_t a[6] = {0, (uint64_t)flags};
    long fd = pl_watch_make(SYS_eventfd2, a);
    struct pl_timerfd *t = fd >= 0 ? find((int)fd, true) : NULL;

    if (t != NULL)
        *t = (struct pl_timerfd){.file = pl_files_open((int)fd), .fd = (int)fd, .clock = clock};
    return fd;
}

static void tell(const struct pl_timerfd *t, struct itimerspec *value)
{
    uint64_t now = pl_clock_now();

    *value = (struct itimerspec){
        .it_interval = pl_clock_timespec(t->interval),
        .it_value = pl_clock_timespec(t->next == 0    ? 0
                                      : t->next > now ? t->next - now
                                                      : 1),
    };
}

void pl_timerfd_await(struct pl_thread *t, uint64_t fires, uint64_t limit)
{
    t->io.fires = fires;
    t->io.limit = limit;
    t->awaits_timer = fires < limit;
}

/* Who waits already for what has been set now wakes at another time. */
static void tell_waiting(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE || !t->announced || t == pl_thread_self())
            continue;
        if (t->call.now != NULL && t->call.waits && pl_ask_fd(t->call.now) >= 0)
            pl_timerfd_await(t, pl_timerfd_next(pl_ask_fd(t->call.now)), t->io.limit);
        else if (t->op.kind == PL_OP_IO && t->io.fds != NULL)
            pl_timerfd_await(t, pl_timerfd_next_of(t->io.fds, t->io.n), t->io.limit);
        else
            continue;
        t->deadline = t->awaits_timer ? t->io.fires : t->io.limit;
        t->timed = t->deadline != PL_NEVER && (t->awaits_timer || pl_expiry_may_come(t->deadline));
    }
}

long pl_timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old)
{
    struct pl_timerfd *t = find(fd, false);

    if (t == NULL) /* the kernel knows why not */
        return pl_sys(SYS_timerfd_settime, fd, flags, value, old);
    if (value == NULL)
        return -EFAULT;
    if ((flags & ~(TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET)) != 0 ||
        !pl_clock_is_time(&value->it_value) || !pl_clock_is_time(&value->it_interval))
        return -EINVAL;
    if (old != NULL)
        tell(t, old);
    bool armed = value->it_value.tv_sec != 0 || value->it_value.tv_nsec != 0;

    pl_files_empty(fd); /* what has been counted and not read is gone */
    t->interval = pl_clock_ns(&value->it_interval);
    t->next = !armed                             ? 0
              : (flags & TFD_TIMER_ABSTIME) != 0 ? pl_clock_of(t->clock, &value->it_value)
                                                 : pl_clock_now() + pl_clock_ns(&value->it_value);
    t->shown = t->next + pl_board->clock_gap;
    pl_timerfd_fire();
    tell_waiting();
    return 0;
}

long pl_timerfd_gettime(int fd, struct itimerspec *value)
{
    struct pl_timerfd *t = find(fd, false);

    if (t == NULL)
        return pl_sys(SYS_timerfd_gettime, fd, value);
    if (value == NULL)
        return -EFAULT;
    tell(t, value);
    return 0;
}

uint64_t pl_timerfd_next(int fd)
{
    uint64_t file = fd >= 0 ? pl_files_open(fd) : 0, next = PL_NEVER;

    for (unsigned i = 0; i < PL_TIMERFDS; i++) {
        const struct pl_timerfd *t = &pl_stage->process.timerfds[i];

        if (t->file != 0 && t->next != 0 && t->next < next && (fd < 0 || t->file == file))
            next = t->next;
    }
    return next;
}

/* Of timers that are in a set of epoll.  What is in a set within it is not looked up. */
static uint64_t next_in_set(int set)
{
    uint64_t any = pl_timerfd_next(-1), next = PL_NEVER;
    char text[2048];

    if (any == PL_NEVER)
        return PL_NEVER;
    if (pl_about_lines(set, text, sizeof(text)) >= sizeof(text) - 1)
        return any;
    const char *at = text;
    int fd;

    while ((fd = pl_about_member(&at)) >= 0) {
        uint64_t one = pl_about_is_set(fd) ? any : pl_timerfd_next(fd);

        next = one < next ? one : next;
    }
    return next;
}

uint64_t pl_timerfd_next_of(const struct pollfd *fds, nfds_t n)
{
    uint64_t next = PL_NEVER;

    for (nfds_t i = 0; !pl_free && i < n; i++) {
        uint64_t one =
            pl_about_is_set(fds[i].fd) ? next_in_set(fds[i].fd) : pl_timerfd_next(fds[i].fd);

        next = one < next ? one : next;
    }
    return next;
}

bool pl_timerfd_exists(void)
{
    bool any = false;

    for (unsigned i = 0; i < PL_TIMERFDS; i++)
        any |= pl_stage->process.timerfds[i].file != 0;
    return any;
}

bool pl_timerfd_is(int fd)
{
    return pl_files_stands_for(fd) == PL_COUNTER_TIMER;
}

void pl_timerfd_looked(const struct pl_syscall *c, unsigned wait, uint64_t pc)
{
    uint64_t deadline;
    int fd = pl_ask_fd(c);

    if (wait == PL_ASK_NEVER || !pl_timerfd_is(fd) || pl_timerfd_next(fd) == PL_NEVER)
        return;
    if (find(fd, false)->interval != 0 && wait == PL_ASK_IN)
        pl_unmodelled("that counts the times of a timer", PL_UNMODELLED_FUNCTION, pc);
    else if (!pl_ask_waits(wait, c, &deadline) && !pl_ask_ready(wait, c))
        pl_unmodelled("that looks at a timer before its time", PL_UNMODELLED_FUNCTION, pc);
}

/* It was due so long ago. */
static void go_off(struct pl_timerfd *t, uint64_t ago)
{
    uint64_t times = t->interval != 0 ? 1 + ago / t->interval : 1;

    t->fd = pl_files_number(t->fd, t->file);
    if (t->fd < 0) {
        t->file = 0;
        return;
    }
    t->next = t->interval != 0 ? t->next + times * t->interval : 0;
    t->shown += times * t->interval;
    pl_files_fill(t->fd, times);
}

static bool is_armed(const struct pl_timerfd *t)
{
    return t->file != 0 && t->next != 0;
}

void pl_timerfd_fire(void)
{
    uint64_t now = pl_clock_now();

    for (unsigned i = 0; i < PL_TIMERFDS; i++) {
        struct pl_timerfd *t = &pl_stage->process.timerfds[i];

        if (is_armed(t) && t->next <= now)
            go_off(t, now - t->next);
    }
}

bool pl_timerfd_beside(void)
{
    uint64_t shown = pl_clock_beside();
    bool any = false;

    if (shown == 0)
        return false;
    pl_timerfd_fire();
    for (unsigned i = 0; i < PL_TIMERFDS; i++) {
        struct pl_timerfd *t = &pl_stage->process.timerfds[i];

        if (is_armed(t) && t->shown <= shown)
            go_off(t, shown - t->shown);
        any |= is_armed(t);
    }
    return any && pl_processes_run();
}

/* ---- as functions of libc, which also programs without threads so far call ---- */

static bool is_modelled(void)
{
    return pl_on() && !pl_as_free() && !pl_inside();
}

/* The clock of a timer of the kernel's, as it says itself. */
static clockid_t clock_of(int fd)
{
    static const char key[] = "clockid: ";
    char path[64] = {0}, text[512] = {0}; /* so that the kernel may write there */

    pl_text_format(path, sizeof(path), "/proc/self/fdinfo/%d", fd);
    long info = pl_sys(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);

    if (info < 0)
        return CLOCK_REALTIME;
    pl_sys(SYS_read, info, text, sizeof(text) - 1);
    pl_sys(SYS_close, info);
    for (const char *at = text; *at != '\0'; at++) {
        if (pl_text_starts(at, key))
            return at[sizeof(key) - 1] - '0';
    }
    return CLOCK_REALTIME;
}

/* Free threads and children have timers of the kernel's, and a clock of their own: from now on,
 * then. */
static struct itimerspec from_now(int fd, const struct itimerspec *value)
{
    uint64_t at = pl_clock_ns(&value->it_value) + pl_clock_behind(clock_of(fd));
    uint64_t now = pl_in_child() ? pl_clock_shown() : pl_clock_now();

    return (struct itimerspec){.it_interval = value->it_interval,
                               .it_value = pl_clock_timespec(at > now ? at - now : 1)};
}

/*
 * A child has what stands for a timer that the program has made, and goes by the real time that it
 * lives in.  One that it sets is its own from then on, the kernel's.
 */
static struct pl_timerfd *inherited(int fd)
{
    char link[PL_ABOUT_NAMELESS];

    return pl_in_child() && pl_timerfd_is(fd) &&
                   pl_text_equal(pl_about_link(fd, link, sizeof(link)), "anon_inode:[eventfd]")
               ? find(fd, false)
               : NULL;
}

static void make_own(int fd)
{
    const struct pl_timerfd *t = inherited(fd);
    long flags = pl_sys(SYS_fcntl, fd, F_GETFL), closes = pl_sys(SYS_fcntl, fd, F_GETFD);
    long made = t != NULL ? pl_sys(SYS_timerfd_create, t->clock, flags & O_NONBLOCK) : -1;

    if (made < 0)
        return;
    pl_sys(SYS_dup3, made, fd, closes != 0 ? O_CLOEXEC : 0);
    pl_sys(SYS_close, made);
}

static int tell_inherited(const struct pl_timerfd *t, struct itimerspec *value)
{
    uint64_t now = pl_clock_shown(), due = t->shown;

    if (t->next != 0 && t->interval != 0 && due <= now)
        due += (1 + (now - due) / t->interval) * t->interval;
    *value = (struct itimerspec){.it_interval = pl_clock_timespec(t->interval)};
    if (t->next != 0 && due > now)
        value->it_value = pl_clock_timespec(due - now);
    return 0;
}

/* Under control each is an operation of calls.def. */
static long call(struct pl_syscall c, struct pl_call who)
{
    return pl_calls_result(pl_calls_called(c, who.entry));
}

PL_INTERPOSE(int, timerfd_create, (int clock, int flags))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (!is_modelled())
        return (int)pl_real.timerfd_create(clock, flags);
    if (!pl_stage->rooted)
        return (int)pl_calls_result(pl_timerfd_create(clock, flags));
    return (int)call(PL_SYSCALL(SYS_timerfd_create, (uint64_t)clock, (uint64_t)flags), who);
}

PL_INTERPOSE(int, timerfd_settime,
             (int fd, int flags, const struct itimerspec *value, struct itimerspec *old))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (pl_call_wanted(who)) {
        pl_call_touches(value, sizeof(*value), false, who);
        pl_call_touches(old, sizeof(*old), true, who);
    }
    if (!is_modelled()) {
        make_own(fd);
        if (!(pl_on() || pl_in_child()) || pl_inside() || (flags & TFD_TIMER_ABSTIME) == 0 ||
            value == NULL || pl_clock_ns(&value->it_value) == 0)
            return pl_real.timerfd_settime(fd, flags, value, old);
        const struct itimerspec then = from_now(fd, value);

        return pl_real.timerfd_settime(fd, flags & ~TFD_TIMER_ABSTIME, &then, old);
    }
    if (!pl_stage->rooted)
        return (int)pl_calls_result(pl_timerfd_settime(fd, flags, value, old));
    return (int)call(PL_SYSCALL(SYS_timerfd_settime, (uint64_t)fd, (uint64_t)flags, (uint64_t)value,
                                (uint64_t)old),
                     who);
}

PL_INTERPOSE(int, timerfd_gettime, (int fd, struct itimerspec *value))
{
    struct pl_call who = PL_CALL_ENTERED;

    if (pl_call_wanted(who))
        pl_call_touches(value, sizeof(*value), true, who);
    const struct pl_timerfd *t = value != NULL ? inherited(fd) : NULL;

    if (t != NULL)
        return tell_inherited(t, value);
    if (!is_modelled()) {
        int rc = pl_real.timerfd_gettime(fd, value);
        uint64_t left = rc == 0 ? pl_clock_ns(&value->it_value) : 0;

        if (rc == 0 && pl_on() && !pl_inside() && pl_inputs_time(PL_INPUT_LEFT, &left))
            value->it_value = pl_clock_timespec(left);
        return rc;
    }
    if (!pl_stage->rooted)
        return (int)pl_calls_result(pl_timerfd_gettime(fd, value));
    return (int)call(PL_SYSCALL(SYS_timerfd_gettime, (uint64_t)fd, (uint64_t)value), who);
}
