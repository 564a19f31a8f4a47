/* SPDX-License-Identifier: MIT */
/* See monitor.h. */
#include "runtime/ground/monitor.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"

#include <linux/futex.h>
#include <stdatomic.h>

enum { SPINS = 200 };
enum { FREE, TAKEN, WANTED }; /* states of the lock; WANTED: taken, and somebody waits */

bool pl_free;
_Thread_local struct pl_thread *pl_free_self __attribute__((tls_model("initial-exec")));
_Thread_local const uint64_t *pl_monitor_entry __attribute__((tls_model("initial-exec")));

static _Atomic uint32_t lock;    /* of the monitor */
static _Atomic uint32_t stopped; /* id of the thread that ends the execution, plus 1 */

void pl_monitor_sleep_for_ever(void)
{
    for (;;)
        pl_sys(SYS_pause);
}

static void acquire(void)
{
    uint32_t expected = FREE;

    for (int i = 0; i < SPINS; i++) {
        expected = FREE;
        if (atomic_compare_exchange_weak_explicit(&lock, &expected, TAKEN, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
        __builtin_ia32_pause();
    }
    while (atomic_exchange_explicit(&lock, WANTED, memory_order_acquire) != FREE)
        pl_sys(SYS_futex, &lock, FUTEX_WAIT_PRIVATE, WANTED, 0, 0, 0);
}

static void let_go(void)
{
    uint32_t was = atomic_exchange_explicit(&lock, FREE, memory_order_release);

    PL_ASSERT(was != FREE);
    if (was == WANTED)
        pl_sys(SYS_futex, &lock, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

static void come_in(struct pl_thread *t)
{
    acquire();
    if (stopped != 0 && stopped != t->id + 1u) {
        let_go();
        pl_monitor_sleep_for_ever();
    }
    PL_ASSERT(t->id < pl_stage->n_threads && lock != 0);
    pl_stage->current = t->id;
}

static void go_out(void)
{
    pl_ports.free->leave();
    let_go();
}

void pl_monitor_enter(const void *frame)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL || t->free.monitor != NULL)
        return;
    pl_ports.free->enter(t);
    PL_ASSERT(frame != NULL);
    come_in(t);
    t->free.monitor = frame;
}

void pl_monitor_leave(const void *frame)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL || t->free.monitor == NULL || t->free.monitor != frame)
        return;
    pl_monitor_open();
}

void pl_monitor_open(void)
{
    struct pl_thread *t = pl_free_self;

    if (t == NULL || t->free.monitor == NULL || t->free.monitor == PL_MONITOR_ENDING)
        return;
    bool performed = t->free.performed;

    t->free.performed = false;
    t->free.monitor = NULL;
    go_out();
    if (performed)
        pl_ports.free->left(t);
}

struct pl_monitor_place pl_monitor_step_out(struct pl_thread *t)
{
    struct pl_monitor_place p = {t->free.monitor, pl_stage->busy};

    PL_ASSERT(t->free.monitor != NULL);
    pl_stage->busy = 0;
    t->free.monitor = NULL;
    go_out();
    return p;
}

void pl_monitor_step_in(struct pl_thread *t, struct pl_monitor_place p)
{
    PL_ASSERT(p.frame != NULL && t->free.monitor == NULL);
    come_in(t);
    t->free.monitor = p.frame;
    pl_stage->busy = p.busy;
}

bool pl_monitor_stop(struct pl_thread *t)
{
    uint32_t expected = 0;

    if (stopped != 0 && stopped == t->id + 1u)
        return false;
    if (!atomic_compare_exchange_strong(&stopped, &expected, t->id + 1u))
        pl_monitor_sleep_for_ever();
    return true;
}

bool pl_monitor_seize(void)
{
    return atomic_exchange_explicit(&lock, WANTED, memory_order_acquire) == FREE;
}
