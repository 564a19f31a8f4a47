/* SPDX-License-Identifier: MIT */
/* See requests.h. */
#include "runtime/system/requests.h"

#include "base/assert.h"
#include "base/sys.h"
#include "model/gate.h"
#include "runtime/core/clock.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/monitor.h"
#include "runtime/observe/feed.h"
#include "runtime/restart/own.h"
#include "runtime/sync/thread.h"
#include "runtime/system/libc_futex.h"
#include "runtime/system/libc_signal.h"

#include <errno.h>
#include <stdatomic.h>

extern struct pl_gate plait_runtime_gate;

bool pl_requests_begin(struct pl_thread **t, struct pl_call *who)
{
    const uint64_t *entry = pl_entry();

    if (!pl_on() || !pl_begin(t, &who->pc))
        return false;
    who->entry = entry;
    pl_ports.restart->root();
    return true;
}

/* ---- words ---- */

static void announce(const void *word, unsigned kind, int order, struct pl_call who)
{
    pl_entry_now = who.entry;
    plait_runtime_gate.atomic_before(word, sizeof(int), kind, order, NULL, (void *)who.pc);
}

int pl_requests_look(const int *word, struct pl_call who)
{
    announce(word, PL_ATOMIC_LOAD, __ATOMIC_ACQUIRE, who);
    int value = *(const volatile int *)word;

    plait_runtime_gate.atomic_after(word, sizeof(int), PL_ATOMIC_LOAD, false);
    pl_entry_now = who.entry;
    return value;
}

void pl_requests_set(int *word, int value, struct pl_call who)
{
    announce(word, PL_ATOMIC_STORE, __ATOMIC_RELEASE, who);
    *word = value;
    plait_runtime_gate.atomic_after(word, sizeof(int), PL_ATOMIC_STORE, true);
    pl_entry_now = who.entry;
}

/* Detectors are told of what was done to a word besides. */
static void tell(const int *word, unsigned kind, int order, uint64_t pc)
{
    if (pl_stage->feed.on)
        pl_feed_atomic((uint64_t)word, sizeof(*word), kind, kind == PL_ATOMIC_STORE,
                       (uint32_t)order, pc);
}

/* Who waits for one of several is woken by another word. */
void pl_requests_over(int *word, int value, struct pl_call who)
{
    uint32_t *over = &pl_stage->process.requests.n_over;

    pl_thread_self()->entry = who.entry;
    tell(word, PL_ATOMIC_STORE, __ATOMIC_RELEASE, who.pc);
    pl_futex_update((uint32_t *)word, (uint32_t)value, who.pc);
    if (pl_futex_is_used(over))
        pl_futex_update(over, *over + 1, who.pc);
    else
        ++*over;
}

/* ---- waiting ---- */

bool pl_requests_deadline(const struct timespec *timeout, uint64_t *deadline)
{
    *deadline = PL_NEVER;
    if (timeout == NULL)
        return true;
    if (timeout->tv_sec < 0 || timeout->tv_nsec < 0 || timeout->tv_nsec >= 1000000000)
        return false;
    *deadline = pl_clock_now() + pl_clock_ns(timeout);
    return true;
}

static enum pl_way ended(enum pl_way way)
{
    if (way == PL_WAY_CANCEL)
        pl_cancel_act();
    return way;
}

enum pl_way pl_requests_wait_one(const int *word, int while_it_is, uint64_t deadline,
                                 struct pl_call who)
{
    enum pl_way way = pl_futex_await((uint32_t *)word, (uint32_t)while_it_is, deadline, who.pc);

    if (way == PL_WAY_NORMAL)
        tell(word, PL_ATOMIC_LOAD, __ATOMIC_ACQUIRE, who.pc);
    return ended(way);
}

/* One of them is over, or there is none to wait for. */
static bool is_any_over(const struct pl_request_list *list, struct pl_call who)
{
    bool any = false;

    for (int i = 0; i < list->n; i++) {
        const char *request = list->at[i];

        if (request != NULL &&
            pl_requests_look((const int *)(request + list->word), who) != list->going_on)
            return true;
        any |= request != NULL;
    }
    return !any;
}

enum pl_way pl_requests_wait(const struct pl_request_list *list, uint64_t deadline,
                             struct pl_call who)
{
    uint32_t *over = &pl_stage->process.requests.n_over;
    enum pl_way way = PL_WAY_NORMAL;

    while (way == PL_WAY_NORMAL) {
        uint32_t before = (uint32_t)pl_requests_look((const int *)over, who);

        if (is_any_over(list, who))
            return PL_WAY_NORMAL;
        way = pl_futex_await(over, before, deadline, who.pc);
    }
    return ended(way);
}

/* ---- threads ---- */

void pl_requests_go_in(void)
{
    if (pl_free)
        pl_monitor_enter(PL_MONITOR_CALL);
}

void pl_requests_go_out(void)
{
    if (pl_free)
        pl_monitor_leave(PL_MONITOR_CALL);
}

int pl_requests_start(void *(*body)(void *), void *arg, uint64_t pc)
{
    pthread_t handle;
    int rc = pl_thread_create_detached(&handle, body, arg, pc);

    if (rc == 0)
        pl_thread_of(handle)->mask = UINT64_MAX;
    return rc;
}

static void *call(void *arg)
{
    struct sigevent event = *(const struct sigevent *)arg;

    pl_requests_go_in();
    pl_heap_free(arg, pl_thread_self()->op.pc);
    pl_thread_self()->mask = 0; /* as in libc */
    pl_requests_go_out();
    event.sigev_notify_function(event.sigev_value);
    return NULL;
}

void pl_requests_notify(const struct sigevent *event, int code, uint64_t pc)
{
    siginfo_t info = {.si_signo = event->sigev_signo, .si_code = code};

    if (event->sigev_notify == SIGEV_THREAD) {
        struct sigevent *copy = pl_heap_allocate(sizeof(*copy), 16, pc);
        pthread_t handle;

        if (copy == NULL)
            return;
        *copy = *event;
        if (pl_thread_create_detached(&handle, call, copy, pc) != 0)
            pl_heap_free(copy, pc);
    }
    if (event->sigev_notify != SIGEV_SIGNAL || event->sigev_signo < 1 ||
        event->sigev_signo > PL_SIGNALS)
        return;
    info.si_pid = pl_own_process();
    info.si_uid = (uid_t)pl_sys(SYS_getuid);
    info.si_value = event->sigev_value;
    pl_signal_send(NULL, &info, pc);
}

/* ---- groups ---- */

struct pl_request_group {
    int left;
    struct sigevent event;
};

struct pl_request_group *pl_requests_group(const struct sigevent *event, unsigned n, uint64_t pc)
{
    struct pl_request_group *group = event != NULL && event->sigev_notify != SIGEV_NONE
                                         ? pl_heap_allocate(sizeof(*group), 16, pc)
                                         : NULL;

    if (group != NULL)
        *group = (struct pl_request_group){.left = (int)n + 1, .event = *event};
    return group;
}

void pl_requests_leave(struct pl_request_group *group, int code, struct pl_call who)
{
    if (group == NULL)
        return;
    PL_ASSERT(group->left > 0);
    announce(&group->left, PL_ATOMIC_SUB, __ATOMIC_ACQ_REL, who);
    bool last = --group->left == 0;

    plait_runtime_gate.atomic_after(&group->left, sizeof(group->left), PL_ATOMIC_SUB, true);
    pl_entry_now = who.entry;
    if (!last)
        return;
    pl_requests_notify(&group->event, code, who.pc);
    pl_heap_free(group, who.pc);
}
