/* SPDX-License-Identifier: MIT */
/*
 * pthread_mutex_*: a mutex is a model object with an owner, not a kernel lock.
 *
 * Its state lies in the program's own pthread_mutex_t, in the fields that glibc
 * uses for the same: zeroed memory is an unlocked mutex, a static initialiser
 * works, a mutex whose memory is written anew is new.  Who holds it and how often lies in the
 * first 8 bytes, which are what operations on it touch: __lock is the owner's number plus 1, 0 if
 * it is free.  __owner says the same, to those who print it.
 *
 * Any thread may initialise or overwrite a mutex at any time, held or not.
 */
#include "runtime/sync/pth_mutex.h"

#include "base/assert.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/clock.h"
#include "runtime/core/company.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/held.h"
#include "runtime/observe/report.h"
#include "runtime/sync/others.h"

#include <errno.h>

enum { TYPE = 3, ROBUST = 16, INHERIT = 32, PROTECT = 64, PROCESS_SHARED = 128, DEAD = -1 };
enum { CEILING_SHIFT = 19, CEILING_LEAST = 1, CEILING_MOST = 99 };
enum { CONSISTENT, INCONSISTENT, LOST }; /* of robust mutexes, in __spins */

static int type_of(const pthread_mutex_t *m)
{
    return m->__data.__kind & TYPE;
}

static bool is_process_shared(const pthread_mutex_t *m)
{
    return m->__data.__kind != DEAD && (m->__data.__kind & PROCESS_SHARED) != 0;
}

/* The ceiling, where there is one, lies in __elision, which nothing else uses. */
static bool has_ceiling(const pthread_mutex_t *m)
{
    return m->__data.__kind != DEAD && (m->__data.__kind & PROTECT) != 0;
}

static bool is_robust(const pthread_mutex_t *m)
{
    return (m->__data.__kind & ROBUST) != 0;
}

/* Of these libc's trylock knows the owner. */
static bool names_owner(const pthread_mutex_t *m)
{
    return (m->__data.__kind & (ROBUST | INHERIT | PROTECT)) != 0;
}

static bool owned_by(const pthread_mutex_t *m, const struct pl_thread *t)
{
    return m->__data.__lock == t->id + 1;
}

pl_tid pl_mutex_owner(uint64_t addr)
{
    const pthread_mutex_t *m = (const pthread_mutex_t *)addr;

    /* Anything may stand in memory that is no mutex. */
    return m->__data.__lock > 0 && m->__data.__lock <= pl_stage->n_threads
               ? (pl_tid)(m->__data.__lock - 1)
               : PL_TID_NONE;
}

/* Its owner was killed together with his process, and the kernel gives it to whoever comes. */
static bool is_left(const pthread_mutex_t *m)
{
    pl_tid owner = pl_stage->process.company && is_process_shared(m) && is_robust(m)
                       ? pl_mutex_owner((uint64_t)m)
                       : PL_TID_NONE;

    return owner != PL_TID_NONE && pl_company_killed(owner);
}

bool pl_mutex_free_for(uint64_t addr, const struct pl_thread *t)
{
    const pthread_mutex_t *m = (const pthread_mutex_t *)addr;

    if (m->__data.__lock == 0 || is_left(m))
        return true;
    /* The owner itself: goes deeper or gets an error; a normal mutex blocks it for ever. */
    return owned_by(m, t) &&
           (type_of(m) == PTHREAD_MUTEX_RECURSIVE || type_of(m) == PTHREAD_MUTEX_ERRORCHECK);
}

static bool usable(const pthread_mutex_t *m, uint64_t pc)
{
    pl_freed_object((uint64_t)m, sizeof(*m), pc);
    if (m->__data.__kind != DEAD)
        return true;
    pl_report_misuse(pc, m, PL_OBJECT_MUTEX, 0, "a mutex is used after it was destroyed");
    return false;
}

static void set_free(pthread_mutex_t *m)
{
    m->__data.__lock = 0;
    m->__data.__owner = 0;
    m->__data.__count = 0;
}

static void take_from_dead(pthread_mutex_t *m)
{
    if (!is_left(m))
        return;
    set_free(m);
    m->__data.__spins = INCONSISTENT;
}

/* Its owner gives it back; whoever has not made it consistent leaves it for good. */
static void give_back(pthread_mutex_t *m, struct pl_thread *t)
{
    pl_held_remove(t, m);
    if (is_robust(m) && m->__data.__spins == INCONSISTENT)
        m->__data.__spins = LOST;
    set_free(m);
}

bool pl_mutex_stays(uint64_t addr, const struct pl_thread *t)
{
    const pthread_mutex_t *m = (const pthread_mutex_t *)addr;

    return owned_by(m, t) && m->__data.__count > 1;
}

/* Once, as libc does. */
unsigned pl_mutex_drop(pthread_mutex_t *m, struct pl_thread *t)
{
    unsigned depth = m->__data.__count;

    if (pl_mutex_stays((uint64_t)m, t))
        m->__data.__count--;
    else
        give_back(m, t);
    return depth;
}

int pl_mutex_retake(pthread_mutex_t *m, struct pl_thread *t, unsigned depth, uint64_t pc)
{
    take_from_dead(m);
    if (m->__data.__spins == LOST && is_robust(m))
        return ENOTRECOVERABLE;
    m->__data.__count = depth;
    if (owned_by(m, t))
        return 0;
    PL_ASSERT(m->__data.__lock == 0);
    m->__data.__lock = m->__data.__owner = t->id + 1;
    pl_held_add(t, m, PL_OBJECT_MUTEX, false, pc);
    return is_robust(m) && m->__data.__spins == INCONSISTENT ? EOWNERDEAD : 0;
}

/* Acquire a mutex that is free for this thread. */
int pl_mutex_take(pthread_mutex_t *m, struct pl_thread *t, uint64_t pc)
{
    if (m->__data.__spins == LOST && is_robust(m))
        return ENOTRECOVERABLE;
    if (owned_by(m, t)) {
        if (type_of(m) == PTHREAD_MUTEX_ERRORCHECK)
            return EDEADLK;
        m->__data.__count++;
        return 0;
    }
    return pl_mutex_retake(m, t, 1, pc);
}

int pl_mutex_waitable(pthread_mutex_t *m, struct pl_thread *t, uint64_t pc)
{
    if (!usable(m, pc))
        return EINVAL;
    if (owned_by(m, t))
        return 0;
    if (type_of(m) != PTHREAD_MUTEX_ERRORCHECK && !is_robust(m))
        pl_report_misuse(pc, m, PL_OBJECT_MUTEX, 0,
                         "a condition wait with a mutex that the thread does not hold");
    return EPERM;
}

/* The owner ends: others may try to lock it before that, and after. */
static void abandon(pthread_mutex_t *m, struct pl_thread *t, uint64_t pc)
{
    pl_sched_point(PL_OP_MUTEX_ABANDON, m, 0, 0, pc);
    pl_held_remove(t, m);
    if (!owned_by(m, t))
        return; /* it has been initialised anew */
    set_free(m);
    m->__data.__spins = INCONSISTENT;
}

void pl_mutex_abandon_all(struct pl_thread *t, uint64_t pc)
{
    unsigned i = 0;

    PL_ASSERT(t->state == PL_THREAD_ALIVE); /* still: whoever waits for it looks at that */
    while (i < pl_thread_listed(t)) {
        const struct pl_held *h = pl_thread_held(t, i);
        pthread_mutex_t *m = (pthread_mutex_t *)h->addr;

        if (h->object == PL_OBJECT_MUTEX && owned_by(m, t) && is_robust(m))
            abandon(m, t, pc); /* it is in the list no more */
        else
            i++;
    }
}

PL_INTERPOSE(int, pthread_mutex_lock, (pthread_mutex_t * m))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(is_process_shared(m), m, pthread_mutex_lock, m);
    if (!PL_BEGIN_ON(m))
        return PL_OUTSIDE(pthread_mutex_lock, m);
    pl_freed_object((uint64_t)m, sizeof(*m), pc); /* it would wait there for nobody */
    pl_sched_point(PL_OP_MUTEX_LOCK, m, 0, 0, pc);
    if (!usable(m, pc))
        return EINVAL;
    return pl_mutex_take(m, t, pc);
}

PL_INTERPOSE(int, pthread_mutex_trylock, (pthread_mutex_t * m))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(is_process_shared(m), m, pthread_mutex_trylock, m);
    if (!PL_BEGIN_ON(m))
        return PL_OUTSIDE(pthread_mutex_trylock, m);
    pl_sched_point(PL_OP_MUTEX_TRYLOCK, m, 0, 0, pc);
    if (!usable(m, pc))
        return EINVAL;
    int rc = EBUSY;

    if (m->__data.__lock == 0 || is_left(m) ||
        (owned_by(m, t) && type_of(m) == PTHREAD_MUTEX_RECURSIVE) ||
        (owned_by(m, t) && type_of(m) == PTHREAD_MUTEX_ERRORCHECK && names_owner(m)))
        rc = pl_mutex_take(m, t, pc);
    pl_class_note(t, (uint64_t)rc);
    return rc;
}

static int timed_lock(pthread_mutex_t *m, clockid_t clock, const struct timespec *until,
                      struct pl_thread *t, uint64_t pc)
{
    if (!usable(m, pc))
        return EINVAL;
    if (!pl_mutex_free_for((uint64_t)m, t) && until->tv_sec >= 0 && !pl_clock_is_time(until))
        return EINVAL;
    if (pl_sched_timed_point(PL_OP_MUTEX_TIMEDLOCK, m, pl_clock_of(clock, until), 0, pc) ==
        PL_WAY_TIMEOUT)
        return ETIMEDOUT;
    return pl_mutex_take(m, t, pc);
}

PL_INTERPOSE(int, pthread_mutex_timedlock, (pthread_mutex_t * m, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS(is_process_shared(m), m, pthread_mutex_timedlock, m, until);
    if (!PL_BEGIN_ON(m))
        return PL_OUTSIDE(pthread_mutex_timedlock, m, PL_CLOCK_REAL_UNTIL(CLOCK_REALTIME, until));
    return timed_lock(m, CLOCK_REALTIME, until, t, pc);
}

PL_INTERPOSE(int, pthread_mutex_clocklock,
             (pthread_mutex_t * m, clockid_t clock, const struct timespec *until))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(until, sizeof(*until), false, pl_entry());
    PL_WITH_OTHERS(is_process_shared(m), m, pthread_mutex_clocklock, m, clock, until);
    if (!PL_BEGIN_ON(m))
        return PL_OUTSIDE(pthread_mutex_clocklock, m, clock, PL_CLOCK_REAL_UNTIL(clock, until));
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
        return EINVAL;
    return timed_lock(m, clock, until, t, pc);
}

/* Errors that POSIX defines are returned; what it leaves undefined is misuse. */
static int check_unlock(pthread_mutex_t *m, const struct pl_thread *t, uint64_t pc)
{
    if (owned_by(m, t))
        return 0;
    if (type_of(m) == PTHREAD_MUTEX_ERRORCHECK || type_of(m) == PTHREAD_MUTEX_RECURSIVE ||
        is_robust(m))
        return EPERM;
    pl_tid owner = pl_mutex_owner((uint64_t)m);
    struct pl_held *h = owner != PL_TID_NONE ? pl_held_find(pl_thread_by_id(owner), m) : NULL;

    pl_report_misuse(pc, m, PL_OBJECT_MUTEX, h != NULL ? h->pc : 0,
                     owner == PL_TID_NONE ? "a mutex is unlocked that is not locked"
                                          : "a mutex is unlocked by a thread that does not own it");
    if (owner != PL_TID_NONE)
        pl_held_remove(pl_thread_by_id(owner), m);
    return 0;
}

PL_INTERPOSE(int, pthread_mutex_unlock, (pthread_mutex_t * m))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(is_process_shared(m), m, pthread_mutex_unlock, m);
    if (!PL_BEGIN_ON(m))
        return PL_OUTSIDE(pthread_mutex_unlock, m);
    pl_sched_point(PL_OP_MUTEX_UNLOCK, m, 0, 0, pc);
    if (!usable(m, pc))
        return EINVAL;
    int rc = check_unlock(m, t, pc);

    if (rc != 0)
        return rc;
    if (m->__data.__count > 1)
        m->__data.__count--;
    else
        give_back(m, t);
    return 0;
}

PL_INTERPOSE(int, pthread_mutex_init, (pthread_mutex_t * m, const pthread_mutexattr_t *attr))
{
    struct pl_thread *t;
    uint64_t pc;

    pl_access_argument(attr, sizeof(*attr), false, pl_entry());
    if (pl_begin(&t, &pc))
        pl_access_init(m, sizeof(*m), pc);
    if (!pl_on())
        return PL_FALLBACK(pthread_mutex_init)(m, attr);
    int rc = pl_real.pthread_mutex_init(m, attr); /* does nothing but fill in the fields */
    int shared = PTHREAD_PROCESS_PRIVATE;

    /* glibc has every robust mutex say that processes share it. */
    if (rc == 0 && attr != NULL && pl_real.pthread_mutexattr_getpshared(attr, &shared) == 0 &&
        shared == PTHREAD_PROCESS_PRIVATE)
        m->__data.__kind &= ~PROCESS_SHARED;
    /* glibc has the ceiling of priorities above the owner. */
    if (rc == 0 && has_ceiling(m) && !is_process_shared(m)) {
        m->__data.__elision = (short)(m->__data.__lock >> CEILING_SHIFT);
        m->__data.__lock = 0;
    }
    return rc;
}

PL_INTERPOSE(int, pthread_mutex_getprioceiling, (const pthread_mutex_t *m, int *ceiling))
{
    const uint64_t *entry = pl_entry();

    if (!pl_on() || pl_inside() || is_process_shared(m))
        return PL_FALLBACK(pthread_mutex_getprioceiling)(m, ceiling);
    if (!has_ceiling(m))
        return EINVAL;
    pl_access_look(&m->__data.__spins, entry[6], entry);
    int now = m->__data.__elision;

    pl_access_after(ceiling, sizeof(*ceiling), entry);
    *ceiling = now;
    return 0;
}

/* The mutex is taken, changed and given back, unless the thread has it. */
PL_INTERPOSE(int, pthread_mutex_setprioceiling, (pthread_mutex_t * m, int ceiling, int *old))
{
    const uint64_t *entry = pl_entry();
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_on() || pl_inside() || is_process_shared(m))
        return PL_FALLBACK(pthread_mutex_setprioceiling)(m, ceiling, old);
    if (!PL_BEGIN_ON(m))
        return 0;
    if (!has_ceiling(m) || ceiling < CEILING_LEAST || ceiling > CEILING_MOST)
        return EINVAL;
    bool mine = owned_by(m, t);

    if (!mine) {
        pl_sched_point(PL_OP_MUTEX_LOCK, m, 0, 0, pc);
        int rc = usable(m, pc) ? pl_mutex_take(m, t, pc) : EINVAL;

        if (rc != 0)
            return rc;
    }
    pl_access_state(&m->__data.__spins, pc, entry);
    int before = m->__data.__elision;

    m->__data.__elision = (short)ceiling;
    if (!mine) {
        pl_sched_point(PL_OP_MUTEX_UNLOCK, m, 0, 0, pc);
        give_back(m, t);
    }
    pl_access_after(old, sizeof(*old), entry);
    if (old != NULL)
        *old = before;
    return 0;
}

PL_INTERPOSE(int, pthread_mutex_destroy, (pthread_mutex_t * m))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(is_process_shared(m), m, pthread_mutex_destroy, m);
    if (!PL_BEGIN_ON(m))
        return PL_OUTSIDE(pthread_mutex_destroy, m);
    pl_sched_point(PL_OP_OBJECT_DESTROY, m, 0, PL_OBJECT_MUTEX, pc);
    if (!usable(m, pc))
        return EINVAL;
    if (m->__data.__lock != 0) {
        pl_report_misuse(pc, m, PL_OBJECT_MUTEX, 0, "a mutex is destroyed while it is locked");
        return EBUSY;
    }
    m->__data.__kind = DEAD;
    return 0;
}

PL_INTERPOSE(int, pthread_mutex_consistent, (pthread_mutex_t * m))
{
    struct pl_thread *t;
    uint64_t pc;

    PL_WITH_OTHERS(is_process_shared(m), m, pthread_mutex_consistent, m);
    if (!PL_BEGIN_ON(m))
        return PL_OUTSIDE(pthread_mutex_consistent, m);
    if (!is_robust(m) || !owned_by(m, t) || m->__data.__spins != INCONSISTENT)
        return EINVAL;
    m->__data.__spins = CONSISTENT;
    return 0;
}

/* ---- what the core asks ---- */

static bool is_free(const struct pl_thread *t)
{
    return pl_mutex_free_for(t->op.addr, t);
}

/*
 * Whoever has it already goes deeper, or comes up again, and touches nothing.  One function for
 * locks and unlocks: they take turns in no order that could be predicted.
 */
static enum pl_effect effect(struct pl_thread *t, struct pl_operation *op)
{
    const pthread_mutex_t *m = (const pthread_mutex_t *)op->addr;
    pl_tid owner = pl_mutex_owner(op->addr);
    bool unlock = op->kind == PL_OP_MUTEX_UNLOCK, early = op->way != PL_WAY_TIMEOUT;

    op->nested = early & (owner == t->id) & (!unlock | (m->__data.__count > 1));
    if (op->nested)
        return PL_EFFECT_READ; /* what it finds only who initialises the mutex anew can change */
    return (early & (owner == (unlock ? t->id : PL_TID_NONE))) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
}

static pl_tid holder(const struct pl_thread *t)
{
    return pl_mutex_owner(t->op.addr);
}

static bool is_locked_natively(const struct pl_thread *t)
{
    return ((const pthread_mutex_t *)t->op.addr)->__data.__lock != 0;
}

static pl_tid native_holder(const struct pl_thread *t)
{
    return pl_thread_by_os(((const pthread_mutex_t *)t->op.addr)->__data.__owner);
}

PL_DESCRIBE(MUTEX_LOCK) = {.enabled = is_free,
                           .effect = effect,
                           .holder = holder,
                           .native_blocked = is_locked_natively,
                           .native_holder = native_holder};
PL_DESCRIBE(MUTEX_TIMEDLOCK) = {.enabled = is_free,
                                .effect = effect,
                                .holder = holder,
                                .native_blocked = is_locked_natively,
                                .native_holder = native_holder};
PL_DESCRIBE(MUTEX_TRYLOCK) = {.effect = effect};
PL_DESCRIBE(MUTEX_UNLOCK) = {.effect = effect};
