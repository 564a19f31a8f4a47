/* SPDX-License-Identifier: MIT */
/*
 * Signals: masks belong to threads, and waiting for a signal is an operation
 * that is enabled when one is pending.
 *
 * On fibers all threads share one OS thread, so its mask is changed at a switch
 * whenever the two threads' masks differ.  A signal sent to one thread
 * (pthread_kill) is kept with that thread and delivered when it runs next.
 */
#include "runtime/system/libc_signal.h"
#include "runtime/system/functions.h"

#include "base/assert.h"
#include "base/sys.h"
#include "detect/detector.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/restart/rollback.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <unistd.h>

enum { SET_SIZE = 8, SIGNAL_FRAME = 16 << 10 };

static uint64_t bits_of(const sigset_t *set)
{
    return *(const uint64_t *)set;
}

/* To the OS thread that runs: glibc would ask the thread control block, which is the donor's. */
int pl_signal_raise(int signo)
{
    struct pl_thread *t = pl_thread_self();

    if (signo > 0 && signo <= 64 && (t->mask >> (signo - 1) & 1) != 0) {
        t->pending_signals |= UINT64_C(1) << signo; /* the OS thread is not only its own */
        return 0;
    }
    long pid = pl_sys(SYS_getpid);
    long tid = pl_sys(SYS_gettid);

    pl_mask_expect();
    long rc = pl_sys(SYS_tgkill, pid, tid, signo);

    if (rc == 0)
        return 0;
    errno = (int)-rc;
    return -1;
}

/* Signal numbers begin at 1, sets at bit 0; pending_signals has bit n for signal n. */
static uint64_t pending_for(const struct pl_thread *t)
{
    uint64_t process = 0;

    pl_sys(SYS_rt_sigpending, &process, SET_SIZE);
    return process | t->pending_signals >> 1;
}

static bool is_pending(const struct pl_thread *t)
{
    return (pending_for(t) & t->waits_for) != 0;
}

/* A signal has reached t: whoever sent it to the thread, or to the process, did so before. */
static void arrived(const struct pl_thread *t)
{
    pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)&t->pending_signals, PL_OBJECT_THREAD);
    pl_feed_object(PL_SYNC_RECEIVE, t->id, PL_SIGNALS_SENT, PL_OBJECT_THREAD);
}

/* Take one signal out of what is pending, the lowest first. */
static int take(struct pl_thread *t, siginfo_t *info)
{
    uint64_t mine = t->pending_signals >> 1 & t->waits_for;
    siginfo_t dummy;
    struct timespec zero = {0, 0};

    arrived(t);
    if (mine != 0) {
        int signo = __builtin_ctzll(mine) + 1;

        PL_ASSERT(signo < 64 && (t->pending_signals >> signo & 1) != 0);
        t->pending_signals &= ~(UINT64_C(1) << signo);
        if (info != NULL)
            *info = (siginfo_t){.si_signo = signo, .si_code = SI_TKILL};
        return signo;
    }
    pl_rollback_touch(info, sizeof(*info));
    return (int)pl_sys(SYS_rt_sigtimedwait, &t->waits_for, info != NULL ? info : &dummy, &zero,
                       SET_SIZE);
}

static int wait_for(const sigset_t *set, siginfo_t *info, uint64_t deadline, struct pl_thread *t,
                    uint64_t pc)
{
    t->waits_for = bits_of(set);
    t->cancel_point = true;
    enum pl_way way = pl_sched_timed_point(PL_OP_SIGNAL_WAIT, NULL, deadline, 0, pc);

    t->cancel_point = false;
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    return way == PL_WAY_TIMEOUT ? -EAGAIN : take(t, info);
}

PL_INTERPOSE(int, sigwait, (const sigset_t *set, int *out))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigwait, set, out);
    int signo = wait_for(set, NULL, PL_NEVER, t, pc);

    if (signo < 0)
        return -signo;
    *out = signo;
    return 0;
}

static int result(int signo)
{
    if (signo >= 0)
        return signo;
    errno = -signo;
    return -1;
}

PL_INTERPOSE(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigwaitinfo, set, info);
    return result(wait_for(set, info, PL_NEVER, t, pc));
}

PL_INTERPOSE(int, sigtimedwait,
             (const sigset_t *set, siginfo_t *info, const struct timespec *timeout))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigtimedwait, set, info, timeout);
    uint64_t deadline = timeout == NULL ? PL_NEVER
                                        : pl_clock_now() + (uint64_t)timeout->tv_sec * 1000000000 +
                                              (uint64_t)timeout->tv_nsec;

    return result(wait_for(set, info, deadline, t, pc));
}

/* Until a handler has run: any signal that is not blocked. */
PL_INTERPOSE(int, pause, (void))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return (pl_on() ? 0 : (int)pl_sys(SYS_pause));
    t->waits_for = ~t->mask;
    t->cancel_point = true;
    enum pl_way way = pl_sched_timed_point(PL_OP_SIGNAL_WAIT, NULL, PL_NEVER, 0, pc);

    t->cancel_point = false;
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    errno = EINTR;
    return -1;
}

/* Signals kept with the thread that it no longer blocks. */
void pl_signal_deliver(struct pl_thread *t)
{
    uint64_t open;

    while ((open = t->pending_signals & ~(t->mask << 1)) != 0) {
        int signo = __builtin_ctzll(open);

        PL_ASSERT(t == pl_thread_self());
        t->pending_signals &= ~(UINT64_C(1) << signo);
        arrived(t);
        pl_signal_raise(signo);
    }
}

/* Sets that a call reads and stores; each is a word for the kernel. */
static void touches_sets(const sigset_t *in, const sigset_t *out, struct pl_call who)
{
    enum { WORD = 8 };

    if (!pl_call_wanted(who))
        return;
    pl_call_touches(in, WORD, false, who);
    pl_call_touches(out, WORD, true, who);
}

PL_INTERPOSE(int, sigpending, (sigset_t * set))
{
    struct pl_thread *t;
    uint64_t pc;

    touches_sets(NULL, set, PL_CALL_ENTERED);
    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigpending, set);
    *set = (sigset_t){{0}};
    *(uint64_t *)set = pending_for(t);
    return 0;
}

static int set_mask(int how, const sigset_t *set, sigset_t *old, struct pl_thread *t)
{
    uint64_t before = t->mask;

    if (set != NULL) {
        uint64_t bits = bits_of(set);

        switch (how) {
        case SIG_BLOCK:
            t->mask |= bits;
            break;
        case SIG_UNBLOCK:
            t->mask &= ~bits;
            break;
        case SIG_SETMASK:
            t->mask = bits;
            break;
        default:
            return EINVAL;
        }
        pl_mask_set(t->mask);
        pl_signal_deliver(t);
    }
    if (old != NULL) {
        *old = (sigset_t){{0}};
        *(uint64_t *)old = before;
    }
    return 0;
}

PL_INTERPOSE(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old))
{
    struct pl_thread *t;
    uint64_t pc;

    touches_sets(set, old, PL_CALL_ENTERED);
    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_sigmask, how, set, old);
    return set_mask(how, set, old, t);
}

PL_INTERPOSE(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old))
{
    struct pl_thread *t;
    uint64_t pc;

    touches_sets(set, old, PL_CALL_ENTERED);
    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigprocmask, how, set, old);
    int rc = set_mask(how, set, old, t);

    if (rc == 0)
        return 0;
    errno = rc;
    return -1;
}

PL_INTERPOSE(int, pthread_kill, (pthread_t handle, int signo))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_real.pthread_kill(handle, signo);
    struct pl_thread *target = pl_thread_of(handle);

    pl_thread_exit_matters();
    if (target == NULL || target->state != PL_THREAD_ALIVE)
        return target == NULL ? ESRCH : 0;
    if (signo < 0 || signo > 64)
        return EINVAL;
    if (signo == 0)
        return 0;
    if (target == t)
        return pl_signal_raise(signo) == 0 ? 0 : errno;
    target->pending_signals |= UINT64_C(1) << signo;
    pl_feed_object(PL_SYNC_SEND, t->id, (uint64_t)&target->pending_signals, PL_OBJECT_THREAD);
    /* When it is delivered is nothing that a search that reduces explores. */
    if (pl_stage->strategy != NULL && pl_stage->strategy->last != NULL)
        pl_board->divergence.happened = true;
    return 0;
}

PL_INTERPOSE(int, pthread_sigqueue, (pthread_t handle, int signo, const union sigval value))
{
    return pl_in_pthread_kill(handle, signo);
}

/* Signals come at any time, and nobody says so. */
static void pause_for(const struct pl_thread *t, int ms)
{
    struct timespec step = {.tv_sec = 0, .tv_nsec = 1000000};

    pl_sys(SYS_nanosleep, &step, NULL);
}

PL_DESCRIBE(SIGNAL_WAIT) = {
    .enabled = is_pending, .pause = pause_for, .native_blocked = pl_descriptor_waits_natively};
