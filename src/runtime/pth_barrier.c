/* SPDX-License-Identifier: MIT */
/*
 * pthread_barrier_*: a barrier counts arrivals; the last one lets the others
 * through and is the serial thread.
 */
#include "runtime/rt.h"

#define LIVE 0x62617272u
#define DESTROYED 0xdeadc04du

struct barrier {
    uint32_t magic, count, arrived, unused;
};

bool pl_barrier_complete(uint64_t addr)
{
    const struct barrier *b = (const struct barrier *)addr;

    return b->arrived + 1 == b->count;
}

static bool usable(const struct barrier *b, uint64_t pc)
{
    if (pl_heap_contains((uint64_t)b))
        pl_heap_check((uint64_t)b, sizeof(*b), true, pc);
    if (b->magic == LIVE)
        return true;
    pl_report_misuse(pc, b, PL_OBJECT_BARRIER, 0,
                     b->magic == DESTROYED ? "a barrier is used after it was destroyed"
                                           : "a barrier is used that was never initialised");
    return false;
}

PL_INTERPOSE(int, pthread_barrier_init,
             (pthread_barrier_t * barrier, const pthread_barrierattr_t *attr, unsigned count))
{
    struct barrier *b = (struct barrier *)barrier;

    if (!pl_on())
        return PL_FALLBACK(pthread_barrier_init)(barrier, attr, count);
    if (count == 0)
        return EINVAL;
    *b = (struct barrier){.magic = LIVE, .count = count};
    return 0;
}

PL_INTERPOSE(int, pthread_barrier_wait, (pthread_barrier_t * barrier))
{
    struct barrier *b = (struct barrier *)barrier;
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_barrier_wait, barrier);
    if (!usable(b, pc))
        return EINVAL;
    pl_sched_point(PL_OP_BARRIER_WAIT, b, 0, 0, pc);
    if (++b->arrived == b->count) {
        b->arrived = 0;
        for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
            if (pl_thread_by_id(i)->wait == (uint64_t)b)
                pl_sched_wake(pl_thread_by_id(i));
        }
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    t->wait = (uint64_t)b;
    t->woken = false;
    pl_sched_point(PL_OP_BARRIER_LEAVE, b, 0, 0, pc);
    t->wait = 0;
    t->woken = false;
    return 0;
}

PL_INTERPOSE(int, pthread_barrier_destroy, (pthread_barrier_t * barrier))
{
    struct barrier *b = (struct barrier *)barrier;
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_barrier_destroy, barrier);
    if (!usable(b, pc))
        return EINVAL;
    pl_sched_point(PL_OP_OBJECT_DESTROY, b, 0, PL_OBJECT_BARRIER, pc);
    if (b->arrived != 0) {
        pl_report_misuse(pc, b, PL_OBJECT_BARRIER, 0,
                         "a barrier is destroyed while a thread waits at it");
        return EBUSY;
    }
    b->magic = DESTROYED;
    return 0;
}
