/* SPDX-License-Identifier: MIT */
/*
 * pthread_rwlock_*: many readers or one writer.
 *
 * The number of readers and the writer's number plus 1, in __writers, lie in the first 8 bytes of
 * the program's pthread_rwlock_t; which threads read is known from what they hold.  As in
 * glibc, readers go past waiting writers unless the lock's attribute prefers
 * writers.  Then that a writer begins to wait stops readers, so it is an operation: a thread makes
 * an attempt, waits if that was in vain, and makes another when it has been woken.  How many
 * writers wait is in __wrphase_futex.
 */
#include "base/assert.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/held.h"
#include "runtime/observe/report.h"
#include "runtime/sync/others.h"

#include <errno.h>

#define DESTROYED 0xdeadc04du

static bool usable(const pthread_rwlock_t *l, uint64_t pc)
{
    pl_freed_object((uint64_t)l, sizeof(*l), pc);
    if (l->__data.__writers_futex != DESTROYED)
        return true;
    pl_report_misuse(pc, l, PL_OBJECT_RWLOCK, 0, "an rwlock is used after it was destroyed");
    return false;
}

static bool prefers_writers(const pthread_rwlock_t *l)
{
    return l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP;
}

static bool is_free_for(uint64_t addr, bool write, const struct pl_thread *t)
{
    const pthread_rwlock_t *l = (const pthread_rwlock_t *)addr;

    if (l->__data.__writers == t->id + 1u)
        return true; /* to be told EDEADLK */
    if (l->__data.__writers != 0)
        return false;
    if (write)
        return l->__data.__readers == 0;
    return !prefers_writers(l) || l->__data.__readers == 0 || l->__data.__wrphase_futex == 0;
}

static bool is_written(uint64_t addr)
{
    return ((const pthread_rwlock_t *)addr)->__data.__writers != 0;
}

/* Some thread that holds the lock. */
static pl_tid some_holder(uint64_t addr, const struct pl_thread *not_this)
{
    const pthread_rwlock_t *l = (const pthread_rwlock_t *)addr;
    pl_tid self = PL_TID_NONE;

    if (l->__data.__writers > 0 && l->__data.__writers <= pl_stage->n_threads)
        return (pl_tid)(l->__data.__writers - 1);
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE || pl_held_find(t, l) == NULL)
            continue;
        if (t != not_this)
            return i;
        self = i;
    }
    PL_ASSERT(self == PL_TID_NONE || self == not_this->id);
    return self;
}

static int take(pthread_rwlock_t *l, bool write, struct pl_thread *t, uint64_t pc)
{
    if (l->__data.__writers == t->id + 1u)
        return EDEADLK;
    if (write)
        l->__data.__writers = t->id + 1u;
    else
        l->__data.__readers++;
    pl_held_add(t, l, PL_OBJECT_RWLOCK, !write, pc);
    PL_ASSERT(t->n_held > 0);
    return 0;
}

/* The lock prefers writers, and is not as it was: whoever could have it now is to try again. */
static void wake_waiters(const pthread_rwlock_t *l)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state == PL_THREAD_ALIVE && t->wait == (uint64_t)l && !t->woken &&
            is_free_for((uint64_t)l, t->op.aux != 0, t))
            pl_sched_wake(t);
    }
}

static void leave_queue(pthread_rwlock_t *l)
{
    if (l->__data.__wrphase_futex > 0) /* unless it has been initialised anew */
        l->__data.__wrphase_futex--;
}

/* Attempts, until one succeeds or the time is over. */
static int lock_in_turn(pthread_rwlock_t *l, bool write, uint64_t deadline, struct pl_thread *t,
                        uint64_t pc)
{
    bool queued = false;
    enum pl_way way = PL_WAY_NORMAL;

    while (way == PL_WAY_NORMAL) {
        pl_sched_point(PL_OP_RWLOCK_ATTEMPT, l, 0, write, pc);
        if (!usable(l, pc))
            return EINVAL;
        if (is_free_for((uint64_t)l, write, t))
            break;
        l->__data.__wrphase_futex += write && !queued;
        queued = write;
        t->wait = (uint64_t)l;
        t->woken = false;
        way = pl_sched_timed_point(PL_OP_RWLOCK_WAIT, l, deadline, write, pc);
        t->wait = 0;
        t->woken = false;
    }
    if (queued)
        leave_queue(l);
    if (way == PL_WAY_NORMAL)
        return take(l, write, t, pc);
    wake_waiters(l);
    return ETIMEDOUT;
}

static int lock(pthread_rwlock_t *l, bool write, struct pl_thread *t, uint64_t pc)
{
    pl_freed_object((uint64_t)l, sizeof(*l), pc); /* it would wait there for nobody */
    if (prefers_writers(l))
        return lock_in_turn(l, write, PL_NEVER, t, pc);
    pl_sched_point(write ? PL_OP_RWLOCK_WRITE : PL_OP_RWLOCK_READ, l, 0, 0, pc);
    if (!usable(l, pc))
        return EINVAL;
    return take(l, write, t, pc);
}

static int try_lock(pthread_rwlock_t *l, bool write, struct pl_thread *t, uint64_t pc)
{
    pl_sched_point(write ? PL_OP_RWLOCK_TRYWRITE : PL_OP_RWLOCK_TRYREAD, l, 0, 0, pc);
    if (!usable(l, pc))
        return EINVAL;
    int rc = EBUSY;

    if (l->__data.__writers == 0 && is_free_for((uint64_t)l, write, t))
        rc = take(l, write, t, pc);
    pl_class_note(t, (uint64_t)rc);
    return rc;
}

static int timed_lock(pthread_rwlock_t *l, bool write, clockid_t clock,
                      const struct timespec *until, struct pl_thread *t, uint64_t pc)
{
    if (!usable(l, pc))
        return EINVAL;
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    if (until->tv_nsec < 0 || until->tv_nsec >= 1000000000)
        return EINVAL;
    if (prefers_writers(l))
        return lock_in_turn(l, write, pl_clock_of(clock, until), t, pc);
    if (pl_sched_timed_point(write ? PL_OP_RWLOCK_TIMEDWRITE : PL_OP_RWLOCK_TIMEDREAD, l,
                             pl_clock_of(clock, until), 0, pc) == PL_WAY_TIMEOUT)
        return ETIMEDOUT;
    return take(l, write, t, pc);
}

PL_INTERPOSE(int, pthread_rwlock_rdlock, (pthread_rwlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_rdlock, l);
    return PL_BEGIN_ON(l) ? lock(l, false, t, pc) : PL_OUTSIDE(pthread_rwlock_rdlock, l);
}

PL_INTERPOSE(int, pthread_rwlock_wrlock, (pthread_rwlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_wrlock, l);
    return PL_BEGIN_ON(l) ? lock(l, true, t, pc) : PL_OUTSIDE(pthread_rwlock_wrlock, l);
}

PL_INTERPOSE(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_tryrdlock, l);
    return PL_BEGIN_ON(l) ? try_lock(l, false, t, pc) : PL_OUTSIDE(pthread_rwlock_tryrdlock, l);
}

PL_INTERPOSE(int, pthread_rwlock_trywrlock, (pthread_rwlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_trywrlock, l);
    return PL_BEGIN_ON(l) ? try_lock(l, true, t, pc) : PL_OUTSIDE(pthread_rwlock_trywrlock, l);
}

PL_INTERPOSE(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t * l, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_timedrdlock, l, until);
    return PL_BEGIN_ON(l) ? timed_lock(l, false, CLOCK_REALTIME, until, t, pc)
                          : PL_OUTSIDE(pthread_rwlock_timedrdlock, l,
                                       PL_CLOCK_REAL_UNTIL(CLOCK_REALTIME, until));
}

PL_INTERPOSE(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t * l, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_timedwrlock, l, until);
    return PL_BEGIN_ON(l) ? timed_lock(l, true, CLOCK_REALTIME, until, t, pc)
                          : PL_OUTSIDE(pthread_rwlock_timedwrlock, l,
                                       PL_CLOCK_REAL_UNTIL(CLOCK_REALTIME, until));
}

PL_INTERPOSE(int, pthread_rwlock_clockrdlock,
             (pthread_rwlock_t * l, clockid_t clock, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_clockrdlock, l, clock, until);
    return PL_BEGIN_ON(l) ? timed_lock(l, false, clock, until, t, pc)
                          : PL_OUTSIDE(pthread_rwlock_clockrdlock, l, clock,
                                       PL_CLOCK_REAL_UNTIL(clock, until));
}

PL_INTERPOSE(int, pthread_rwlock_clockwrlock,
             (pthread_rwlock_t * l, clockid_t clock, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_clockwrlock, l, clock, until);
    return PL_BEGIN_ON(l) ? timed_lock(l, true, clock, until, t, pc)
                          : PL_OUTSIDE(pthread_rwlock_clockwrlock, l, clock,
                                       PL_CLOCK_REAL_UNTIL(clock, until));
}

PL_INTERPOSE(int, pthread_rwlock_unlock, (pthread_rwlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_unlock, l);
    if (!PL_BEGIN_ON(l))
        return PL_OUTSIDE(pthread_rwlock_unlock, l);
    if (!usable(l, pc))
        return EINVAL;
    if (pl_held_find(t, l) == NULL && t->n_unlisted == 0) {
        pl_report_misuse(pc, l, PL_OBJECT_RWLOCK, 0,
                         "an rwlock is unlocked by a thread that does not hold it");
        return EPERM;
    }
    pl_sched_point(PL_OP_RWLOCK_UNLOCK, l, 0, 0, pc);
    pl_held_remove(t, l);
    if (l->__data.__writers == t->id + 1u)
        l->__data.__writers = 0;
    else if (l->__data.__readers > 0)
        l->__data.__readers--;
    if (prefers_writers(l))
        wake_waiters(l);
    return 0;
}

PL_INTERPOSE(int, pthread_rwlock_init, (pthread_rwlock_t * l, const pthread_rwlockattr_t *attr))
{
    int kind = PTHREAD_RWLOCK_DEFAULT_NP, shared = PTHREAD_PROCESS_PRIVATE;
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(attr, sizeof(*attr), false, pl_entry());
    if (pl_begin(&t, &pc))
        pl_access_init(l, sizeof(*l), pc);
    if (!pl_on())
        return PL_FALLBACK(pthread_rwlock_init)(l, attr);
    if (attr != NULL) {
        pl_real.pthread_rwlockattr_getkind_np(attr, &kind);
        pl_real.pthread_rwlockattr_getpshared(attr, &shared);
    }
    *l = (pthread_rwlock_t)PTHREAD_RWLOCK_INITIALIZER;
    l->__data.__shared = shared == PTHREAD_PROCESS_SHARED;
    l->__data.__flags = (unsigned)kind;
    return 0;
}

PL_INTERPOSE(int, pthread_rwlock_destroy, (pthread_rwlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(l->__data.__shared != 0, l, pthread_rwlock_destroy, l);
    if (!PL_BEGIN_ON(l))
        return PL_OUTSIDE(pthread_rwlock_destroy, l);
    pl_sched_point(PL_OP_OBJECT_DESTROY, l, 0, PL_OBJECT_RWLOCK, pc);
    if (!usable(l, pc))
        return EINVAL;
    if (l->__data.__readers != 0 || l->__data.__writers != 0) {
        pl_report_misuse(pc, l, PL_OBJECT_RWLOCK, 0, "an rwlock is destroyed while it is locked");
        return EBUSY;
    }
    l->__data.__writers_futex = DESTROYED;
    return 0;
}

/* ---- what the core asks ---- */

static bool can_read(const struct pl_thread *t)
{
    return is_free_for(t->op.addr, false, t);
}

static bool can_write(const struct pl_thread *t)
{
    return is_free_for(t->op.addr, true, t);
}

/* Of an acquisition that may be told that it cannot: what it does if it can. */
static enum pl_effect effect_if(bool possible, const struct pl_operation *op, enum pl_effect then)
{
    return op->way == PL_WAY_TIMEOUT || !possible || is_written(op->addr) ? PL_EFFECT_READ : then;
}

/* Readers are in nobody's way but a writer's, unless one that waits is in theirs. */
static enum pl_effect of_reader(const struct pl_operation *op)
{
    return prefers_writers((const pthread_rwlock_t *)op->addr) ? PL_EFFECT_WRITE : PL_EFFECT_ADD;
}

static enum pl_effect effect_of_try_read(struct pl_thread *t, struct pl_operation *op)
{
    return effect_if(can_read(t), op, of_reader(op));
}

static enum pl_effect effect_of_try_write(struct pl_thread *t, struct pl_operation *op)
{
    return effect_if(can_write(t), op, PL_EFFECT_WRITE);
}

static enum pl_effect effect_of_unlock(struct pl_thread *t, struct pl_operation *op)
{
    return is_written(op->addr) ? PL_EFFECT_WRITE : of_reader(op);
}

static pl_tid holder(const struct pl_thread *t)
{
    return some_holder(t->op.addr, t);
}

/* Each reader keeps a writer out, not only the one that is named. */
static bool waits_for(const struct pl_thread *t, const struct pl_thread *other)
{
    return other->state == PL_THREAD_ALIVE &&
           pl_held_find((struct pl_thread *)other, (void *)t->op.addr) != NULL;
}

/* Whether the thread has begun to wait for the lock, with no other way out. */
static bool is_queued(const struct pl_thread *t, uint64_t addr)
{
    return t->state == PL_THREAD_ALIVE && t->announced && t->op.kind == PL_OP_RWLOCK_WAIT &&
           t->op.addr == addr && t->op.aux != 0 && !t->timed;
}

static pl_tid queued_writer(uint64_t addr)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (is_queued(pl_thread_by_id(i), addr))
            return i;
    }
    return PL_TID_NONE;
}

static bool holds(const struct pl_thread *t, uint64_t addr)
{
    return pl_held_find((struct pl_thread *)t, (const void *)addr) != NULL;
}

/*
 * A reader that lets writers go first waits for them, if it has the lock already.  If not, it
 * may go on as soon as nobody reads, which is what they wait for, too.
 */
static pl_tid holder_in_turn(const struct pl_thread *t)
{
    pl_tid writer = queued_writer(t->op.addr);
    bool held = is_written(t->op.addr) || t->op.aux != 0;

    if (held)
        return some_holder(t->op.addr, t);
    return writer == PL_TID_NONE || holds(t, t->op.addr) ? writer : some_holder(t->op.addr, t);
}

static bool waits_in_turn_for(const struct pl_thread *t, const struct pl_thread *other)
{
    bool held = is_written(t->op.addr) || t->op.aux != 0;

    if (!held && holds(t, t->op.addr))
        return is_queued(other, t->op.addr);
    return waits_for(t, other) && (held || queued_writer(t->op.addr) != PL_TID_NONE);
}

static enum pl_effect effect_of_wait(struct pl_thread *t, struct pl_operation *op)
{
    return op->way == PL_WAY_NORMAL ? PL_EFFECT_NONE : PL_EFFECT_WRITE;
}

static int32_t native_writer(const struct pl_thread *t)
{
    return ((const pthread_rwlock_t *)t->op.addr)->__data.__cur_writer;
}

static bool is_written_natively(const struct pl_thread *t)
{
    return native_writer(t) != 0;
}

static bool is_taken_natively(const struct pl_thread *t)
{
    return ((const pthread_rwlock_t *)t->op.addr)->__data.__readers != 0;
}

static pl_tid native_holder(const struct pl_thread *t)
{
    return pl_thread_by_os(native_writer(t));
}

PL_DESCRIBE(RWLOCK_READ) = {.enabled = can_read,
                            .holder = holder,
                            .waits_for = waits_for,
                            .native_blocked = is_written_natively,
                            .native_holder = native_holder};
PL_DESCRIBE(RWLOCK_TIMEDREAD) = {.enabled = can_read,
                                 .effect = effect_of_try_read,
                                 .holder = holder,
                                 .native_blocked = is_written_natively,
                                 .native_holder = native_holder};
PL_DESCRIBE(RWLOCK_TRYREAD) = {.effect = effect_of_try_read};
PL_DESCRIBE(RWLOCK_WRITE) = {.enabled = can_write,
                             .holder = holder,
                             .waits_for = waits_for,
                             .native_blocked = is_taken_natively,
                             .native_holder = native_holder};
PL_DESCRIBE(RWLOCK_TIMEDWRITE) = {.enabled = can_write,
                                  .effect = effect_of_try_write,
                                  .holder = holder,
                                  .native_blocked = is_taken_natively,
                                  .native_holder = native_holder};
PL_DESCRIBE(RWLOCK_TRYWRITE) = {.effect = effect_of_try_write};
PL_DESCRIBE(RWLOCK_UNLOCK) = {.effect = effect_of_unlock};
PL_DESCRIBE(RWLOCK_WAIT) = {.enabled = pl_descriptor_woken,
                            .effect = effect_of_wait,
                            .holder = holder_in_turn,
                            .waits_for = waits_in_turn_for};
