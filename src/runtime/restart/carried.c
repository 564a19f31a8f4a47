/* SPDX-License-Identifier: MIT */
#include "runtime/restart/carried.h"

#include "base/sys.h"
#include "runtime/ground/arguments.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/unmodelled.h"
#include "runtime/restart/rollback.h"

#include <linux/ioprio.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#ifndef PR_SET_IO_FLUSHER
#define PR_SET_IO_FLUSHER 57
#endif

static bool by_prctl(const uint64_t a[6])
{
    switch (a[0]) {
    case PR_SET_TIMERSLACK:
    case PR_SET_NO_NEW_PRIVS:
    case PR_SET_KEEPCAPS:
    case PR_SET_SECUREBITS:
    case PR_SET_SECCOMP:
    case PR_SET_SPECULATION_CTRL:
    case PR_SET_IO_FLUSHER:
    case PR_CAPBSET_DROP:
    case PR_CAP_AMBIENT:
    case PR_MCE_KILL:
        return true;
    default:
        return false;
    }
}

static bool sets_personality(const uint64_t a[6])
{
    return (uint32_t)a[0] != UINT32_MAX; /* which asks */
}

static bool filters_one(const uint64_t a[6])
{
    return (a[1] & SECCOMP_FILTER_FLAG_TSYNC) == 0;
}

static bool sets_own_priority(const uint64_t a[6])
{
    return a[0] == IOPRIO_WHO_PROCESS && a[1] == 0;
}

static bool sets_own_attributes(const uint64_t a[6])
{
    return a[0] == 0;
}

/* By libc's function they are those of all threads. */
static bool sets_ids(const uint64_t a[6])
{
    return !pl_thread_self()->call.for_all;
}

static bool always(const uint64_t a[6])
{
    return true;
}

/* Whether the call changes something of its OS thread alone. */
static bool changes(long number, const uint64_t a[6])
{
    static const struct {
        bool (*when)(const uint64_t a[6]);
    } rules[PL_CALL_NUMBERS] = {
#define PL_CALL(call, operation, undo, ...) [SYS_##call] = {__VA_ARGS__},
#define CARRIED(function) .when = function,
#include "runtime/ground/calls.def"
    };

    bool (*when)(const uint64_t a[6]) = rules[pl_arguments_row(number)].when;

    return when != NULL && when(a);
}

void pl_carried_call(long number, const uint64_t a[6])
{
    const char *name = pl_arguments_of(number)->name;

    if (!changes(number, a) || pl_board->settings.carrier != PL_CARRIER_FIBER ||
        pl_stage->n_alive < 2 || !pl_stage->rooted || pl_stage->process.number != 0)
        return;
    if (pl_stage->restart.testing || pl_stage->restart.alone) { /* which cannot begin anew */
        pl_unmodelled(name, PL_UNMODELLED_CALL, pl_thread_self()->op.pc);
        return;
    }
    pl_board->own_threads = pl_board->begun;
    pl_rollback_spoil(PL_RESTART_FORK, "a thread changes what the kernel keeps for it alone (%s)",
                      name);
    pl_ports.restart->end(PL_OUTCOME_LOST);
}

void pl_carried_part(void)
{
    if (!pl_board->may_part || pl_stage->restart.testing || pl_stage->restart.alone ||
        pl_stage->process.number != 0)
        return;
    pl_board->parted = true;
    pl_board->parted_in = pl_board->begun;
    if (!pl_stage->rooted)
        pl_sys(SYS_exit_group, 0); /* the tool starts the next process */
    if (pl_rollback_on())
        pl_rollback_spoil(PL_RESTART_ROLLBACK, "an address may be another's");
    pl_ports.restart->end(PL_OUTCOME_LOST);
}

void pl_carried_change(void)
{
    bool threads = pl_board->own_threads != 0 && pl_board->settings.carrier == PL_CARRIER_FIBER;

    if (!threads && !(pl_board->parted && pl_board->may_part))
        return;
    pl_board->phase = PL_PHASE_RUNNING;
    pl_sys(SYS_exit_group, 0); /* the tool starts the next process */
}

void pl_carried_begin(void)
{
    if (pl_board->own_threads != 0 && pl_board->settings.carrier == PL_CARRIER_FIBER)
        pl_board->settings.carrier = PL_CARRIER_THREAD;
}
