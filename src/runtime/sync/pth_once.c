/* SPDX-License-Identifier: MIT */
/*
 * pthread_once(), and C++'s guards of function-local statics: one thread runs
 * the initialisation, the others wait for it.  Whoever finds it done has looked: the other order
 * would have been another initialisation.  A thread that knows it to be done asks without a point:
 * nothing that happens later can change the answer, unless somebody writes to the memory.
 */
#include "base/assert.h"
#include "model/gate.h"
#include "runtime/core/descriptor.h"
#include "runtime/core/sched.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/observe/held.h"

enum { FRESH = 0, RUNNING = 1, DONE = 2 };

static uint64_t *place_of(struct pl_thread *t, const pthread_once_t *once)
{
    return &t->passed[(uint64_t)once / sizeof(*once) % PL_PASSED];
}

static bool is_known_done(struct pl_thread *t, const pthread_once_t *once)
{
    return *once == DONE && *place_of(t, once) == (uint64_t)once &&
           !pl_shadow_known((uint64_t)once);
}

/* The initialisation ended by an exception or cancellation: the next one tries again. */
static void abandon(pthread_once_t **once)
{
    if (*once == NULL)
        return;
    pl_held_remove(pl_thread_self(), *once);
    **once = FRESH;
    pl_sched_note(PL_OP_ONCE, *once, FRESH, 0);
}

PL_INTERPOSE(int, pthread_once, (pthread_once_t * once, void (*init)(void)))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return PL_OUTSIDE(pthread_once, once, init);
    if (!is_known_done(t, once))
        pl_sched_point(PL_OP_ONCE, once, 0, 0, pc);
    if (*once == DONE) {
        *place_of(t, once) = (uint64_t)once;
        pl_feed_passed(t, once, PL_OP_ONCE, pc);
        return 0;
    }
    __attribute__((cleanup(abandon))) pthread_once_t *running = once;

    *once = RUNNING;
    pl_held_add(t, once, PL_OBJECT_ONCE, false, pc);
    init();
    running = NULL;
    pl_held_remove(t, once);
    *once = DONE;
    *place_of(t, once) = (uint64_t)once;
    pl_sched_note(PL_OP_ONCE, once, DONE, pc);
    return 0;
}

/*
 * The Itanium ABI: byte 0 says initialised, and compilers look at it before they call us.  We use
 * byte 1 for "being initialised" and byte 2 for "done", which is so before byte 0 says it.  The
 * lock is byte 1, so that it is not the same object as the memory that is looked at.
 */
static bool is_guard_done(const char *lock)
{
    return ((const volatile char *)lock)[1] != 0;
}

int __cxa_guard_acquire(char *guard);
void __cxa_guard_release(char *guard);
void __cxa_guard_abort(char *guard);

PL_INTERPOSE(int, __cxa_guard_acquire, (char *guard))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc))
        return guard[0] != 0 ? 0 : pl_on() ? 1 : PL_FALLBACK(__cxa_guard_acquire)(guard);
    char *lock = guard + 1;

    if (guard[0] == 0)
        pl_sched_point(PL_OP_GUARD, lock, 0, 0, pc);
    if (guard[0] != 0 || is_guard_done(lock)) {
        pl_feed_passed(t, lock, PL_OP_GUARD, pc);
        return 0;
    }
    guard[1] = 1;
    pl_held_add(t, lock, PL_OBJECT_ONCE, false, pc);
    return 1;
}

PL_INTERPOSE(void, __cxa_guard_release, (char *guard))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc)) {
        if (!pl_on())
            PL_FALLBACK(__cxa_guard_release)(guard);
        else
            guard[0] = 1;
        return;
    }
    pl_held_remove(t, guard + 1);
    guard[1] = 0;
    guard[2] = 1;
    pl_sched_note(PL_OP_GUARD, guard + 1, DONE, pc);
    if (pl_stage->n_unjoined > 1 && pl_shadow_shared((uint64_t)guard, 1, true, t))
        pl_sched_point(PL_OP_ATOMIC_STORE, guard, 1, __ATOMIC_RELEASE, pc);
    else
        t->ordinal++; /* the same number of events whether or not it is a point */
    guard[0] = 1;
    pl_feed_atomic((uint64_t)guard, 1, PL_ATOMIC_STORE, true, __ATOMIC_RELEASE, pc);
}

PL_INTERPOSE(void, __cxa_guard_abort, (char *guard))
{
    struct pl_thread *t;
    uint64_t pc;

    if (!pl_begin(&t, &pc)) {
        if (!pl_on())
            PL_FALLBACK(__cxa_guard_abort)(guard);
        return;
    }
    pl_held_remove(t, guard + 1);
    guard[1] = 0;
    pl_sched_note(PL_OP_GUARD, guard + 1, FRESH, pc);
}

/* ---- what the core asks ---- */

static bool once_is_settled(const struct pl_thread *t)
{
    return *(const volatile int *)t->op.addr != RUNNING;
}

static bool guard_is_settled(const struct pl_thread *t)
{
    return *(const volatile char *)t->op.addr == 0;
}

/* Whoever finds it done has only looked. */
static enum pl_effect effect_if(bool done, const struct pl_operation *op)
{
    PL_ASSERT(op->addr != 0);
    return done && !op->noted ? PL_EFFECT_READ : PL_EFFECT_WRITE;
}

static enum pl_effect effect_of_once(struct pl_thread *t, struct pl_operation *op)
{
    return effect_if(*(const volatile int *)op->addr == DONE, op);
}

static enum pl_effect effect_of_guard(struct pl_thread *t, struct pl_operation *op)
{
    return effect_if(is_guard_done((const char *)op->addr), op);
}

PL_DESCRIBE(ONCE) = {.enabled = once_is_settled,
                     .effect = effect_of_once,
                     .holder = pl_held_holder,
                     .native_blocked = pl_descriptor_waits_natively};
PL_DESCRIBE(GUARD) = {.enabled = guard_is_settled,
                      .effect = effect_of_guard,
                      .holder = pl_held_holder,
                      .native_blocked = pl_descriptor_waits_natively};
