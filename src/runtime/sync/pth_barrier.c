/* SPDX-License-Identifier: MIT */
/*
 * pthread_barrier_*: a barrier counts arrivals; the last one lets everybody
 * through.  In what order threads arrive makes no difference then.  Which of them
 * is told that it is the serial thread POSIX leaves open: the one that goes on
 * first.  Where nobody looks at the result, that is no matter either.
 *
 * Passages overlap: a thread may come to the next one before others have left the last.  So who
 * belongs to which is known from the threads, and whoever leaves touches no memory of the
 * barrier: the serial thread may have destroyed it.
 *
 * Should more threads come than a barrier waits for, it does matter who comes
 * first.  As soon as a passage is seen to have others than the one before,
 * arrivals depend on each other, and searches start over.
 */
#include "base/assert.h"
#include "detect/detector.h"
#include "runtime/access/access.h"
#include "runtime/access/unused.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/ground/alias.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/freed.h"
#include "runtime/observe/report.h"
#include "runtime/sync/others.h"

#include <errno.h>
#include <limits.h>

#define LIBC_SHARED 128 /* in its fourth word */
#define LIVE 0x62617272u
#define DESTROYED 0xdeadc04du

struct barrier {
    uint32_t magic, count, arrived;
    uint32_t looked;          /* somebody in this passage uses the result */
    uint64_t who, who_before; /* has arrived for this passage, for the last: a bit per thread */
};

static bool usable(const struct barrier *b, uint64_t pc)
{
    pl_freed_object((uint64_t)b, sizeof(*b), pc);
    if (b->magic == LIVE)
        return true;
    pl_report_misuse(pc, b, PL_OBJECT_BARRIER, 0,
                     b->magic == DESTROYED ? "a barrier is used after it was destroyed"
                                           : "a barrier is used that was never initialised");
    return false;
}

/*
 * One that processes share is libc's from the beginning: a child could not use the model.  Where
 * libc notes that it is one, the model has nothing of the kind.
 */
static bool is_of_libc(const struct barrier *b)
{
    return b->magic != LIVE && b->magic != DESTROYED && b->looked == LIBC_SHARED;
}

/* As libc has one that nobody waits at. */
struct libc_barrier {
    uint32_t in, round, count, shared, out;
};

/* Whether processes share it that are all under control, so that the model does for them. */
static bool is_of_company(const struct barrier *b)
{
    return pl_board->settings.company && pl_alias_mapping((uint64_t)b).size != 0;
}

/* What was libc's becomes a model, when the first of them comes there. */
static void adopt(struct barrier *b)
{
    if (is_of_libc(b))
        *b = (struct barrier){.magic = LIVE, .count = ((const struct libc_barrier *)b)->count};
}

/* Where passages are counted, for threads of other processes; see others.h. */
static uint32_t *calls_of(struct barrier *b)
{
    return (uint32_t *)&b->who_before;
}

PL_INTERPOSE(int, pthread_barrier_init,
             (pthread_barrier_t * barrier, const pthread_barrierattr_t *attr, unsigned count))
{
    struct barrier *b = (struct barrier *)barrier;
    int shared = PTHREAD_PROCESS_PRIVATE;
    struct pl_thread *t;
    uint64_t pc;

    if (attr != NULL)
        pl_real.pthread_barrierattr_getpshared(attr, &shared);
    if (!pl_on() || shared == PTHREAD_PROCESS_SHARED)
        return PL_FALLBACK(pthread_barrier_init)(barrier, attr, count);
    if (count == 0 || count >= UINT_MAX / 2) /* libc's limits */
        return EINVAL;
    if (pl_begin(&t, &pc))
        pl_access_init(b, sizeof(*barrier), pc);
    *b = (struct barrier){.magic = LIVE, .count = count};
    return 0;
}

static void note_arrival(struct barrier *b, const struct pl_thread *t)
{
    uint64_t self = UINT64_C(1) << t->id % 64;

    b->who |= self;
    if (b->who_before == 0 || ((b->who_before & self) != 0 && t->id < 64) ||
        pl_board->arrivals_matter)
        return;
    pl_board->arrivals_matter = true;
    pl_board->shared_grew = true;
}

/* The last one has arrived.  Returns whether the result matters to anybody. */
static uint32_t let_through(struct barrier *b, struct pl_thread *last)
{
    uint32_t looked = b->looked && b->count > 1; /* one alone is the serial thread */
    uint32_t passage = ++pl_stage->objects.passages;

    PL_ASSERT(last == pl_thread_self());
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE || t->wait != (uint64_t)b || t == last || t->woken)
            continue;
        pl_sched_wake(t)->aux = looked;
        t->passage = passage;
        pl_feed_object(PL_SYNC_RECEIVE, t->id, (uint64_t)b, PL_OBJECT_BARRIER);
    }
    pl_feed_object(PL_SYNC_RECEIVE, last->id, (uint64_t)b, PL_OBJECT_BARRIER);
    pl_feed_object(PL_SYNC_RESET, last->id, (uint64_t)b, PL_OBJECT_BARRIER);
    last->woken = true;
    last->passage = passage;
    b->arrived = b->looked = 0;
    if (last->afar) {
        ++*calls_of(b);
        return looked;
    }
    b->who_before = b->who;
    b->who = 0;
    return looked;
}

/* Whether the thread is the first of its passage to go on: the others are not, then. */
static bool is_serial(struct pl_thread *t)
{
    uint32_t passage = t->passage;

    if (passage == 0)
        return false;
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        if (pl_thread_by_id(i)->passage == passage)
            pl_thread_by_id(i)->passage = 0;
    }
    return true;
}

PL_INTERPOSE(int, pthread_barrier_wait, (pthread_barrier_t * barrier))
{
    struct barrier *b = (struct barrier *)barrier;
    struct pl_thread *t;
    uint64_t pc;

    if (pl_on() && !pl_inside() && is_of_libc(b) && !is_of_company(b)) {
        pl_others_before(b);
        return pl_others_used(b, PL_FALLBACK(pthread_barrier_wait)(barrier));
    }
    if (!PL_BEGIN_ON(barrier))
        return PL_OUTSIDE(pthread_barrier_wait, barrier);
    pl_sched_point(PL_OP_BARRIER_WAIT, b, 0, 0, pc);
    adopt(b);
    if (!usable(b, pc))
        return EINVAL;
    bool shared = is_of_company(b);

    pl_others_expect(t, shared, calls_of(b));
    if (!shared)
        note_arrival(b, t);
    pl_feed_object(PL_SYNC_SEND, t->id, (uint64_t)b, PL_OBJECT_BARRIER);
    b->looked |= !pl_unused_result(pc, false);
    uint32_t looked = 0;

    if (++b->arrived == b->count)
        looked = let_through(b, t);
    else
        t->woken = false;
    t->wait = (uint64_t)b;
    pl_sched_point(PL_OP_BARRIER_LEAVE, b, 0, looked, pc);
    t->wait = 0;
    t->woken = t->afar = false;
    return is_serial(t) ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

PL_INTERPOSE(int, pthread_barrier_destroy, (pthread_barrier_t * barrier))
{
    struct barrier *b = (struct barrier *)barrier;
    struct pl_thread *t;
    uint64_t pc;

    if (pl_on() && !pl_inside() && is_of_libc(b) && !is_of_company(b)) {
        pl_others_before(b);
        return pl_others_used(b, PL_FALLBACK(pthread_barrier_destroy)(barrier));
    }
    if (!PL_BEGIN_ON(barrier))
        return PL_OUTSIDE(pthread_barrier_destroy, barrier);
    pl_sched_point(PL_OP_OBJECT_DESTROY, b, 0, PL_OBJECT_BARRIER, pc);
    adopt(b);
    if (!usable(b, pc))
        return EINVAL;
    if (b->arrived != 0) {
        pl_report_misuse(pc, b, PL_OBJECT_BARRIER, 0,
                         "a barrier is destroyed while a thread waits at it");
        return EBUSY;
    }
    b->magic = DESTROYED;
    return 0;
}

/* ---- what the core asks ---- */

static enum pl_effect effect_of_wait(struct pl_thread *t, struct pl_operation *op)
{
    return pl_board->arrivals_matter ? PL_EFFECT_WRITE : PL_EFFECT_ADD;
}

static enum pl_effect effect_of_leave(struct pl_thread *t, struct pl_operation *op)
{
    if (op->aux == 0)
        return PL_EFFECT_NONE; /* nobody wants to know who is the serial thread */
    return t->passage != 0 ? PL_EFFECT_WRITE : PL_EFFECT_READ;
}

PL_DESCRIBE(BARRIER_WAIT) = {.effect = effect_of_wait,
                             .native_blocked = pl_descriptor_waits_natively};
static bool may_go(const struct pl_thread *t)
{
    return t->woken || pl_others_called(t, calls_of((struct barrier *)t->wait));
}

PL_DESCRIBE(BARRIER_LEAVE) = {.enabled = may_go, .effect = effect_of_leave};
