/* SPDX-License-Identifier: MIT */
/* See signal_outside.h. */
#include "runtime/system/signal_outside.h"

#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/restart/own.h"
#include "runtime/system/children.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/signal_queue.h"
#include "runtime/system/signalfd.h"

enum { SET_SIZE = 8 };

void pl_signal_come(int signo, siginfo_t *info, void *context)
{
    struct pl_signals_state *s = &pl_stage->signals;

    if (!pl_active || pl_native) {
        if (pl_in_child())
            pl_own_show_sender(info);
        if (s->actions[signo].handler != NULL)
            s->actions[signo].handler(signo, info, context);
        return;
    }
    if (s->n_arrived - s->n_seen >= PL_SIGNALS_OUTSIDE)
        return;
    s->outside[s->n_arrived % PL_SIGNALS_OUTSIDE] = *info;
    pl_own_show_sender(&s->outside[s->n_arrived % PL_SIGNALS_OUTSIDE]);
    __atomic_add_fetch(&s->n_arrived, 1, __ATOMIC_RELEASE);
}

/* The first thread that does not block it. */
static struct pl_thread *who_takes(int signo)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && !t->timer &&
            ((t->mask & ~t->waits_for) & pl_signal_bit(signo)) == 0)
            return t;
    }
    return NULL;
}

/* By a descriptor, or a queue of messages, as the program has asked for (F_SETOWN, F_SETSIG). */
static bool is_about_file(const siginfo_t *info)
{
    return info->si_code == SI_SIGIO || info->si_code == SI_MESGQ ||
           (info->si_code > 0 && info->si_signo != SIGCHLD);
}

/* Whether it matters when it comes, or to whom: the kernel decides that. */
static bool is_awaited_by_one(const struct pl_thread *t, int signo)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *other = pl_thread_by_id(i);

        if (other != t && other->state == PL_THREAD_ALIVE && !other->timer &&
            ((other->mask & ~other->waits_for) & pl_signal_bit(signo)) == 0)
            return false;
    }
    return t != NULL && t->op.kind == PL_OP_SIGNAL_WAIT;
}

void pl_signal_arrived(void)
{
    struct pl_signals_state *s = &pl_stage->signals;
    /* By the schedule of free threads: whoever took it may be in a handler that keeps it back. */
    const bool told = pl_board->settings.starts_chosen && pl_stage->context.following;

    while (s->n_seen != s->n_arrived) {
        siginfo_t info = s->outside[s->n_seen % PL_SIGNALS_OUTSIDE];
        struct pl_thread *t = who_takes(info.si_signo);

        s->n_seen++;
        if (info.si_signo == 0) /* it was for one thread, and has been given to it */
            continue;
        if (t != NULL && pl_signal_queue_fate(info.si_signo) == PL_SIGNAL_IGNORED)
            continue;
        pl_signal_queue_put(told ? NULL : t, &info, true, PL_TID_NONE, 0);
        if (is_about_file(&info) && pl_stage->n_alive > 1 && t != NULL &&
            !is_awaited_by_one(t, info.si_signo))
            pl_unmodelled("that the kernel answers with a signal", PL_UNMODELLED_CALL,
                          pl_thread_self()->op.pc);
        if (pl_stage->n_alive > 1 || t == NULL || t->op.kind != PL_OP_SIGNAL_WAIT)
            pl_children_decide(); /* it could have come at another moment */
        for (pl_tid i = 0; told && i < pl_stage->n_threads; i++)
            pl_signal_queue_look(pl_thread_by_id(i));
        if (t != NULL)
            pl_signal_queue_look(t);
    }
    if (pl_free)
        pl_signalfd_arrived(); /* others are asked when nobody can go on */
}

bool pl_signal_take_in(void)
{
    const struct timespec zero = {0, 0};
    uint64_t bits = 0, taken = 0;
    siginfo_t info = {0};

    pl_sys(SYS_rt_sigpending, &bits, SET_SIZE);
    for (int signo = 1; signo <= PL_SIGNALS && bits >> (signo - 1) != 0; signo++) {
        const struct pl_thread *t = (bits & pl_signal_bit(signo)) != 0 ? who_takes(signo) : NULL;

        if (t != NULL && (t->waits_for & pl_signal_bit(signo)) == 0)
            taken |= pl_signal_bit(signo);
    }
    if (taken == 0 || pl_sys(SYS_rt_sigtimedwait, &taken, &info, &zero, SET_SIZE) <= 0)
        return false;
    pl_signal_come(info.si_signo, &info, NULL);
    return true;
}

bool pl_signal_has_come(void)
{
    bool any = pl_stage->signals.n_arrived != pl_stage->signals.n_seen || pl_signal_take_in();

    for (pl_tid i = 0; pl_stage->process.forked && i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        any |= t->state == PL_THREAD_ALIVE && t->waits_for != 0 &&
               pl_signal_is_pending(t, t->waits_for);
    }
    return pl_signalfd_arrived() || any;
}

/* What the kernel has for the OS thread, or has handed out since the last point. */
static bool find_outside(int signo, siginfo_t *info)
{
    struct pl_signals_state *s = &pl_stage->signals;
    const struct timespec zero = {0, 0};
    uint64_t bit = pl_signal_bit(signo);

    for (uint64_t i = s->n_seen; i != s->n_arrived; i++) {
        siginfo_t *one = &s->outside[i % PL_SIGNALS_OUTSIDE];

        if (one->si_signo == signo) {
            *info = *one;
            one->si_signo = 0;
            return true;
        }
    }
    return pl_sys(SYS_rt_sigtimedwait, &bit, info, &zero, SET_SIZE) == signo;
}

void pl_signal_meets(int signo, bool raised, uint64_t pc)
{
    uint64_t bit = pl_signal_bit(signo);

    if (pl_stage->n_unjoined <= 1 || !pl_stage->rooted)
        return;
    *(raised ? &pl_stage->signals.raised : &pl_stage->signals.changed) |= bit;
    if ((pl_stage->signals.raised & pl_stage->signals.changed & bit) != 0)
        pl_unmodelled("raising what others handle anew", PL_UNMODELLED_FUNCTION, pc);
}

/* It is for the thread that has made the call, whichever OS thread that is, and comes before the
 * call returns. */
void pl_signal_of_call(struct pl_thread *t, int signo)
{
    siginfo_t info = {0};

    pl_signal_meets(signo, true, t->op.pc);
    if (!find_outside(signo, &info))
        return;
    info.si_pid = pl_own_process();
    pl_signal_queue_put(t, &info, false, PL_TID_NONE, 0);
    pl_signal_queue_look(t);
    pl_signal_handle_all(t);
}
