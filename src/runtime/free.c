/* SPDX-License-Identifier: MIT */
/* See free.h. */
#include "runtime/rt.h"

#include <linux/futex.h>
#include <unistd.h>

enum { SPINS = 200, IO_MS = 20, ALONE_MS = 100 };
#define PATIENCE_NS UINT64_C(500000000) /* for a thread that never leaves, at the end */

bool pl_free;
_Thread_local struct pl_thread *pl_free_self __attribute__((tls_model("initial-exec")));
_Thread_local const uint64_t *pl_free_entry __attribute__((tls_model("initial-exec")));

static _Atomic uint32_t lock;    /* 0 free, 1 held, 2 held and somebody waits */
static unsigned n_waiting;       /* threads in await(); inside */
static _Atomic uint32_t stopped; /* id of the thread that ends the execution, plus 1 */

void pl_free_init(void)
{
    pl_free = pl_board->settings.carrier == PL_CARRIER_FREE;
    pl_free_self = pl_thread_by_id(0);
}

void pl_free_begin(void)
{
    if (!pl_free)
        return;
    pl_free_self->os_tid = (int32_t)pl_sys(SYS_gettid);
    pl_noise_begin();
}

/* ---- the monitor ---- */

static void sleep_for_ever(void)
{
    for (;;)
        pl_sys(SYS_pause);
}

static void acquire(void)
{
    uint32_t expected = 0;

    for (int i = 0; i < SPINS; i++) {
        expected = 0;
        if (atomic_compare_exchange_weak_explicit(&lock, &expected, 1, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
        __builtin_ia32_pause();
    }
    while (atomic_exchange_explicit(&lock, 2, memory_order_acquire) != 0)
        pl_sys(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, 2, 0, 0, 0);
}

static void let_go(void)
{
    if (atomic_exchange_explicit(&lock, 0, memory_order_release) == 2)
        pl_sys(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void come_in(struct pl_thread *t)
{
    acquire();
    if (stopped != 0 && stopped != t->id + 1u) {
        let_go();
        sleep_for_ever();
    }
    pl_stage->current = t->id;
}

void pl_free_enter(const void *frame)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL || t->monitor != NULL)
        return;
    pl_order_release(t);
    come_in(t);
    t->monitor = frame;
}

/* The kinds for which nobody in the program gives a sign. */
static bool is_outside(const struct pl_thread *t)
{
    return t->op.kind == PL_OP_IO || t->op.kind == PL_OP_SIGNAL_WAIT;
}

static bool may_go_on(struct pl_thread *t)
{
    enum pl_way way = pl_sched_way(t);

    return way == PL_WAY_NORMAL || way == PL_WAY_CANCEL || (way == PL_WAY_TIMEOUT && t->late);
}

/* Whoever was blocked and is no longer gets a sign. */
static void call_waiting(void)
{
    unsigned left = n_waiting;

    for (pl_tid i = 0; i < pl_stage->n_threads && left > 0; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (!t->waiting)
            continue;
        left--;
        if (t->go != 0 || is_outside(t) || !may_go_on(t))
            continue;
        t->go = 1;
        pl_sys(SYS_futex, &t->go, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
    }
}

static void go_out(void)
{
    if (n_waiting > 0)
        call_waiting();
    let_go();
}

void pl_free_leave(const void *frame)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL || t->monitor == NULL || t->monitor != frame)
        return;
    pl_free_open();
}

void pl_free_open(void)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL || t->monitor == NULL || t->monitor == PL_FREE_ENDING)
        return;
    bool performed = t->performed;

    t->performed = false;
    t->monitor = NULL;
    go_out();
    if (performed)
        pl_noise_disturb(t, &t->op, false);
}

/* ---- outside for a while ---- */

struct place {
    const void *frame;
    uint32_t busy;
};

static struct place step_out(struct pl_thread *t)
{
    struct place p = {t->monitor, pl_stage->busy};

    pl_stage->busy = 0;
    t->monitor = NULL;
    go_out();
    return p;
}

static void step_in(struct pl_thread *t, struct place p)
{
    come_in(t);
    t->monitor = p.frame;
    pl_stage->busy = p.busy;
}

void pl_free_before(struct pl_thread *t)
{
    struct place p = step_out(t);

    pl_noise_disturb(t, &t->op, true);
    step_in(t, p);
}

static void wait_outside(struct pl_thread *t, uint64_t ns)
{
    struct timespec until = {.tv_sec = (time_t)(ns / 1000000000),
                             .tv_nsec = (long)(ns % 1000000000)};

    t->go = 0;
    t->waiting = true;
    n_waiting++;
    struct place p = step_out(t);

    if (is_outside(t))
        pl_io_pause(t, (int)(ns / 1000000 < IO_MS ? ns / 1000000 + 1 : IO_MS));
    else if (t->go == 0)
        pl_sys(SYS_futex, &t->go, FUTEX_WAIT_PRIVATE, 0, &until, 0, 0);
    step_in(t, p);
    t->waiting = false;
    n_waiting--;
}

/* Whether nobody can go on, and nothing from outside can change that. */
static bool is_stuck(void)
{
    for (pl_tid i = 0; i < pl_stage->n_threads; i++) {
        struct pl_thread *t = pl_thread_by_id(i);

        if (t->state != PL_THREAD_ALIVE)
            continue;
        if (!t->waiting || t->timed || is_outside(t) || pl_sched_way(t) != PL_WAY_BLOCKED)
            return false;
    }
    return true;
}

static void check_stuck(void)
{
    if (is_stuck())
        pl_report_stuck(false);
}

enum pl_way pl_free_await(struct pl_thread *t)
{
    t->late = false;
    for (;;) {
        uint64_t ns = ALONE_MS * UINT64_C(1000000);
        enum pl_way way = pl_sched_way(t);

        if (way == PL_WAY_NORMAL || way == PL_WAY_CANCEL)
            return way;
        if (t->timed) {
            uint64_t now = pl_time_now();

            t->late = now >= t->deadline;
            if (t->late && way == PL_WAY_TIMEOUT)
                return way; /* otherwise the mutex of a condition is still to come */
            ns = !t->late && t->deadline - now < ns ? t->deadline - now : ns;
        } else {
            pl_report_cycle(t);
            t->waiting = true;
            check_stuck();
            t->waiting = false;
        }
        wait_outside(t, ns);
    }
}

/* A sleep is an operation that can go on when the time has come. */
void pl_free_sleep(struct pl_thread *t, uint64_t deadline)
{
    struct place p = step_out(t);

    for (;;) {
        uint64_t now = pl_time_now();

        if (now >= deadline || pl_cancel_due(t))
            break;
        uint64_t ns = deadline - now < 20000000 ? deadline - now : 20000000;
        struct timespec step = {.tv_sec = 0, .tv_nsec = (long)ns};

        pl_sys(SYS_nanosleep, &step, NULL);
    }
    step_in(t, p);
}

/* ---- ends ---- */

void pl_free_end_thread(struct pl_thread *t)
{
    check_stuck();
    pl_stage->busy = 0;
    t->monitor = NULL;
    pl_free_self = NULL;
    go_out();
    if (t->main)
        sleep_for_ever();
    pl_fiber_rest(t);
}

/* The monitor for good; by force if its holder does not come to an end. */
void pl_free_stop(void)
{
    struct pl_thread *t = pl_free_self;
    uint32_t expected = 0;

    if (t == NULL || (stopped != 0 && stopped == t->id + 1u))
        return;
    if (!atomic_compare_exchange_strong(&stopped, &expected, t->id + 1u))
        sleep_for_ever();
    pl_order_freeze();
    if (t->monitor == NULL) {
        uint64_t since = pl_time_now();

        while (atomic_exchange_explicit(&lock, 2, memory_order_acquire) != 0 &&
               pl_time_now() - since < PATIENCE_NS)
            pl_sys(SYS_sched_yield);
    }
    pl_stage->current = t->id;
    t->monitor = PL_FREE_ENDING;
}
