/* SPDX-License-Identifier: MIT */
/* See calls_plan.h: system calls by number of which interposers have a model. */
#include "runtime/system/calls_plan.h"

#include "base/sys.h"
#include "runtime/access/access.h"
#include "runtime/core/clock.h"
#include "runtime/restart/own.h"
#include "runtime/sync/thread.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_parts.h"
#include "runtime/system/libc_futex.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/libc_time.h"
#include "runtime/system/timerfd.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/time.h>

/* What interposers do already; they return as libc does. */
int pl_in_poll(struct pollfd *fds, nfds_t n, int timeout);
int pl_in_ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask);
int pl_in_select(int n, fd_set *in, fd_set *out, fd_set *bad, struct timeval *timeout);
int pl_in_pselect(int n, fd_set *in, fd_set *out, fd_set *bad, const struct timespec *timeout,
                  const sigset_t *mask);
int pl_in_epoll_wait(int epoll, struct epoll_event *events, int max, int timeout);
int pl_in_epoll_pwait(int epoll, struct epoll_event *events, int max, int timeout,
                      const sigset_t *mask);
int pl_in_pause(void);
int pl_in_sigsuspend(const sigset_t *set);
int pl_in_sigwaitinfo(const sigset_t *set, siginfo_t *info);
int pl_in_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);
int pl_in_nanosleep(const struct timespec *request, struct timespec *left);
int pl_in_clock_nanosleep(clockid_t clock, int flags, const struct timespec *request,
                          struct timespec *left);
int pl_in_kill(pid_t pid, int signo);
int pl_in_tgkill(pid_t pid, pid_t tid, int signo);
int pl_in_sched_yield(void);
int pl_in_clock_gettime(clockid_t clock, struct timespec *out);
int pl_in_gettimeofday(struct timeval *out, void *zone);
time_t pl_in_time(time_t *out);

static long kernel_result(long rc)
{
    return rc == -1 ? -errno : rc;
}

/* Whether a set of signals that is this large, if there is one, is as large as the kernel's. */
static bool is_set(uint64_t set, uint64_t size)
{
    return set == 0 || size == sizeof(uint64_t);
}

long pl_call_poll(struct pl_syscall *c, uint64_t pc)
{
    struct pollfd *fds = (struct pollfd *)c->a[0];

    if (c->number == SYS_poll)
        return kernel_result(pl_in_poll(fds, c->a[1], (int)c->a[2]));
    if (!is_set(c->a[3], c->a[4]))
        return -EINVAL;
    return kernel_result(
        pl_in_ppoll(fds, c->a[1], (const struct timespec *)c->a[2], (const sigset_t *)c->a[3]));
}

long pl_call_select(struct pl_syscall *c, uint64_t pc)
{
    fd_set *in = (fd_set *)c->a[1], *out = (fd_set *)c->a[2], *bad = (fd_set *)c->a[3];
    const struct {
        const sigset_t *mask;
        size_t size;
    } *sixth = (const void *)c->a[5];

    if (c->number == SYS_select)
        return kernel_result(pl_in_select((int)c->a[0], in, out, bad, (struct timeval *)c->a[4]));
    if (sixth != NULL && !is_set((uint64_t)sixth->mask, sixth->size))
        return -EINVAL;
    return kernel_result(pl_in_pselect((int)c->a[0], in, out, bad, (const struct timespec *)c->a[4],
                                       sixth != NULL ? sixth->mask : NULL));
}

long pl_call_epoll(struct pl_syscall *c, uint64_t pc)
{
    struct epoll_event *events = (struct epoll_event *)c->a[1];

    if (c->number == SYS_epoll_wait || c->a[4] == 0)
        return kernel_result(pl_in_epoll_wait((int)c->a[0], events, (int)c->a[2], (int)c->a[3]));
    if (!is_set(c->a[4], c->a[5]))
        return -EINVAL;
    return kernel_result(pl_in_epoll_pwait((int)c->a[0], events, (int)c->a[2], (int)c->a[3],
                                           (const sigset_t *)c->a[4]));
}

long pl_call_futex(struct pl_syscall *c, uint64_t pc)
{
    return pl_futex_call(c->a, pc);
}

long pl_call_futex_waitv(struct pl_syscall *c, uint64_t pc)
{
    return pl_futex_wait_several(c->a, pc);
}

long pl_call_signal_wait(struct pl_syscall *c, uint64_t pc)
{
    const sigset_t *set = (const sigset_t *)c->a[0];
    siginfo_t *info = (siginfo_t *)c->a[1];
    const struct timespec *limit = (const struct timespec *)c->a[2];

    if (c->number == SYS_pause)
        return kernel_result(pl_in_pause());
    if (!is_set(c->a[0], c->number == SYS_rt_sigsuspend ? c->a[1] : c->a[3]))
        return -EINVAL;
    if (c->number == SYS_rt_sigsuspend)
        return kernel_result(pl_in_sigsuspend(set));
    return kernel_result(limit != NULL ? pl_in_sigtimedwait(set, info, limit)
                                       : pl_in_sigwaitinfo(set, info));
}

/* The call is about another process, which may do anything because of it. */
static long call_about_other(struct pl_syscall *c, enum pl_effect effect, uint64_t pc)
{
    const struct pl_plan p = {.first = PL_DEPEND_FILES, .first_effect = effect};
    long error = pl_calls_come(c, &p, false, pc);

    return error != 0 ? error : pl_calls_make(c, pc);
}

static bool queues(const struct pl_syscall *c)
{
    return c->number == SYS_rt_sigqueueinfo || c->number == SYS_rt_tgsigqueueinfo;
}

/* To the program itself: libc sends signals where nobody calls a function, as abort() does. */
long pl_call_send(struct pl_syscall *c, uint64_t pc)
{
    pid_t pid = c->number == SYS_tkill ? pl_own_process() : (pid_t)c->a[0];

    const uint64_t *entry = pl_entry();
    /* As if it were called there: of what that comes to, the place is the program's. */
    const uint64_t where[] = {0,        entry[0], entry[1], entry[2], entry[3],
                              entry[4], entry[5], pc,       entry[7]};

    bool group = c->number == SYS_kill && pl_signal_is_for_group(pid, (int)c->a[1]);

    if (queues(c) || (!group && pid != pl_own_process() && pid != (pid_t)pl_sys(SYS_getpid)))
        return call_about_other(c, PL_EFFECT_WRITE, pc);
    if (pl_free)
        pl_monitor_entry = where + 1;
    else
        pl_entry_now = where + 1;
    if (c->number == SYS_kill)
        return kernel_result(pl_in_kill(pid, (int)c->a[1]));
    bool whole = c->number == SYS_tgkill;

    return kernel_result(pl_in_tgkill(pid, (pid_t)c->a[whole], (int)c->a[whole + 1]));
}

/* To the next millisecond. */
long pl_call_epoll_timed(struct pl_syscall *c, uint64_t pc)
{
    const struct timespec *limit = (const struct timespec *)c->a[3];
    uint64_t ms = limit != NULL ? (pl_clock_ns(limit) + 999999) / 1000000 : UINT64_MAX;
    struct pl_syscall coarse = *c;

    if (!pl_clock_is_time(limit))
        return -EINVAL;
    coarse.number = SYS_epoll_pwait;
    coarse.a[3] = ms > INT_MAX ? UINT64_MAX : ms;
    return pl_call_epoll(&coarse, pc);
}

long pl_call_sleep(struct pl_syscall *c, uint64_t pc)
{
    if (c->number == SYS_nanosleep)
        return kernel_result(
            pl_in_nanosleep((const struct timespec *)c->a[0], (struct timespec *)c->a[1]));
    return -pl_in_clock_nanosleep((clockid_t)c->a[0], (int)c->a[1],
                                  (const struct timespec *)c->a[2], (struct timespec *)c->a[3]);
}

long pl_call_yield(struct pl_syscall *c, uint64_t pc)
{
    return pl_in_sched_yield();
}

long pl_call_clock(struct pl_syscall *c, uint64_t pc)
{
    if (c->number == SYS_time)
        return pl_in_time((time_t *)c->a[0]);
    if (c->number == SYS_gettimeofday)
        return pl_in_gettimeofday((struct timeval *)c->a[0], (void *)c->a[1]);
    return kernel_result(pl_in_clock_gettime((clockid_t)c->a[0], (struct timespec *)c->a[1]));
}

/* The thread that a call about priorities or processors means; NULL: somebody else. */
static const struct pl_thread *treated(const struct pl_syscall *c)
{
    bool priority = c->number == SYS_getpriority || c->number == SYS_setpriority;
    int32_t number = (int32_t)c->a[priority];

    if (priority && c->a[0] != PRIO_PROCESS)
        return NULL;
    return number == 0 ? pl_thread_self() : pl_own_find(number);
}

long pl_call_treat(struct pl_syscall *c, uint64_t pc)
{
    const struct pl_thread *t = treated(c);

    if (t == NULL)
        return call_about_other(c, PL_EFFECT_WRITE, pc);
    pl_thread_passes_on(t, &t->treatment);
    pl_access_state(&t->treatment, pc, pl_thread_self()->entry);
    return pl_calls_now(c);
}

long pl_call_ask_treatment(struct pl_syscall *c, uint64_t pc)
{
    const struct pl_thread *t = treated(c);

    if (t == NULL)
        return call_about_other(c, PL_EFFECT_READ, pc);
    pl_access_look(&t->treatment, pc, pl_thread_self()->entry);
    return pl_calls_now(c);
}

long pl_call_timerfd_create(struct pl_syscall *c, uint64_t pc)
{
    struct pl_plan p = {.first = pl_plan_only(R_TABLE), .first_effect = PL_EFFECT_WRITE};

    pl_calls_come(c, &p, false, pc);
    return pl_timerfd_create((int)c->a[0], (int)c->a[1]);
}

long pl_call_timerfd_settime(struct pl_syscall *c, uint64_t pc)
{
    struct pl_plan p = {.first = pl_files_open((int)c->a[0]),
                        .first_effect = PL_EFFECT_WRITE,
                        .second = pl_clock_within(), /* it counts from now on */
                        .second_effect = PL_EFFECT_READ};

    pl_thread_self()->call.idle = true;
    pl_calls_come(c, &p, false, pc);
    pl_thread_self()->call.idle = false;
    return pl_timerfd_settime((int)c->a[0], (int)c->a[1], (const struct itimerspec *)c->a[2],
                              (struct itimerspec *)c->a[3]);
}

long pl_call_timerfd_gettime(struct pl_syscall *c, uint64_t pc)
{
    struct pl_plan p = {.first = pl_files_open((int)c->a[0]), .first_effect = PL_EFFECT_READ};

    pl_calls_come(c, &p, false, pc);
    pl_time_glance(pc);
    return pl_timerfd_gettime((int)c->a[0], (struct itimerspec *)c->a[1]);
}
