/* SPDX-License-Identifier: MIT */
/*
 * pthread_spin_*: as in glibc on x86, 1 is unlocked.  A thread that would spin
 * is simply not enabled.
 */
#include "runtime/rt.h"

enum { UNLOCKED = 1, LOCKED = 0, DESTROYED = 0x5eadc04d };

static void check_usable(pthread_spinlock_t *l, uint64_t pc)
{
    if (pl_heap_contains((uint64_t)l))
        pl_heap_check((uint64_t)l, sizeof(*l), true, pc);
    if (*l == DESTROYED)
        pl_report_misuse(pc, (void *)l, PL_OBJECT_SPIN, 0,
                         "a spin lock is used after it was destroyed");
}

bool pl_spinlock_free(uint64_t addr)
{
    return *(const volatile int *)addr != LOCKED; /* destroyed: to be told so */
}

pl_tid pl_spinlock_owner(uint64_t addr)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_held_find(pl_thread_by_id(i), (void *)addr) != NULL)
            return i;
    }
    return PL_TID_NONE;
}

PL_INTERPOSE(int, pthread_spin_init, (pthread_spinlock_t * l, int shared))
{
    *l = UNLOCKED;
    return 0;
}

PL_INTERPOSE(int, pthread_spin_destroy, (pthread_spinlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return 0;
    pl_sched_point(PL_OP_OBJECT_DESTROY, (void *)l, 0, PL_OBJECT_SPIN, pc);
    check_usable(l, pc);
    if (!pl_spinlock_free((uint64_t)l))
        pl_report_misuse(pc, (void *)l, PL_OBJECT_SPIN, 0,
                         "a spin lock is destroyed while it is locked");
    *l = DESTROYED;
    return 0;
}

PL_INTERPOSE(int, pthread_spin_lock, (pthread_spinlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_spin_lock, l);
    pl_sched_point(PL_OP_SPIN_LOCK, (void *)l, 0, 0, pc);
    check_usable(l, pc);
    *l = LOCKED;
    pl_held_add(t, (void *)l, PL_OBJECT_SPIN, false, pc);
    return 0;
}

PL_INTERPOSE(int, pthread_spin_trylock, (pthread_spinlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_spin_trylock, l);
    pl_sched_point(PL_OP_SPIN_TRYLOCK, (void *)l, 0, 0, pc);
    check_usable(l, pc);
    bool got = pl_spinlock_free((uint64_t)l);

    pl_class_note(t, got);
    if (!got)
        return EBUSY;
    *l = LOCKED;
    pl_held_add(t, (void *)l, PL_OBJECT_SPIN, false, pc);
    return 0;
}

PL_INTERPOSE(int, pthread_spin_unlock, (pthread_spinlock_t * l))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
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
