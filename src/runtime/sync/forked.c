/* SPDX-License-Identifier: MIT */
/* See forked.h. */
#include "runtime/sync/forked.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "runtime/core/company.h"
#include "runtime/core/fiber.h"
#include "runtime/ground/alias.h"
#include "runtime/sync/thread.h"

pl_tid pl_forked_prepare(struct pl_thread *t, uint64_t pc)
{
    struct pl_thread *child = pl_thread_prepare(t);
    uint32_t number = child != NULL ? pl_company_enlist(child->id) : 0;

    if (number == 0)
        return PL_TID_NONE;
    pl_stage->process.company = true;
    pl_stage->feed.on = false; /* what orders processes is not told: detectors would accuse */
    pl_board->followed++;
    pl_thread_enlist(child, t, (void *(*)(void *))(pc - 1), NULL);
    pl_board->threads[child->id].process = number;
    /* Not here; but what it does to memory that both have counts as concurrent, for ever. */
    child->state = PL_THREAD_GONE;
    pl_stage->n_alive--;
    return child->id;
}

void pl_forked_failed(pl_tid first)
{
    pl_board->company.processes[pl_board->threads[first].process].state = PL_COMPANY_ENDED;
}

/* Locks of its own that the thread holds are the child's as well; those in shared memory are not.
 */
static void take_over_locks(struct pl_thread *t, pl_tid from)
{
    unsigned n = 0, listed = pl_thread_listed(t);

    for (unsigned i = 0; i < listed; i++) {
        struct pl_held h = *pl_thread_held(t, i);
        pthread_mutex_t *m = (pthread_mutex_t *)h.addr;
        pthread_rwlock_t *l = (pthread_rwlock_t *)h.addr;

        if (pl_alias_mapping(h.addr).size != 0)
            continue;
        if (h.object == PL_OBJECT_MUTEX && m->__data.__lock == from + 1)
            m->__data.__lock = m->__data.__owner = t->id + 1;
        if (h.object == PL_OBJECT_RWLOCK && l->__data.__writers == from + 1u)
            l->__data.__writers = t->id + 1u;
        *pl_thread_held(t, n++) = h;
    }
    t->n_held -= listed - n;
}

/* What the thread has beside its struct. */
static void take_over(pl_tid from, pl_tid to)
{
    struct pl_own_state *own = &pl_stage->process.own;

    pl_memory_copy(pl_stage->far_held[to], pl_stage->far_held[from], sizeof(pl_stage->far_held[0]));
    pl_memory_copy(pl_stage->far_frames[to], pl_stage->far_frames[from],
                   sizeof(pl_stage->far_frames[0]));
    pl_stage->spin_clocks[to] = pl_stage->spin_clocks[from];
    pl_stage->steps[to] = pl_stage->steps[from];
    own->threads[to] = own->threads[from];
}

/* The others are not in this process. */
static void forget_others(const struct pl_thread *self)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t == self)
            continue;
        t->spin.parked = t->free.waiting = t->announced = false;
        if (t->state != PL_THREAD_UNUSED)
            t->state = PL_THREAD_GONE;
    }
    pl_stage->n_alive = 1;
    pl_stage->n_unjoined = 2; /* somebody is elsewhere, see above */
    pl_stage->n_parked = pl_stage->n_fresh = pl_stage->n_wide = pl_stage->n_reaching = 0;
}

/* As libc has it: nobody has locked a FILE in a new process. */
static void free_streams(void)
{
    for (unsigned i = 0; i < PL_FILE_LOCKS; i++)
        pl_stage->process.file_locks[i].depth = 0;
    pl_stage->process.n_file_locks = 0;
}

struct pl_thread *pl_forked_become(pl_tid from, pl_tid first)
{
    struct pl_thread *t = pl_thread_by_id(first), is = *t;

    PL_ASSERT(from != first && is.id == first && !is.started);
    *t = *pl_thread_by_id(from);
    t->id = first;
    t->parent = is.parent;
    t->name = is.name;
    t->op = is.op;
    t->ordinal = is.ordinal;
    t->announced = true;
    t->started = t->fresh = t->timed = t->woken = false;
    t->n_children = 0;
    t->joiner = t->joined_by = PL_TID_NONE;
    t->state = PL_THREAD_ALIVE;
    t->spin = (struct pl_spin){0};
    t->free.monitor = NULL;
    t->free.n_claims = 0;
    t->free.os_tid = (int32_t)pl_sys(SYS_gettid);
    take_over(from, first);
    take_over_locks(t, from);
    forget_others(t);
    free_streams();
    pl_fiber_forked(first);
    pl_stage->current = first;
    return t;
}

/*
 * Of a mutex libc asks who the owner is, by the number of the kernel.  Of an rwlock glibc has how
 * many read above three bits of __readers, and in two of them that somebody writes.
 */
static void give_lock(const struct pl_held *h, int self)
{
    enum { WRITES = 3, READER = 8 };
    pthread_mutex_t *m = (pthread_mutex_t *)h->addr;
    pthread_rwlock_t *l = (pthread_rwlock_t *)h->addr;

    if (pl_alias_mapping(h->addr).size != 0)
        return; /* it is the parent's as well */
    if (h->object == PL_OBJECT_MUTEX && self != 0)
        m->__data.__owner = self;
    if (h->object != PL_OBJECT_RWLOCK)
        return;
    if (l->__data.__writers == 0) {
        l->__data.__readers += READER - 1;
        return;
    }
    l->__data.__readers = WRITES;
    l->__data.__wrphase_futex = 1;
    l->__data.__writers = 0;
    l->__data.__cur_writer = self;
}

void pl_forked_give_locks(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        for (unsigned n = 0; n < pl_thread_listed(t); n++)
            give_lock(pl_thread_held(t, n), t == pl_thread_self() ? (int)pl_sys(SYS_gettid) : 0);
    }
}
