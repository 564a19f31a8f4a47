/* SPDX-License-Identifier: MIT */
/*
 * pthread_spin_*: as in glibc on x86, 1 is unlocked.  A thread that would spin
 * is simply not enabled.
 */
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/held.h"
#include "runtime/observe/report.h"

#include <errno.h>

enum { UNLOCKED = 1, LOCKED = 0, DESTROYED = 0x5eadc04d };

static void check_usable(pthread_spinlock_t *l, uint64_t pc)
{
    pl_freed_object((uint64_t)l, sizeof(*l), pc);
    if (*l == DESTROYED)
        pl_report_misuse(pc, (void *)l, PL_OBJECT_SPIN, 0,
                         "a spin lock is used after it was destroyed");
}

static bool is_free(uint64_t addr)
{
    return *(const volatile int *)addr != LOCKED; /* destroyed: to be told so */
}

/* Which order processes take it in is nobody's choice. */
static void look_for_others(const pthread_spinlock_t *l)
{
    if (pl_stage->process.forked && pl_ports.process->shares((uint64_t)l))
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_OTHERS);
}

/* False when a process that shares it has come first, since it was seen to be free. */
static bool take(pthread_spinlock_t *l)
{
    look_for_others(l);
    return __atomic_exchange_n(l, LOCKED, __ATOMIC_SEQ_CST) != LOCKED;
}

PL_INTERPOSE(int, pthread_spin_init, (pthread_spinlock_t * l, int shared))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc))
        pl_access_init((void *)l, sizeof(*l), pc);
    *l = UNLOCKED;
    return 0;
}

PL_INTERPOSE(int, pthread_spin_destroy, (pthread_spinlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!PL_BEGIN_ON(l))
        return 0;
    pl_sched_point(PL_OP_OBJECT_DESTROY, (void *)l, 0, PL_OBJECT_SPIN, pc);
    check_usable(l, pc);
    if (!is_free((uint64_t)l))
        pl_report_misuse(pc, (void *)l, PL_OBJECT_SPIN, 0,
                         "a spin lock is destroyed while it is locked");
    *l = DESTROYED;
    return 0;
}

PL_INTERPOSE(int, pthread_spin_lock, (pthread_spinlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!PL_BEGIN_ON(l))
        return PL_OUTSIDE(pthread_spin_lock, l);
    pl_freed_object((uint64_t)l, sizeof(*l), pc); /* it would wait there for nobody */
    do {
        pl_sched_point(PL_OP_SPIN_LOCK, (void *)l, 0, 0, pc);
        check_usable(l, pc);
    } while (!take(l));
    pl_held_add(t, (void *)l, PL_OBJECT_SPIN, false, pc);
    return 0;
}

PL_INTERPOSE(int, pthread_spin_trylock, (pthread_spinlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!PL_BEGIN_ON(l))
        return PL_OUTSIDE(pthread_spin_trylock, l);
    pl_sched_point(PL_OP_SPIN_TRYLOCK, (void *)l, 0, 0, pc);
    check_usable(l, pc);
    bool got = take(l);

    pl_class_note(t, got);
    if (!got)
        return EBUSY;
    pl_held_add(t, (void *)l, PL_OBJECT_SPIN, false, pc);
    return 0;
}

PL_INTERPOSE(int, pthread_spin_unlock, (pthread_spinlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!PL_BEGIN_ON(l))
        return PL_OUTSIDE(pthread_spin_unlock, l);
    check_usable(l, pc);
    if (pl_held_find(t, (void *)l) == NULL && t->n_unlisted == 0)
        pl_report_misuse(pc, (void *)l, PL_OBJECT_SPIN, 0,
                         "a spin lock is unlocked by a thread that does not hold it");
    pl_sched_point(PL_OP_SPIN_UNLOCK, (void *)l, 0, 0, pc);
    pl_held_remove(t, (void *)l);
    *l = UNLOCKED;
    return 0;
}

/* ---- what the core asks ---- */

static bool can_lock(const struct pl_thread *t)
{
    return is_free(t->op.addr);
}

static enum pl_effect effect_of_try(struct pl_thread *t, struct pl_operation *op)
{
    return is_free(op->addr) ? PL_EFFECT_WRITE : PL_EFFECT_READ;
}

static bool is_locked_natively(const struct pl_thread *t)
{
    return *(const volatile int *)t->op.addr <= 0; /* 1: free */
}

PL_DESCRIBE(SPIN_LOCK) = {
    .enabled = can_lock, .holder = pl_held_holder, .native_blocked = is_locked_natively};
PL_DESCRIBE(SPIN_TRYLOCK) = {.effect = effect_of_try};
