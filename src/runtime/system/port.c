/* SPDX-License-Identifier: MIT */
/*
 * What lower rooms ask of this one: ground/ports.h says what each function is for.  It stands above
 * all other files of the room, none of which calls it.
 */
#include "runtime/ground/ports.h"

#include "base/sys.h"
#include "runtime/ground/place.h"
#include "runtime/system/calls.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_away.h"
#include "runtime/system/children.h"
#include "runtime/system/deadly.h"
#include "runtime/system/file_times.h"
#include "runtime/system/io.h"
#include "runtime/system/late.h"
#include "runtime/system/libc_process.h"
#include "runtime/system/libc_signal.h"
#include "runtime/system/others.h"
#include "runtime/system/processes.h"
#include "runtime/system/room.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/signal_outside.h"
#include "runtime/system/timerfd.h"
#include "runtime/system/tsc.h"
#include "runtime/system/unlisted.h"

#include <stdlib.h>

/* Threads go round for nothing, and time is virtual: a process of the program needs real time. */
static bool wait_child(void)
{
    const struct timespec step = {.tv_nsec = 1000000};

    if (!pl_processes_run())
        return false;
    pl_timerfd_beside();
    pl_sys(SYS_nanosleep, &step, NULL);
    return true;
}

/* Where threads were free a timer behind a descriptor is the kernel's, in replays of that as well.
 */
static bool is_at_timer(const struct pl_thread *t)
{
    struct itimerspec left = {0}; /* so that the kernel may write there */

    return t->call.now != NULL && t->call.waits && pl_board->settings.starts_chosen &&
           pl_sys(SYS_timerfd_gettime, pl_ask_fd(t->call.now), &left) == 0 &&
           (left.it_value.tv_sec != 0 || left.it_value.tv_nsec != 0);
}

static bool wait_beside(const struct pl_thread *t, bool signalled)
{
    const struct timespec step = {.tv_nsec = 1000000};

    if (!signalled && !is_at_timer(t))
        return wait_child();
    pl_sys(SYS_nanosleep, &step, NULL);
    return true;
}

static void note_call(long number, const uint64_t a[6], long result)
{
    pl_files_made(number, a, result);
    pl_children_called(number, a, result);
    pl_file_times_made(number, a, result);
}

static void rooted(void)
{
    pl_files_root();
    pl_file_times_root();
}

static void watch_time(void)
{
    pl_late_begin();
    pl_tsc_begin();
}

static void attach_module(const struct dl_phdr_info *info)
{
    pl_unlisted_attach(info);
    pl_tsc_attach(info);
}

static void attached(uint64_t inside)
{
    pl_place_ask_loader(inside, attach_module);
}

const struct pl_process_port pl_process_port = {
    .exit = pl_process_exit,
    .abort = abort,
    .interrupt = pl_signal_interrupt,
    .cancelled = pl_signal_cancelled,
    .deliver = pl_signal_deliver,
    .jumps = pl_signal_jumps,
    .take_in = pl_signal_take_in,
    .arrived = pl_signal_arrived,
    .ended = pl_signal_thread_ended,
    .has_child = pl_processes_run,
    .wait_child = wait_child,
    .wait_beside = wait_beside,
    .wait_io = pl_io_wait,
    .shares = pl_others_share,
    .hope = pl_others_hope,
    .room = pl_room_for,
    .taken = pl_room_taken,
    .watch_time = watch_time,
    .deadly = pl_deadly_signal,
    .rooted = rooted,
    .hears = pl_others_hear,
    .rest = pl_processes_rest,
    .calls = pl_calls_wanted,
    .call = pl_calls_trapped,
    .make = pl_away_make,
    .made = note_call,
    .attached = attached,
};
