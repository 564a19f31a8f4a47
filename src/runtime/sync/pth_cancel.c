/* SPDX-License-Identifier: MIT */
/*
 * pthread_exit(), cancellation, and the unwinding both need.
 *
 * The frames are unwound by force with the C++ unwinder, as glibc does it, so
 * destructors and __attribute__((cleanup)) run.  A pthread_cleanup_push() in C
 * without exceptions has left a jump buffer: when the unwinding reaches its
 * frame, control goes there, and comes back through __pthread_unwind_next().
 *
 * A cancellation is acted upon at the target's cancellation points only; a
 * thread of asynchronous type acts at its next operation.
 */
#include "base/assert.h"
#include "detect/detector.h"
#include "runtime/access/access.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/sync/thread.h"

#include <errno.h>
#include <setjmp.h>
#include <unwind.h>

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
        longjmp(jump, 1);
    }
    if ((actions & _UA_END_OF_STACK) || frame >= t->stack_high)
        pl_thread_finish(t->result);
    return _URC_NO_REASON;
}

static void unwind(void)
{
    struct pl_thread *t = pl_thread_self();
    struct _Unwind_Exception *e = (struct _Unwind_Exception *)t->unwind;

    _Static_assert(sizeof(*e) <= sizeof(t->unwind), "room for the exception");
    *e = (struct _Unwind_Exception){0};
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

/* At a cancellation point. */
void pl_cancel_check(uint64_t pc)
{
    if (pl_thread_cancel_due(pl_thread_self()))
        pl_cancel_act();
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
    pl_sched_point(PL_OP_THREAD_CANCEL, &target->cancel.pending, 1, target->id, pc);
    if (target->state == PL_THREAD_ALIVE)
        target->cancel.pending = true;
    pl_feed_object(PL_SYNC_SEND, t->id, (uint64_t)&target->cancel.pending, PL_OBJECT_THREAD);
    if (target == t && t->cancel.async && pl_thread_cancel_due(t))
        pl_cancel_act();
    return 0;
}

PL_INTERPOSE(void, pthread_testcancel, (void))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return;
    pl_sched_point(PL_OP_TESTCANCEL, &t->cancel.pending, 1, t->id, pc);
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
    if (t->cancel.async && pl_thread_cancel_due(t) && !pl_inside())
        pl_cancel_act();
    return 0;
}
