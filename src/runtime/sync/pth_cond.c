/* SPDX-License-Identifier: MIT */
/*
 * pthread_cond_*: who waits is known from the threads themselves, so a condition
 * variable has no state but its clock and a mark when it has been destroyed.
 *
 * A wait is two operations.  The first releases the mutex and begins to wait;
 * the second, the wake-up, is enabled when the thread has been signalled and
 * the mutex is free.  Which waiter a signal wakes is a choice.
 *
 * Whose time runs out, who is cancelled or wakes up for no reason leaves the condition whether or
 * not the mutex is free, and then locks that: others may come in between, and signal nobody.
 *
 * A thread that has been signalled needs the condition no more: it may be destroyed.  libc takes a
 * cancellation until it has noticed that the wait is over, so that may come behind the signal; it
 * is passed on then to whoever waits, since nobody who is cancelled consumes one.
 */
#include "base/assert.h"
#include "detect/detector.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/spin.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/report.h"
#include "runtime/sync/others.h"
#include "runtime/sync/pth_mutex.h"
#include "runtime/sync/thread.h"

#include <errno.h>

enum { SHARED = 1, MONOTONIC = 2 }; /* as glibc has them */
#define DESTROYED 0xdeadc04du

static bool usable(const pthread_cond_t *c, uint64_t pc)
{
    pl_freed_object((uint64_t)c, sizeof(*c), pc);
    if (c->__data.__g_size[0] != DESTROYED)
        return true;
    pl_report_misuse(pc, c, PL_OBJECT_COND, 0, "a condition is used after it was destroyed");
    return false;
}

/* Where it is counted that threads of other processes are called; see others.h.  All of them are:
 * a wait may end for no reason. */
static const uint32_t *calls_of(const pthread_cond_t *c)
{
    return &c->__data.__g_refs[0];
}

static bool is_shared(const pthread_cond_t *c)
{
    return (c->__data.__wrefs & SHARED) != 0;
}

static void call_others(pthread_cond_t *c)
{
    if (is_shared(c))
        c->__data.__g_refs[0]++;
}

static struct pl_thread *any_waiter(const pthread_cond_t *c, const struct pl_thread *not_this)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t != not_this && t->state == PL_THREAD_ALIVE && t->wait == (uint64_t)c && !t->woken)
            return t;
    }
    return NULL;
}

static void wake(const struct pl_thread *t, struct pl_thread *waiter, const pthread_cond_t *c,
                 uint64_t pc)
{
    PL_ASSERT(waiter->wait == (uint64_t)c && !waiter->woken);
    pl_feed_condition(PL_SYNC_WAKE, t, waiter->id, c, pc);
    pl_sched_wake(waiter);
}

/* Whoever has been woken waits for the mutex now, and perhaps its owner for them. */
static void look_for_circles(const pthread_cond_t *c)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && t->wait == (uint64_t)c && t->woken)
            pl_ports.findings->blocked(t);
    }
}

/* One of those who wait, which one is a choice. */
static void wake_one(struct pl_thread *t, const pthread_cond_t *c, uint64_t pc)
{
    pl_enter();
    pl_tid waiter = pl_sched_pick_waiter(PL_OP_COND_WAKE, (uint64_t)c, 0, 1, PL_TID_NONE);

    pl_leave();
    if (waiter != PL_TID_NONE)
        wake(t, pl_thread_by_id(waiter), c, pc);
    pl_feed_condition(PL_SYNC_SIGNAL, t, PL_TID_NONE, c, pc);
    pl_class_note(t, waiter != PL_TID_NONE ? pl_thread_by_id(waiter)->name : 0);
    look_for_circles(c);
}

static int wait_on(pthread_cond_t *c, pthread_mutex_t *m, uint64_t deadline, struct pl_thread *t,
                   uint64_t pc)
{
    if (!usable(c, pc))
        return EINVAL;
    int rc = pl_mutex_waitable(m, t, pc);

    if (rc != 0)
        return rc;
    t->mutex = (uint64_t)m;
    pl_sched_point(deadline == PL_NEVER ? PL_OP_COND_WAIT : PL_OP_COND_TIMEDWAIT, c, 0, 0, pc);
    struct pl_thread *other = any_waiter(c, t);

    if (other != NULL && other->mutex != (uint64_t)m)
        pl_report_misuse(pc, c, PL_OBJECT_COND, other->op.pc,
                         "a condition is used with two mutexes at the same time");
    unsigned depth = pl_mutex_drop(m, t);

    PL_ASSERT(t->state == PL_THREAD_ALIVE || pl_stage->n_alive == 0);
    pl_spin_touch((uint64_t)m, 1, t->id);
    pl_feed_condition(PL_SYNC_WAIT, t, PL_TID_NONE, c, pc);
    t->wait = (uint64_t)c;
    t->woken = false;
    pl_others_expect(t, is_shared(c), calls_of(c));
    t->cancel_point = true;
    enum pl_way way = pl_sched_timed_point(PL_OP_COND_WAKE, c, deadline, 0, pc);

    t->cancel_point = false;
    t->wait = 0;
    t->woken = t->afar = false;
    if (way != PL_WAY_NORMAL)
        pl_sched_point(PL_OP_MUTEX_LOCK, m, 0, 0, pc);
    rc = pl_mutex_retake(m, t, depth, pc);
    if (way == PL_WAY_NORMAL && pl_cancel_has_come(pc)) {
        /* Nobody may wait any more, and the condition be gone: it is not looked at. */
        pl_sched_point(PL_OP_COND_SIGNAL, c, 0, 0, pc);
        wake_one(t, c, pc);
        pl_cancel_act();
    }
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    if (way != PL_WAY_TIMEOUT)
        return rc;
    pl_clock_wake(deadline, pc);
    return rc == 0 ? ETIMEDOUT : rc;
}

PL_INTERPOSE(int, pthread_cond_wait, (pthread_cond_t * c, pthread_mutex_t *m))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS((c->__data.__wrefs & SHARED) != 0, c, pthread_cond_wait, c, m);
    if (!PL_BEGIN_ON_TWO(c, m))
        return PL_OUTSIDE(pthread_cond_wait, c, m);
    return wait_on(c, m, PL_NEVER, t, pc);
}

static clockid_t clock_of(const pthread_cond_t *c)
{
    return c->__data.__wrefs & MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

static int timed_wait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                      const struct timespec *until, struct pl_thread *t, uint64_t pc)
{
    if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
        return EINVAL;
    return wait_on(c, m, pl_clock_of(clock, until), t, pc);
}

PL_INTERPOSE(int, pthread_cond_timedwait,
             (pthread_cond_t * c, pthread_mutex_t *m, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS((c->__data.__wrefs & SHARED) != 0, c, pthread_cond_timedwait, c, m, until);
    if (!PL_BEGIN_ON_TWO(c, m))
        return PL_OUTSIDE(pthread_cond_timedwait, c, m, PL_CLOCK_REAL_UNTIL(clock_of(c), until));
    return timed_wait(c, m, clock_of(c), until, t, pc);
}

PL_INTERPOSE(int, pthread_cond_clockwait,
             (pthread_cond_t * c, pthread_mutex_t *m, clockid_t clock,
              const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS((c->__data.__wrefs & SHARED) != 0, c, pthread_cond_clockwait, c, m, clock,
                   until);
    if (!PL_BEGIN_ON_TWO(c, m))
        return PL_OUTSIDE(pthread_cond_clockwait, c, m, clock, PL_CLOCK_REAL_UNTIL(clock, until));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return timed_wait(c, m, clock, until, t, pc);
}

PL_INTERPOSE(int, pthread_cond_signal, (pthread_cond_t * c))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS((c->__data.__wrefs & SHARED) != 0, c, pthread_cond_signal, c);
    if (!PL_BEGIN_ON(c))
        return PL_OUTSIDE(pthread_cond_signal, c);
    pl_sched_point(PL_OP_COND_SIGNAL, c, 0, 0, pc);
    if (!usable(c, pc))
        return EINVAL;
    call_others(c);
    wake_one(t, c, pc);
    return 0;
}

PL_INTERPOSE(int, pthread_cond_broadcast, (pthread_cond_t * c))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS((c->__data.__wrefs & SHARED) != 0, c, pthread_cond_broadcast, c);
    if (!PL_BEGIN_ON(c))
        return PL_OUTSIDE(pthread_cond_broadcast, c);
    pl_sched_point(PL_OP_COND_BROADCAST, c, 0, 0, pc);
    if (!usable(c, pc))
        return EINVAL;
    call_others(c);
    for (struct pl_thread *w; (w = any_waiter(c, NULL)) != NULL;)
        wake(t, w, c, pc);
    pl_feed_condition(PL_SYNC_SIGNAL, t, PL_TID_NONE, c, pc);
    look_for_circles(c);
    return 0;
}

PL_INTERPOSE(int, pthread_cond_init, (pthread_cond_t * c, const pthread_condattr_t *attr))
{
    clockid_t clock = CLOCK_REALTIME;
    int shared = PTHREAD_PROCESS_PRIVATE;
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(attr, sizeof(*attr), false, pl_entry());
    if (pl_begin(&t, &pc))
        pl_access_init(c, sizeof(*c), pc);
    if (!pl_on())
        return PL_FALLBACK(pthread_cond_init)(c, attr);
    if (attr != NULL) {
        pl_real.pthread_condattr_getclock(attr, &clock);
        pl_real.pthread_condattr_getpshared(attr, &shared);
    }
    *c = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    c->__data.__wrefs = (clock == CLOCK_MONOTONIC ? MONOTONIC : 0u) |
                        (shared == PTHREAD_PROCESS_SHARED ? SHARED : 0u);
    return 0;
}

PL_INTERPOSE(int, pthread_cond_destroy, (pthread_cond_t * c))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS((c->__data.__wrefs & SHARED) != 0, c, pthread_cond_destroy, c);
    if (!PL_BEGIN_ON(c))
        return PL_OUTSIDE(pthread_cond_destroy, c);
    pl_sched_point(PL_OP_OBJECT_DESTROY, c, 0, PL_OBJECT_COND, pc);
    if (!usable(c, pc))
        return EINVAL;
    struct pl_thread *waiter = any_waiter(c, NULL);

    if (waiter != NULL)
        pl_report_misuse(pc, c, PL_OBJECT_COND, waiter->op.pc,
                         "a condition is destroyed while a thread waits on it");
    c->__data.__g_size[0] = DESTROYED;
    return 0;
}

/* ---- what the core asks ---- */

/* The mutex that a waiter must get back. */
static bool mutex_is_free(const struct pl_thread *t)
{
    return pl_mutex_free_for(t->mutex, t);
}

static bool can_wake(const struct pl_thread *t)
{
    bool called = t->woken || pl_others_called(t, calls_of((const pthread_cond_t *)t->wait));

    return called && mutex_is_free(t);
}

static bool may_leave(const struct pl_thread *t)
{
    return !t->woken;
}

/* A wait gives the mutex up, unless it is locked several times; whoever is woken takes it again. */
static enum pl_effect effect_on_mutex(const struct pl_thread *t)
{
    return pl_mutex_owner(t->mutex) == t->id &&
                   (pl_mutex_stays(t->mutex, t) || t->op.kind == PL_OP_COND_WAKE)
               ? PL_EFFECT_READ
               : PL_EFFECT_WRITE;
}

static enum pl_effect effect_of_wait(struct pl_thread *t, struct pl_operation *op)
{
    op->other_effect = effect_on_mutex(t);
    return PL_EFFECT_ADD;
}

static enum pl_effect effect_of_wake(struct pl_thread *t, struct pl_operation *op)
{
    if (op->way != PL_WAY_NORMAL)
        return PL_EFFECT_ADD;
    op->other_effect = effect_on_mutex(t);
    return PL_EFFECT_NONE;
}

static enum pl_effect effect_of_signal(struct pl_thread *t, struct pl_operation *op)
{
    return any_waiter((const pthread_cond_t *)op->addr, NULL) != NULL ? PL_EFFECT_WRITE
                                                                      : PL_EFFECT_READ;
}

/* Whoever has its signal waits for the mutex. */
static pl_tid holder(const struct pl_thread *t)
{
    return t->woken ? pl_mutex_owner(t->mutex) : PL_TID_NONE;
}

PL_DESCRIBE(COND_WAIT) = {.effect = effect_of_wait};
PL_DESCRIBE(COND_TIMEDWAIT) = {.effect = effect_of_wait};
PL_DESCRIBE(COND_WAKE) = {.enabled = can_wake,
                          .effect = effect_of_wake,
                          .holder = holder,
                          .may_leave = may_leave,
                          .native_blocked = pl_descriptor_waits_natively};
PL_DESCRIBE(COND_SIGNAL) = {.effect = effect_of_signal};
PL_DESCRIBE(COND_BROADCAST) = {.effect = effect_of_signal};
