/* SPDX-License-Identifier: MIT */
/* See monitor.h. */
#include "runtime/ground/monitor.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/ground/alive.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/users.h"

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>

enum { SPINS = 200 };
enum { FREE, TAKEN, WANTED }; /* states of the lock; WANTED: taken, and somebody waits */

bool pl_free;
_Thread_local struct pl_thread *pl_free_self __attribute__((tls_model("initial-exec")));
_Thread_local bool pl_free_borrows __attribute__((tls_model("initial-exec")));
_Thread_local const uint64_t *pl_monitor_entry __attribute__((tls_model("initial-exec")));

static _Atomic uint32_t own_lock, own_stopped;

/* The process's own, until it shares the monitor with others. */
static _Atomic uint32_t *_Atomic lock = &own_lock;
static _Atomic uint32_t *stopped =
    &own_stopped;           /* id of the thread that ends the execution, plus 1 */
static _Atomic bool ending; /* of this process, which is not the last */

void pl_monitor_sleep_for_ever(void)
{
    for (;;)
        pl_sys(SYS_pause);
}

static bool is_shared(const _Atomic uint32_t *l)
{
    return l != &own_lock;
}

/* A process that was killed gives nothing back. */
static bool is_abandoned(void)
{
    int32_t holder = pl_board->company.holder;

    return !pl_alive(holder) && holder == pl_board->company.holder;
}

static void wait_for_lock(_Atomic uint32_t *l)
{
    const struct timespec patience = {.tv_nsec = 100000000};

    if (!is_shared(l))
        pl_sys(SYS_futex, l, FUTEX_WAIT_PRIVATE, WANTED, 0, 0, 0);
    else if (pl_sys(SYS_futex, l, FUTEX_WAIT, WANTED, &patience, 0, 0) == -ETIMEDOUT &&
             is_abandoned())
        atomic_compare_exchange_strong(l, &(uint32_t){WANTED}, FREE);
}

static void acquire_this(_Atomic uint32_t *l)
{
    uint32_t expected = FREE;

    for (int i = 0; i < SPINS; i++) {
        expected = FREE;
        if (atomic_compare_exchange_weak_explicit(l, &expected, TAKEN, memory_order_acquire,
                                                  memory_order_relaxed))
            return;
        __builtin_ia32_pause();
    }
    while (atomic_exchange_explicit(l, WANTED, memory_order_acquire) != FREE)
        wait_for_lock(l);
}

static void let_this_go(_Atomic uint32_t *l)
{
    uint32_t was = atomic_exchange_explicit(l, FREE, memory_order_release);

    PL_ASSERT(was != FREE);
    if (was == WANTED)
        pl_sys(SYS_futex, l, is_shared(l) ? FUTEX_WAKE : FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

void pl_monitor_await_end(void)
{
    enum { STEPS = 40000 };
    const struct timespec step = {.tv_nsec = 50000};
    int32_t pid = pl_board->company.leaving;

    if (pid == 0 || pid == pl_stage->process.pid)
        return;
    for (unsigned i = 0; i < STEPS && pl_alive(pid); i++)
        pl_sys(SYS_nanosleep, &step, NULL);
    pl_board->company.leaving = 0;
}

/* Meanwhile it may have become that of several processes. */
static void acquire(void)
{
    _Atomic uint32_t *l = lock;

    for (acquire_this(l); l != lock; acquire_this(l)) {
        let_this_go(l);
        l = lock;
    }
    if (is_shared(l)) {
        pl_board->company.holder = pl_stage->process.pid;
        pl_monitor_await_end();
    }
}

static void let_go(void)
{
    let_this_go(lock);
}

void pl_monitor_share(void)
{
    _Atomic uint32_t *before = lock;

    PL_ASSERT(pl_monitor_holds() && !is_shared(before));
    pl_board->company.lock = TAKEN;
    pl_board->company.stopped = own_stopped;
    pl_board->company.holder = pl_stage->process.pid;
    stopped = &pl_board->company.stopped;
    lock = &pl_board->company.lock;
    let_this_go(before);
}

void pl_monitor_forked(struct pl_thread *t)
{
    PL_ASSERT(is_shared(lock));
    t->free.monitor = NULL; /* the one that forked has it */
}

void pl_monitor_join(void)
{
    PL_ASSERT(!pl_monitor_holds() && !is_shared(lock) && own_lock == FREE);
    stopped = &pl_board->company.stopped;
    lock = &pl_board->company.lock;
}

void pl_monitor_give_back(void)
{
    let_this_go(&pl_board->company.lock);
}

void pl_monitor_end_process(void)
{
    ending = true;
}

static void come_in(struct pl_thread *t)
{
    acquire();
    if ((*stopped != 0 && *stopped != t->id + 1u) || ending) {
        let_go();
        pl_monitor_sleep_for_ever();
    }
    PL_ASSERT(t->id < pl_stage->n_threads && *lock != 0);
    pl_stage->current = t->id;
    pl_users_follow();
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

    if (*stopped != 0 && *stopped == t->id + 1u)
        return false;
    if (!atomic_compare_exchange_strong(stopped, &expected, t->id + 1u))
        pl_monitor_sleep_for_ever();
    return true;
}

bool pl_monitor_seize(void)
{
    return atomic_exchange_explicit(lock, WANTED, memory_order_acquire) == FREE;
}
