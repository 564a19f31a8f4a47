/* SPDX-License-Identifier: MIT */
/*
 * Masks, which belong to threads, and waiting for signals.
 *
 * sigwait() and its kin are enabled when one of the signals is pending.  pause() and sigsuspend()
 * are never enabled: they end when a handler has run while the thread was in them.
 */
#include "runtime/system/libc_signal.h"

#include "base/assert.h"
#include "base/sys.h"
#include "detect/detector.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"
#include "runtime/sync/thread.h"
#include "runtime/system/functions.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/signal_queue.h"

#include <errno.h>
#include <setjmp.h>
#include <unistd.h>

enum { SET_SIZE = 8, WAITS = 1, SUSPENDS = 2 };

static uint64_t bits_of(const sigset_t *set)
{
    return *(const uint64_t *)set;
}

/* Those that nobody can block: of two it is libc that does not. */
static uint64_t blockable(uint64_t bits)
{
    return bits & ~(pl_signal_bit(SIGKILL) | pl_signal_bit(SIGSTOP) | pl_signal_bit(__SIGRTMIN) |
                    pl_signal_bit(__SIGRTMIN + 1));
}

void pl_signal_matters(void)
{
    pl_thread_exit_matters();
    if (!pl_board->signals_matter) {
        pl_board->signals_matter = true;
        pl_board->shared_grew = true;
    }
}

/* A schedule does not say whether it was a point where it was made. */
void pl_signal_changes(uint64_t pc)
{
    if (pl_board->signals_matter || pl_stage->context.following)
        pl_sched_point(PL_OP_SIGNAL_MASK, (const void *)PL_SIGNALS_SENT, 0, 0, pc);
    else
        pl_sched_note(PL_OP_SIGNAL_MASK, (const void *)PL_SIGNALS_SENT, 0, pc);
}

/* ---- waiting ---- */

/* What came from another process and is blocked is pending in the kernel. */
static uint64_t kernel_pending(void)
{
    uint64_t bits = 0;

    pl_sys(SYS_rt_sigpending, &bits, SET_SIZE);
    return bits;
}

bool pl_signal_is_pending(const struct pl_thread *t, uint64_t wanted)
{
    return ((pl_signal_queue_pending(t) | kernel_pending()) & wanted) != 0;
}

int pl_signal_take(struct pl_thread *t, uint64_t wanted, siginfo_t *info)
{
    struct timespec zero = {0, 0};
    int signo = pl_signal_queue_take(t, wanted, info);

    pl_signal_queue_look(t);
    pl_spin_touch((uint64_t)&t->signals, 1, t->id);
    pl_spin_touch(PL_SIGNALS_SENT, 1, t->id);
    pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)&t->signals, PL_OBJECT_THREAD);
    pl_feed_object(PL_SYNC_RECEIVE, t->id, PL_SIGNALS_SENT, PL_OBJECT_THREAD);
    if (signo == 0) {
        signo = (int)pl_sys(SYS_rt_sigtimedwait, &wanted, info, &zero, SET_SIZE);
        if (signo > 0)
            pl_own_show_sender(info);
    }
    return signo > 0 ? signo : 0;
}

static int wait_for(const sigset_t *set, siginfo_t *info, uint64_t deadline,
                    enum pl_interruption interruption, struct pl_thread *t, uint64_t pc)
{
    const uint64_t *entry = t->entry;
    siginfo_t found = {0};
    uint64_t awaited = blockable(bits_of(set));

    if ((awaited & ~t->mask) != 0) /* until then they are handled, or deadly, as anywhere */
        pl_signal_changes(pc);
    t->waits_for = awaited;
    pl_signal_queue_look(t);
    t->cancel_point = true;
    t->signals.interruption = interruption;
    enum pl_way way =
        pl_sched_timed_point(PL_OP_SIGNAL_WAIT, (const void *)PL_SIGNALS_SENT, deadline, WAITS, pc);
    uint64_t wanted = t->waits_for;
    int signo = way == PL_WAY_NORMAL ? pl_signal_take(t, wanted, &found) : 0;

    t->cancel_point = false;
    t->signals.interruption = PL_INTERRUPTION_NONE;
    t->waits_for = 0;
    pl_signal_queue_look(t);
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    if (way == PL_WAY_SIGNAL)
        return -EINTR;
    if (signo == 0)
        return -EAGAIN;
    pl_cancel_check(pc);           /* as behind a call: what it has taken is lost */
    if (found.si_code == SI_TKILL) /* as libc does */
        found.si_code = SI_USER;
    pl_access_after(info, sizeof(*info), entry);
    if (info != NULL)
        *info = found;
    return signo;
}

PL_INTERPOSE(int, sigwait, (const sigset_t *set, int *out))
{
    pl_access_argument(set, SET_SIZE, false, pl_entry());
    struct pl_thread *t;
    uint64_t pc;
    int signo;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigwait, set, out);
    /* Whether a handler came while it waited or before that makes no difference: it waits again. */
    const uint64_t *entry = t->entry;

    signo = wait_for(set, NULL, PL_NEVER, PL_INTERRUPTION_NONE, t, pc);
    if (signo < 0)
        return -signo;
    pl_access_after(out, sizeof(*out), entry);
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

static int taken_outside(int signo, siginfo_t *info)
{
    if (signo > 0 && info != NULL)
        pl_own_show_sender(info);
    return signo;
}

PL_INTERPOSE(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info))
{
    pl_access_argument(set, SET_SIZE, false, pl_entry());
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return taken_outside(PL_OUTSIDE(sigwaitinfo, set, info), info);
    return result(wait_for(set, info, PL_NEVER, PL_INTERRUPTION_ALWAYS, t, pc));
}

PL_INTERPOSE(int, sigtimedwait,
             (const sigset_t *set, siginfo_t *info, const struct timespec *timeout))
{
    const uint64_t *entry = pl_entry();

    pl_access_argument(set, SET_SIZE, false, entry);
    pl_access_argument(timeout, sizeof(*timeout), false, entry);
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return taken_outside(PL_OUTSIDE(sigtimedwait, set, info, timeout), info);
    if (timeout != NULL &&
        (timeout->tv_nsec < 0 || timeout->tv_nsec >= 1000000000 || timeout->tv_sec < 0))
        return result(-EINVAL);
    uint64_t deadline = timeout == NULL ? PL_NEVER : pl_clock_now() + pl_clock_ns(timeout);

    return result(wait_for(set, info, deadline, PL_INTERRUPTION_ALWAYS, t, pc));
}

/* Until a handler has run in here. */
static int suspend(struct pl_thread *t, uint64_t pc)
{
    pl_cancel_check(pc);
    t->cancel_point = true;
    t->signals.interruption = PL_INTERRUPTION_ALWAYS;
    enum pl_way way = pl_sched_timed_point(PL_OP_SIGNAL_WAIT, (const void *)PL_SIGNALS_SENT,
                                           PL_NEVER, SUSPENDS, pc);

    t->cancel_point = false;
    t->signals.interruption = PL_INTERRUPTION_NONE;
    if (t->signals.swapped)
        pl_signal_swap_back(t);
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    errno = EINTR;
    return -1;
}

PL_INTERPOSE(int, pause, (void))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return (pl_on() ? 0 : (int)pl_sys(SYS_pause));
    return suspend(t, pc);
}

PL_INTERPOSE(int, sigsuspend, (const sigset_t *set))
{
    pl_access_argument(set, SET_SIZE, false, pl_entry());
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigsuspend, set);
    pl_signal_swap_mask(t, set);
    return suspend(t, pc);
}

void pl_signal_swap_mask(struct pl_thread *t, const sigset_t *set)
{
    PL_ASSERT(!t->signals.swapped);
    if (set == NULL)
        return;
    t->signals.swapped = true;
    t->signals.mask_before = t->mask;
    t->mask = blockable(bits_of(set));
    if (pl_free) /* what the kernel keeps back for this thread comes now */
        pl_mask_set(t->mask);
    pl_signal_queue_look(t);
}

void pl_signal_swap_back(struct pl_thread *t)
{
    if (!t->signals.swapped)
        return;
    t->mask = t->signals.mask_before;
    t->signals.swapped = false;
    if (pl_free)
        pl_mask_set(t->mask);
    pl_signal_queue_look(t);
}

/* ---- masks ---- */

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
    pl_signal_changes(pc);
    *set = (sigset_t){{0}};
    *(uint64_t *)set = pl_signal_queue_pending(t) | kernel_pending();
    return 0;
}

static void set_bits(struct pl_thread *t, uint64_t mask)
{
    t->mask = blockable(mask);
    pl_mask_set(t->mask);
    pl_signal_queue_look(t);
    pl_signal_handle_all(t);
}

static int set_mask(int how, const sigset_t *set, sigset_t *old, struct pl_thread *t, uint64_t pc)
{
    if (set != NULL && how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    if (set != NULL)
        pl_signal_changes(pc);
    uint64_t before = t->mask, bits = set != NULL ? bits_of(set) : 0;

    if (old != NULL) {
        *old = (sigset_t){{0}};
        *(uint64_t *)old = before;
    }
    if (set != NULL)
        set_bits(t, how == SIG_BLOCK ? before | bits : how == SIG_UNBLOCK ? before & ~bits : bits);
    return 0;
}

PL_INTERPOSE(int, pthread_sigmask, (int how, const sigset_t *set, sigset_t *old))
{
    struct pl_thread *t;
    uint64_t pc;

    touches_sets(set, old, PL_CALL_ENTERED);
    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_sigmask, how, set, old);
    return set_mask(how, set, old, t, pc);
}

static int fail(int error)
{
    errno = error;
    return -1;
}

PL_INTERPOSE(int, sigprocmask, (int how, const sigset_t *set, sigset_t *old))
{
    struct pl_thread *t;
    uint64_t pc;

    touches_sets(set, old, PL_CALL_ENTERED);
    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(sigprocmask, how, set, old);
    int rc = set_mask(how, set, old, t, pc);

    return rc == 0 ? 0 : fail(rc);
}

/* As in System V: one signal more, or less. */
static int change_one(int signo, int how, struct pl_thread *t, uint64_t pc)
{
    sigset_t set = {{0}};

    if (signo < 1 || signo > PL_SIGNALS)
        return fail(EINVAL);
    *(uint64_t *)&set = pl_signal_bit(signo);
    return set_mask(how, &set, NULL, t, pc);
}

PL_INTERPOSE(int, sighold, (int signo))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_on() ? 0 : ((int (*)(int))pl_real_find("sighold"))(signo);
    return change_one(signo, SIG_BLOCK, t, pc);
}

PL_INTERPOSE(int, sigrelse, (int signo))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_on() ? 0 : ((int (*)(int))pl_real_find("sigrelse"))(signo);
    return change_one(signo, SIG_UNBLOCK, t, pc);
}

/* ---- what the core asks ---- */

static bool is_pending(const struct pl_thread *t)
{
    return t->op.aux == WAITS && pl_signal_is_pending(t, t->waits_for);
}

/* Without what was sent first it could not have gone on. */
static enum pl_effect effect_of_wait(struct pl_thread *t, struct pl_operation *op)
{
    op->other = (uint64_t)&t->signals;
    op->other_effect = PL_EFFECT_READ;
    op->ready = t->timed; /* its time may end it, whoever has taken the signal */
    if (op->way != PL_WAY_NORMAL)
        return PL_EFFECT_ADD;
    op->steady = true; /* there is a signal in any order in which it comes that far */
    if ((t->signals.pending & t->waits_for) != 0)
        op->other_effect = PL_EFFECT_WRITE;
    const struct pl_signal *s = pl_signal_queue_earliest(t, t->waits_for);

    /* With any one of several it could have gone on. */
    if (s != NULL && s->sender != t->id && !pl_signal_queue_has_several(t, t->waits_for)) {
        op->waker = s->sender;
        op->wake = s->sent;
    }
    return (pl_stage->signals.pending & t->waits_for) != 0 ? PL_EFFECT_WRITE : PL_EFFECT_ADD;
}

/* Sleeps wait for timers.  Who sets one takes back what was set before; that one could have gone
 * off first. */
static enum pl_effect effect_of_timer(const struct pl_thread *t, struct pl_operation *op)
{
    const struct pl_timer *timer = &pl_stage->signals.timers[t->signals.sets_timer - 1];

    if (!t->timer && timer->armed && timer->thread != PL_TID_NONE) {
        op->other = (uint64_t)&pl_thread_by_id(timer->thread)->over;
        op->other_effect = PL_EFFECT_WRITE;
    }
    return PL_EFFECT_WRITE;
}

/*
 * Setting a timer is announced like changing a mask, and does more.  So is sending to oneself,
 * which does less: what others send comes before it, or not.
 */
static enum pl_effect effect_of_mask(struct pl_thread *t, struct pl_operation *op)
{
    unsigned action = t->signals.sets_action, raises = t->signals.raises;

    op->steady = true;
    if (t->signals.chooses)
        return op->noted ? PL_EFFECT_NONE : PL_EFFECT_READ;
    if (t->signals.sets_timer != 0)
        return effect_of_timer(t, op);
    if (raises != 0 && (t->mask & pl_signal_bit((int)raises)) == 0)
        return PL_EFFECT_NONE;
    op->other = action != 0 ? (uint64_t)&pl_stage->signals.actions[action] : (uint64_t)&t->signals;
    op->other_effect = action != 0 ? PL_EFFECT_WRITE : PL_EFFECT_READ;
    return PL_EFFECT_ADD;
}

PL_DESCRIBE(SIGNAL_MASK) = {.effect = effect_of_mask};

/* Signals come at any time, and nobody says so. */
static void pause_for(const struct pl_thread *t, int ms)
{
    struct timespec step = {.tv_sec = 0, .tv_nsec = 1000000};

    pl_sys(SYS_nanosleep, &step, NULL);
}

PL_DESCRIBE(SIGNAL_WAIT) = {.enabled = is_pending,
                            .effect = effect_of_wait,
                            .pause = pause_for,
                            .native_blocked = pl_descriptor_waits_natively};
