/* SPDX-License-Identifier: MIT */
/*
 * pthread_exit(), cancellation, and the unwinding both need.
 *
 * The frames are unwound by force with the C++ unwinder, as glibc does it, so
 * destructors and __attribute__((cleanup)) run.  A pthread_cleanup_push() in C
 * without exceptions has left a jump buffer: when the unwinding reaches its
 * frame, control goes there, and comes back through __pthread_unwind_next().
 *
 * A cancellation is acted upon at the target's cancellation points: their operation then goes on
 * in the way PL_WAY_CANCEL, whether or not it could have been performed.  A cancellation point that
 * is no operation by itself becomes one, a test, in threads that somebody has been seen to cancel,
 * in this execution or an earlier one: that is learned as shared memory is (core/shadow.c).  A
 * thread of asynchronous type acts at any operation, and all its accesses are operations.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "detect/detector.h"
#include "runtime/access/access.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/report.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <setjmp.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

/* An exception of C++ has a header before what the unwinder sees of it.  std::terminate() looks
 * there for a type, whoever has thrown it, and in libc's own threads finds none. */
enum { BEFORE = 128 };

/* What pthread_cleanup_push() has on the stack, as glibc lays it out. */
struct buffer {
    struct {
        long registers[8]; /* a jmp_buf without its signal mask */
        int mask_was_saved;
    } jump[1];
    void *link[4]; /* [0]: the next outer buffer */
};

static _Unwind_Reason_Code stop(int version, _Unwind_Action actions, _Unwind_Exception_Class class,
                                struct _Unwind_Exception *exception,
                                struct _Unwind_Context *context, void *arg)
{
    struct pl_thread *t = pl_thread_self();
    struct buffer *b = t->cleanup;
    uint64_t frame = _Unwind_GetCFA(context);

    if (b != NULL && ((actions & _UA_END_OF_STACK) || frame > (uint64_t)b)) {
        t->cleanup = b->link[0];
        /* Shorter than a jmp_buf: the signal mask, which was not saved, is missing at its end. */
        struct __jmp_buf_tag *jump = (struct __jmp_buf_tag *)b->jump;

        __asm__("" : "+r"(jump));
        pl_ports.process->jumps(jump);
        pl_real.longjmp(jump, 1);
    }
    if ((actions & _UA_END_OF_STACK) || frame >= t->stack_high)
        pl_thread_finish(t->result);
    return _URC_NO_REASON;
}

/* A handler for all exceptions has taken this one and does not throw it again: libc gives up, too.
 */
static void not_thrown_again(_Unwind_Reason_Code reason, struct _Unwind_Exception *e)
{
    static const char text[] = "FATAL: exception not rethrown\n";
    uint64_t pc = PL_CALLER;

    pl_sys(SYS_write, STDERR_FILENO, text, sizeof(text) - 1);
    if (pl_works()) {
        pl_enter();
        pl_report_end(
            pl_report_start(PL_FINDING_ASSERTION, pc,
                            "the end of a thread was caught as an exception and not thrown again"));
    }
    pl_ports.process->abort();
}

static void unwind(void)
{
    struct pl_thread *t = pl_thread_self();
    struct _Unwind_Exception *e = (struct _Unwind_Exception *)(t->unwind + BEFORE);

    _Static_assert(BEFORE + sizeof(*e) <= sizeof(t->unwind), "room for the exception");
    *e = (struct _Unwind_Exception){.exception_cleanup = not_thrown_again};
    _Unwind_ForcedUnwind(e, stop, NULL);
    pl_thread_finish(t->result); /* frames without unwind tables: they are left as they are */
}

void pl_thread_unwind(void *result)
{
    struct pl_thread *t = pl_thread_self();

    PL_ASSERT(t != NULL);
    t->result = result;
    t->cancel.disabled = true;
    t->cancel.acting = true;
    unwind();
    __builtin_unreachable();
}

PL_INTERPOSE(void, pthread_exit, (void *result))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        PL_FALLBACK(pthread_exit)(result);
    pl_thread_unwind(result);
}

void __pthread_register_cancel(struct buffer *b);
void __pthread_unregister_cancel(struct buffer *b);
void __pthread_unwind_next(struct buffer *b);

PL_INTERPOSE(void, __pthread_register_cancel, (struct buffer * b))
{
    b->link[0] = pl_thread_self()->cleanup;
    pl_thread_self()->cleanup = b;
}

PL_INTERPOSE(void, __pthread_unregister_cancel, (struct buffer * b))
{
    pl_thread_self()->cleanup = b->link[0];
}

PL_INTERPOSE(void, __pthread_unwind_next, (struct buffer * b))
{
    unwind();
}

/* With the _np forms deferred cancellation is switched on in between; ours always is deferred. */
void __pthread_register_cancel_defer(struct buffer *b);
void __pthread_unregister_cancel_restore(struct buffer *b);

PL_INTERPOSE(void, __pthread_register_cancel_defer, (struct buffer * b))
{
    pl_in___pthread_register_cancel(b);
}

PL_INTERPOSE(void, __pthread_unregister_cancel_restore, (struct buffer * b))
{
    pl_in___pthread_unregister_cancel(b);
}

void pl_cancel_act(void)
{
    struct pl_thread *t = pl_thread_self();

    PL_ASSERT(t->cancel.pending);
    t->cancel.pending = false;
    pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)&t->cancel.pending, PL_OBJECT_THREAD);
    pl_thread_unwind(PTHREAD_CANCELED);
}

static bool test(enum pl_op_kind kind, struct pl_thread *t, uint64_t pc)
{
    t->cancel_point = true;
    pl_sched_point(kind, t->cancel.disabled ? NULL : &t->cancel.pending, 1, t->id, pc);
    t->cancel_point = false;
    return t->op.way == PL_WAY_CANCEL;
}

bool pl_cancel_has_come(uint64_t pc)
{
    struct pl_thread *t = pl_thread_self();
    bool cancelled = pl_shadow_known((uint64_t)&t->cancel) || pl_board->settings.points_all;

    if (pl_free && pl_thread_cancel_due(t))
        return true;
    if (!pl_free && cancelled && pl_thread_may_cancel(t))
        return test(PL_OP_CANCEL_POINT, t, pc);
    t->ordinal++; /* everywhere the same, so that replays find their way */
    return false;
}

void pl_cancel_check(uint64_t pc)
{
    if (pl_cancel_has_come(pc))
        pl_cancel_act();
}

void pl_cancel_call(uint64_t pc)
{
    const uint64_t *entry = pl_entry_now;

    if (!pl_on() || pl_inside())
        return;
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_CALL);
    pl_thread_self()->entry = NULL;
    pl_count_event(pc);
    pl_cancel_check(pc);
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_CALL);
    else
        pl_entry_now = entry; /* others may have come in meanwhile */
}

/* ---- libc's own cancellation points, on free threads ---- */

/* Only there may it come: a thread that ends has no stack for it. */
static void take_interrupt(bool on)
{
    const uint64_t set = UINT64_C(1) << (PL_SIGNAL_INTERRUPT - 1);

    pl_sys(SYS_rt_sigprocmask, on ? SIG_UNBLOCK : SIG_BLOCK, &set, NULL, sizeof(set));
}

static void leave_wait(struct pl_thread *t, bool acts)
{
    __atomic_store_n(&t->cancel.in_call, 0, __ATOMIC_SEQ_CST);
    take_interrupt(false);
    if (!acts)
        return;
    pl_monitor_enter(PL_MONITOR_CALL);
    pl_cancel_act();
}

bool pl_cancel_wait_begin(void)
{
    if (!pl_free || !pl_on() || pl_inside())
        return false;
    struct pl_thread *t = pl_thread_self();

    take_interrupt(true);
    __atomic_store_n(&t->cancel.in_call, (int32_t)pl_sys(SYS_gettid), __ATOMIC_SEQ_CST);
    if (pl_thread_cancel_due(t)) /* by somebody who has not seen it there */
        leave_wait(t, true);
    return true;
}

void pl_cancel_wait_end(void)
{
    struct pl_thread *t = pl_thread_self();

    leave_wait(t, errno == EINTR && pl_thread_cancel_due(t));
}

/* Until the thread has noticed; it may not have come to the call yet when it is first told. */
static void interrupt(struct pl_thread *t, struct pl_thread *target)
{
    enum { TRIES = 20000 };
    const struct timespec step = {.tv_nsec = 50000};
    int32_t tid = __atomic_load_n(&target->cancel.in_call, __ATOMIC_SEQ_CST);
    long process = pl_sys(SYS_getpid);

    if (tid == 0 || target == t || !pl_thread_cancel_due(target))
        return;
    struct pl_monitor_place p = pl_monitor_step_out(t);

    for (unsigned i = 0; i < TRIES; i++) {
        if (__atomic_load_n(&target->cancel.in_call, __ATOMIC_SEQ_CST) != tid ||
            pl_sys(SYS_tgkill, process, tid, PL_SIGNAL_INTERRUPT) != 0)
            break;
        pl_sys(SYS_nanosleep, &step, NULL);
    }
    pl_monitor_step_in(t, p);
}

PL_INTERPOSE(int, pthread_cancel, (pthread_t handle))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_cancel, handle);
    struct pl_thread *target = pl_thread_of(handle);

    if (target == NULL)
        return ESRCH;
    if (!pl_free)
        pl_shadow_share((uint64_t)&target->cancel);
    pl_sched_point(PL_OP_THREAD_CANCEL, &target->cancel.pending, 1, target->id, pc);
    if (!target->cancel.asked) {
        target->cancel.pending = target->state == PL_THREAD_ALIVE;
        target->cancel.asked = true;
        target->cancel.by = t->id;
        target->cancel.at = t->op.ordinal;
    }
    pl_feed_object(PL_SYNC_SEND, t->id, (uint64_t)&target->cancel.pending, PL_OBJECT_THREAD);
    if (target == t && t->cancel.async && pl_thread_cancel_due(t))
        pl_cancel_act();
    if (pl_free)
        interrupt(t, target);
    return 0;
}

PL_INTERPOSE(void, pthread_testcancel, (void))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return;
    if (test(PL_OP_TESTCANCEL, t, pc))
        pl_cancel_act();
}

/* The type or state has changed: a thread that now acts at any time does so before it returns. */
static void act_at_once(void)
{
    struct pl_thread *t = pl_thread_self();
    uint64_t pc;

    if (t->cancel.async && !t->cancel.disabled && pl_begin(&t, &pc))
        pl_cancel_check(pc);
}

PL_INTERPOSE(int, pthread_setcancelstate, (int state, int *old))
{
    pl_access_argument(old, sizeof(*old), true, pl_entry());
    if (!pl_on())
        return PL_FALLBACK(pthread_setcancelstate)(state, old);
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    struct pl_thread *t = pl_thread_self();

    if (old != NULL)
        *old = t->cancel.disabled ? PTHREAD_CANCEL_DISABLE : PTHREAD_CANCEL_ENABLE;
    t->cancel.disabled = state == PTHREAD_CANCEL_DISABLE;
    act_at_once();
    return 0;
}

PL_INTERPOSE(int, pthread_setcanceltype, (int type, int *old))
{
    pl_access_argument(old, sizeof(*old), true, pl_entry());
    if (!pl_on())
        return PL_FALLBACK(pthread_setcanceltype)(type, old);
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    struct pl_thread *t = pl_thread_self();

    if (old != NULL)
        *old = t->cancel.async ? PTHREAD_CANCEL_ASYNCHRONOUS : PTHREAD_CANCEL_DEFERRED;
    t->cancel.async = type == PTHREAD_CANCEL_ASYNCHRONOUS;
    act_at_once();
    return 0;
}

/* ---- what the core asks ---- */

/* Who is cancelled already is not cancelled again.  The first one is that wherever else it comes.
 */
static enum pl_effect effect_of_cancel(struct pl_thread *t, struct pl_operation *op)
{
    op->steady = !pl_thread_by_id((pl_tid)op->aux)->cancel.asked;
    return op->steady ? PL_EFFECT_WRITE : PL_EFFECT_READ;
}

PL_DESCRIBE(THREAD_CANCEL) = {.effect = effect_of_cancel};
