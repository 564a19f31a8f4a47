/* SPDX-License-Identifier: MIT */
/* See environment.h. */
#include "runtime/free/environment.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/free/order.h"

#include <time.h>

enum {
    STEP_NS = 50000, /* between two looks at others */
    LOOKS = 3,       /* in a row that must find somebody asleep at the same event */
    EVERY = 8,       /* accesses between two looks at the clock */
};

static void step(void)
{
    const struct timespec t = {.tv_nsec = STEP_NS};

    pl_sys(SYS_nanosleep, &t, NULL);
}

void pl_environment_begin(const struct pl_noise_state *s)
{
    const struct pl_environment *e = pl_disturb_environment(&s->plan);
    uint64_t set[16] = {0};
    long size = 0;

    if (e == NULL || !e->one_core)
        return;
    size = pl_sys(SYS_sched_getaffinity, 0, sizeof(set), set);
    for (long i = 0; i < size / 8; i++) {
        uint64_t first = set[i] & -set[i];

        if (first == 0)
            continue;
        for (long k = 0; k < size / 8; k++)
            set[k] = k == i ? first : 0;
        break; /* threads to come have what their creators have */
    }
    if (size > 0)
        pl_sys(SYS_sched_setaffinity, 0, size, set);
}

/* ---- who goes first ---- */

static bool is_over(const struct pl_thread *t)
{
    return __atomic_load_n(&t->state, __ATOMIC_RELAXED) != PL_THREAD_ALIVE;
}

static bool is_held(const struct pl_thread *t)
{
    return __atomic_load_n(&pl_stage->disturbers[t->id].held, __ATOMIC_RELAXED);
}

/* Whether t has ended, or waits for something that is not in our hands. */
static bool waits(const struct pl_thread *t)
{
    return is_over(t) || (!is_held(t) && pl_order_asleep(t));
}

/* Everybody else waits, or is to start later than t. */
static bool is_last(const struct pl_thread *t)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        const struct pl_thread *other = pl_thread_by_id(i);

        if (other == t || (i > t->id && (is_held(other) || !other->started)))
            continue;
        if (!waits(other))
            return false;
    }
    return true;
}

static uint64_t count_events(void)
{
    uint64_t sum = 0;

    for (pl_tid i = 0; i < pl_stage->n_threads; i++)
        sum += __atomic_load_n(&pl_thread_by_id(i)->ordinal, __ATOMIC_RELAXED);
    return sum;
}

/* Until `other` waits, or with NULL everybody: for a few looks nothing has happened. */
static void hold(struct pl_thread *t, const struct pl_thread *other, uint64_t most_ns)
{
    uint64_t until = pl_order_now_ns() + most_ns, events = UINT64_MAX;
    bool *held = &pl_stage->disturbers[t->id].held;

    __atomic_store_n(held, true, __ATOMIC_RELAXED);
    for (unsigned looks = 0; looks < LOOKS && pl_order_now_ns() < until;) {
        uint64_t now = count_events();
        bool asleep = other != NULL ? waits(other) : is_last(t);

        looks = asleep && now == events ? looks + 1 : 0;
        events = now;
        step();
        if (other != NULL && is_over(other))
            break;
    }
    __atomic_store_n(held, false, __ATOMIC_RELAXED);
}

/* The last one that t has created. */
static struct pl_thread *newest_child(const struct pl_thread *t)
{
    for (pl_tid i = (pl_tid)pl_stage->n_threads; i-- > t->id + 1u;) {
        if (pl_thread_by_id(i)->parent == t->id)
            return pl_thread_by_id(i);
    }
    return NULL;
}

static void begin_thread(const struct pl_noise_state *s, const struct pl_environment *e,
                         struct pl_thread *t)
{
    if (t->free.os_tid == 0)
        t->free.os_tid = (int32_t)pl_sys(SYS_gettid);
    if (e->starts == PL_STARTS_LAST)
        hold(t, NULL, s->plan.cap_ns);
    else if (e->starts == PL_STARTS_DRAWN && !pl_disturb_at_once(&s->plan, &s->run, t->name))
        hold(t, pl_thread_by_id(t->parent), s->plan.cap_ns);
}

/* ---- slices ---- */

static void take_turns(const struct pl_environment *e, struct pl_thread *t,
                       const struct pl_operation *op)
{
    struct pl_disturber *d = &pl_stage->disturbers[t->id];

    if (pl_operation_is(op->kind, PL_ROLE_PLAIN) && t->ordinal % EVERY != 0)
        return;
    uint64_t now = pl_order_now_ns();

    if (d->since_ns != 0 && now - d->since_ns < e->slice_us * UINT64_C(1000))
        return;
    if (d->since_ns != 0)
        pl_sys(SYS_sched_yield);
    d->since_ns = pl_order_now_ns();
}

void pl_environment_event(const struct pl_noise_state *s, struct pl_thread *t,
                          const struct pl_operation *op, bool before)
{
    const struct pl_environment *e = pl_disturb_environment(&s->plan);

    PL_ASSERT(e != NULL);
    if (before && pl_operation_is(op->kind, PL_ROLE_BEGINS)) {
        begin_thread(s, e, t);
    } else if (!before && pl_operation_is(op->kind, PL_ROLE_CREATES)) {
        struct pl_thread *child = newest_child(t);

        if (child != NULL && pl_disturb_at_once(&s->plan, &s->run, child->name))
            hold(t, child, s->plan.cap_ns);
    } else if (before && e->slice_us != 0) {
        take_turns(e, t, op);
    }
}
