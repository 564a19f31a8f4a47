/* SPDX-License-Identifier: MIT */
/*
 * Sending signals: raise(), kill(), pthread_kill() and their kin.
 *
 * To send one to another thread is an operation.  It depends on all that the target does where it
 * does not block it, since the handler runs wherever the target is: a search that reduces explores
 * all these places.  A signal for the process goes to one of the threads that do not block it,
 * which is a choice, and stays with the process if all do.  What a thread sends itself is handled
 * before the call returns.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "detect/detector.h"
#include "model/depend.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/core/spin.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/restart/own.h"
#include "runtime/sync/thread.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/processes.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/signal_queue.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Whether t would handle it, or waits for it. */
static bool wants(const struct pl_thread *t, int signo)
{
    return t->state == PL_THREAD_ALIVE && !t->timer &&
           ((t->mask & ~t->waits_for) & pl_signal_bit(signo)) == 0;
}

/* Whether it waits for it, which has nothing to do with handlers. */
static bool awaits(const struct pl_thread *t, int signo)
{
    return (t->waits_for & pl_signal_bit(signo)) != 0;
}

/*
 * Whether t forgets at once what is ignored.  What it blocks it keeps; but where a handler blocks
 * it, that is the same as if it had come behind that, unless it is handled again by then.
 */
static bool forgets(const struct pl_thread *t, int signo)
{
    const struct pl_handling *h = t->signals.handling;
    uint64_t mask = t->mask;

    for (; h != NULL; h = h->outer)
        mask = h->mask;
    return (mask & pl_signal_bit(signo)) == 0 && !awaits(t, signo);
}

/* Whether somebody waits for it. */
static bool is_awaited(int signo)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (wants(t, signo) && awaits(t, signo))
            return true;
    }
    return false;
}

/*
 * Those that it may go to, up to the one with number `nth`; how many there are.  For those that
 * wait for it, it stays with the process, where all can see it, until the first of them takes it.
 */
static unsigned count_wanting(int signo, unsigned nth, struct pl_thread **found)
{
    bool handled = pl_signal_queue_fate(signo) == PL_SIGNAL_HANDLED;
    unsigned n = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (!wants(t, signo) || awaits(t, signo))
            continue;
        if (!handled) { /* whoever it is, the process dies, or nothing is done */
            *found = t;
            return 1;
        }
        if (n++ == nth)
            *found = t;
    }
    if (!is_awaited(signo))
        return n;
    if (n == nth)
        *found = NULL;
    return n + 1;
}

/* Whether one for the process can still go where it was to go when it was announced. */
static bool finds_target(const struct pl_operation *op)
{
    struct pl_thread *any = NULL;
    int signo = (int)op->size;

    if (op->aux < PL_THREADS_MAX)
        return wants(pl_thread_by_id((pl_tid)op->aux), signo);
    return is_awaited(signo) || count_wanting(signo, 0, &any) == 0;
}

/*
 * Which of those that want it now.  It is a point, since who wants it is a matter of what others
 * do; but only where there are several at times.
 */
static uint32_t choose_target(struct pl_thread *t, int signo, uint64_t pc)
{
    struct pl_thread *target = NULL;
    uint64_t several = (uint64_t)&pl_stage->signals.pending; /* stands for that */

    t->signals.chooses = true;
    if ((!pl_free && pl_shadow_known(several)) || pl_stage->context.following)
        pl_sched_point(PL_OP_SIGNAL_MASK, (const void *)PL_SIGNALS_SENT, 0, 0, pc);
    else
        pl_sched_note(PL_OP_SIGNAL_MASK, (const void *)PL_SIGNALS_SENT, 0, pc);
    t->signals.chooses = false;
    unsigned n = count_wanting(signo, 0, &target);

    if (n > 1) {
        if (!pl_free)
            pl_shadow_share(several);
        pl_enter();
        unsigned nth = pl_sched_choose(PL_CHOICE_VALUE, n, -1, NULL, &t->op);

        pl_class_note(t, nth);
        pl_leave();
        count_wanting(signo, nth, &target);
    }
    return target != NULL ? target->id : PL_TID_NONE;
}

/* Into the queue of the thread, if it has not ended, or of the process. */
static int put(struct pl_thread *t, struct pl_thread *target, bool shared, const siginfo_t *info,
               uint64_t pc)
{
    int signo = info->si_signo;
    bool open = target != NULL && wants(target, signo);
    enum pl_signal_fate fate = pl_signal_queue_fate(signo);

    if (pl_free && t->timer && !pl_timer_goes(t)) /* it was stopped while its thread came here */
        return 0;
    pl_feed_object(PL_SYNC_SEND, t->id,
                   target != NULL ? (uint64_t)&target->signals : PL_SIGNALS_SENT, PL_OBJECT_THREAD);
    if (fate == PL_SIGNAL_IGNORED && target != NULL) /* or has ended by now */
        pl_stage->signals.forgotten |= target->signals.handled & pl_signal_bit(signo);
    if (target != NULL && target->state != PL_THREAD_ALIVE)
        return ESRCH;
    if (fate == PL_SIGNAL_IGNORED && target != NULL && forgets(target, signo))
        return 0;
    if (fate == PL_SIGNAL_DEADLY && open && !awaits(target, signo)) {
        pl_signal_die(signo, pc);
        return 0;
    }
    uint64_t before = pl_stage->signals.n_sent;

    if (t->signals.joining.si_signo == signo) /* the one that came first */
        info = &t->signals.joining;
    if (!pl_signal_queue_put(target, info, shared, t->id, t->op.ordinal))
        return EAGAIN;
    if (pl_stage->signals.n_sent != before) /* otherwise it was pending already */
        pl_spin_progress(t);
    if (target != NULL)
        pl_signal_queue_look(target);
    return 0;
}

int pl_signal_send(struct pl_thread *target, const siginfo_t *info, uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    uint32_t signo = (uint32_t)info->si_signo;
    bool shared = target == NULL;
    int rc;

    t->signals.joining.si_signo = 0;
    t->signals.raises_shared = shared;
    if (target == t) {
        t->signals.raises = (uint8_t)signo;
        pl_signal_changes(pc); /* others may send the same, and the first is what is pending */
        pl_access_look(&pl_stage->signals.actions[signo], pc, NULL); /* if ignored, nothing is */
    }
    if (target == t || (target == NULL && pl_stage->n_threads == 1)) {
        rc = put(t, target == t || wants(t, info->si_signo) ? t : NULL, shared, info, pc);
    } else {
        pl_signal_matters();
        if (target != NULL) {
            pl_sched_point(PL_OP_SIGNAL_SEND, &target->signals, signo, target->id, pc);
        } else {
            t->signals.raises = (uint8_t)signo; /* whoever gets it */
            do {
                uint32_t to = choose_target(t, info->si_signo, pc);

                pl_sched_point(PL_OP_SIGNAL_SEND, (void *)PL_SIGNALS_SENT, signo, to, pc);
            } while (!finds_target(&t->op));
            target = t->op.aux < PL_THREADS_MAX ? pl_thread_by_id((pl_tid)t->op.aux) : NULL;
        }
        if (t->timer)
            pl_clock_reach(t->deadline);
        rc = put(t, target, shared, info, pc);
    }
    t->signals.raises = 0;
    pl_signal_handle_all(t);
    return rc;
}

/* ---- the program's calls ---- */

static siginfo_t info_of(int signo, int code, union sigval value)
{
    siginfo_t info = {.si_signo = signo, .si_code = code};

    info.si_pid = pl_own_process();
    info.si_uid = (uid_t)pl_sys(SYS_getuid);
    info.si_value = value;
    return info;
}

static int send_to(struct pl_thread *target, int signo, int code, union sigval value, uint64_t pc)
{
    siginfo_t info = info_of(signo, code, value);

    if (signo < 0 || signo > PL_SIGNALS)
        return EINVAL;
    if (signo == 0)
        return 0;
    pl_ports.restart->root();
    return pl_signal_send(target, &info, pc);
}

static const union sigval no_value;

static int send_to_handle(pthread_t handle, int signo, int code, union sigval value, uint64_t pc)
{
    struct pl_thread *target = pl_thread_of(handle);

    pl_thread_exit_matters();
    if (target == NULL)
        return ESRCH;
    if (signo == __SIGRTMIN || signo == __SIGRTMIN + 1) /* which libc keeps for itself */
        return EINVAL;
    return send_to(target, signo, code, value, pc);
}

PL_INTERPOSE(int, pthread_kill, (pthread_t handle, int signo))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_real.pthread_kill(handle, signo);
    int rc = send_to_handle(handle, signo, SI_TKILL, no_value, pc);

    /* It may have ended, and its handle is still good. */
    return rc == ESRCH && pl_thread_of(handle) != NULL ? 0 : rc;
}

/* libc looks first whether the thread is there, which pthread_kill() does not tell. */
PL_INTERPOSE(int, pthread_sigqueue, (pthread_t handle, int signo, const union sigval value))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_sigqueue, handle, signo, value);
    struct pl_thread *target = pl_thread_of(handle);

    if (target != NULL && target != t) {
        pl_thread_exit_matters();
        pl_sched_point(PL_OP_THREAD_TRYJOIN, NULL, 0, target->id, pc);
        pl_class_note(t, target->state);
        if (target->state != PL_THREAD_ALIVE)
            return ESRCH;
    }
    int rc = send_to_handle(handle, signo, SI_QUEUE, value, pc);

    /* What a thread blocks till its end is not told from what came just before. */
    return rc == ESRCH && target != NULL && (target->mask & pl_signal_bit(signo)) != 0 ? 0 : rc;
}

PL_INTERPOSE(int, raise, (int signo))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return pl_real.raise(signo);
    int rc = send_to(t, signo, SI_TKILL, no_value, pc);

    return rc == 0 ? 0 : fail(rc);
}

/* Whether this process is meant, by its number or by the one that getpid() gives. */
static bool is_self(pid_t pid)
{
    return pid == pl_own_process() || pid == (pid_t)pl_sys(SYS_getpid);
}

bool pl_signal_is_for_group(pid_t pid, int signo)
{
    return signo > 0 && signo <= PL_SIGNALS &&
           (pid == 0 || (pid < -1 && -pid == (pid_t)pl_sys(SYS_getpgid, 0))) &&
           pl_stage->process.number == 0 && !pl_stage->process.child;
}

/* The processes of the program that are in its group, but for itself. */
struct group {
    unsigned n;
    pid_t members[64];
};

static bool add_member(void *arg, long pid)
{
    struct group *g = arg;
    char path[96] = {0};

    if (pl_sys(SYS_getpgid, pid) == pl_sys(SYS_getpgid, 0) &&
        g->n < sizeof(g->members) / sizeof(g->members[0]))
        g->members[g->n++] = (pid_t)pid;
    pl_text_format(path, sizeof(path), "/proc/%ld/task/%ld/children", pid, pid);
    return pl_processes_any_listed(path, add_member, g);
}

/* The group has the keeper in it as well, and perhaps the tool: each of the others is sent one. */
static void send_to_group(int signo)
{
    struct group g = {0};

    pl_processes_any(add_member, &g);
    for (unsigned i = 0; i < g.n; i++)
        pl_real.kill(g.members[i], signo);
}

PL_INTERPOSE(int, kill, (pid_t pid, int signo))
{
    struct pl_thread *t;
    uint64_t pc;
    bool ours = pl_begin(&t, &pc);

    if (ours && pl_signal_is_for_group(pid, signo))
        send_to_group(signo);
    else if (!ours || !is_self(pid))
        return pl_real.kill(pl_own_real(pid), signo);
    int rc = send_to(NULL, signo, SI_USER, no_value, pc);

    return rc == 0 ? 0 : fail(rc);
}

PL_INTERPOSE(int, sigqueue, (pid_t pid, int signo, const union sigval value))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc) || !is_self(pid))
        return PL_FALLBACK(sigqueue)(pl_own_real(pid), signo, value);
    int rc = send_to(NULL, signo, SI_QUEUE, value, pc);

    return rc == 0 ? 0 : fail(rc);
}

int tgkill(pid_t pid, pid_t tid, int signo);

PL_INTERPOSE(int, tgkill, (pid_t pid, pid_t tid, int signo))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc) || !is_self(pid))
        return PL_FALLBACK(tgkill)(pid, tid, signo);
    struct pl_thread *target = pl_own_find(tid);

    if (tid <= 0)
        return fail(EINVAL);
    pl_thread_exit_matters();
    if (target == NULL || target->timer || (signo == 0 && target->state != PL_THREAD_ALIVE))
        return fail(ESRCH);
    pl_thread_self()->signals.asks = true;
    int rc = send_to(target, signo, SI_TKILL, no_value, pc);

    return rc == 0 ? 0 : fail(rc);
}

/* ---- what the core asks ---- */

/* Whether it makes no difference to the target. */
static bool is_ignored(const struct pl_operation *op)
{
    const struct pl_thread *target = pl_thread_by_id((pl_tid)op->aux);

    return pl_signal_queue_fate((int)op->size) == PL_SIGNAL_IGNORED &&
           (target->state != PL_THREAD_ALIVE || forgets(target, (int)op->size));
}

static enum pl_effect effect_of_send(struct pl_thread *t, struct pl_operation *op)
{
    if (op->addr == PL_SIGNALS_SENT && !finds_target(op)) {
        return PL_EFFECT_READ; /* another is chosen */
    } else if (op->addr == PL_SIGNALS_SENT && op->aux < PL_THREADS_MAX) {
        op->other = (uint64_t)&pl_thread_by_id((pl_tid)op->aux)->signals;
        op->other_effect = PL_EFFECT_WRITE;
    } else if (op->addr != PL_SIGNALS_SENT && t->timer) { /* which sleeps have waited for */
        op->other = PL_SIGNALS_SENT;
        op->other_effect = PL_EFFECT_WRITE;
    } else if (t->signals.asks) { /* it is told whether the target has ended */
        op->other = PL_DEPEND_THREADS + op->aux * UINT64_C(8);
        op->other_effect = PL_EFFECT_READ;
    } else if (op->addr != PL_SIGNALS_SENT) { /* what is ignored is not sent */
        op->other = (uint64_t)&pl_stage->signals.actions[op->size];
        op->other_effect = PL_EFFECT_READ;
        op->aux = is_ignored(op) ? PL_TID_NONE : op->aux;
    }
    t->signals.asks = false;
    return PL_EFFECT_WRITE;
}

PL_DESCRIBE(SIGNAL_SEND) = {.effect = effect_of_send};
