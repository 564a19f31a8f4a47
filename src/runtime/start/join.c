/* SPDX-License-Identifier: MIT */
/* See join.h. */
#include "runtime/start/join.h"

#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/company.h"
#include "runtime/core/expiry.h"
#include "runtime/core/observer.h"
#include "runtime/core/sched.h"
#include "runtime/free/free.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/place.h"
#include "runtime/inputs/inputs.h"
#include "runtime/restart/keeper.h"
#include "runtime/restart/own.h"
#include "runtime/sync/thread.h"

#include <signal.h>
#include <sys/prctl.h>

extern void *__libc_stack_end;

static const struct pl_company_ticket *ticket(void)
{
    return &pl_board->company.tickets[pl_stage->process.coming];
}

static void set_thread(pl_tid first)
{
    const struct pl_thread_name *named = &pl_board->threads[first];
    struct pl_thread *t = pl_thread_by_id(first);
    void *tp;

    __asm__("mov %%fs:0, %0" : "=r"(tp));
    *t = (struct pl_thread){
        .id = first,
        .parent = named->parent,
        .state = PL_THREAD_ALIVE,
        .main = true,
        .started = true,
        .name = named->name,
        .joiner = PL_TID_NONE,
        .joined_by = PL_TID_NONE,
        .n_children = ticket()->n_children,
        .mask = ticket()->mask,
        .ordinal = ticket()->ordinal,
        .tp = tp,
        .stack_low = (uint64_t)__libc_stack_end - pl_stage->fibers.default_stack,
        .stack_high = (uint64_t)__libc_stack_end,
    };
    pl_stage->signals.kernel_mask = t->mask;
    pl_stage->current = first;
    pl_stage->n_threads = pl_board->n_threads;
    pl_stage->n_alive = 1;
    pl_stage->n_unjoined = 2; /* somebody is elsewhere, see sync/forked.c */
}

void pl_join_begin(uint32_t number)
{
    PL_ASSERT(number > 0 && number < pl_board->company.n);
    pl_tid first = pl_board->company.processes[number].first;

    pl_stage->process.coming = number;
    pl_stage->process.first = first;
    pl_stage->now = ticket()->now;
    pl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &ticket()->mask, NULL, 8);
    set_thread(first);
    pl_place_image(ticket()->same, ticket()->image);
    pl_board->threads[first].image = pl_stage->modules.image;
    pl_inputs_take(ticket(), first);
    if (ticket()->holds && pl_board->settings.carrier == PL_CARRIER_FREE)
        pl_monitor_give_back();
}

/* Where a schedule is followed and it has not the turn, it waits for that. */
static void take_part(struct pl_thread *t)
{
    pl_stage->context.replaying = pl_strategy_is(pl_stage->strategy, PL_TRAIT_REPLAYS);
    if (pl_free)
        pl_free_joined(t);
    else if (ticket()->holds)
        pl_company_resume();
    else
        pl_company_await();
}

void pl_join_arrive(uint64_t start)
{
    struct pl_thread *t = pl_thread_self();
    uint32_t number = pl_stage->process.coming;

    if (number == 0 || pl_stage->rooted)
        return;
    pl_stage->busy++;
    pl_stage->rooted = pl_stage->restart.runner = true;
    t->ordinal = ticket()->ordinal;
    t->spin.armed = false;
    t->free.os_tid = (int32_t)pl_sys(SYS_gettid);
    pl_stage->fresh_since = 1;
    pl_stage->process.company = true;
    pl_company_begin(number);
    if (!ticket()->holds && !ticket()->starts)
        pl_company_count(1);
    pl_own_joined(ticket()->parent, ticket()->shown);
    pl_keeper_look_at_files();
    pl_expiry_begin();
    pl_observer_choose(true);
    if (pl_board->threads[pl_board->threads[t->id].parent].process == 0 && ticket()->starts)
        pl_sys(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    pl_stage->busy--;
    take_part(t);
    pl_board->threads[t->id].start = pl_place_told(start);
    if (ticket()->starts) {
        t->started = false;
        pl_thread_announce(t, start + 1);
        pl_sched_started();
    }
}
