/* SPDX-License-Identifier: MIT */
/*
 * Children: fork(), and what starts another program.
 *
 * A child has a copy of everything, so that its making depends on all that others do: it is an
 * operation (PL_ROLE_COPIES).  The program's atfork handlers are its own code and run under
 * control, where they wait for locks as usual; only between the last of them and the first one
 * afterwards is the runtime at work.  So what it has to do then is an atfork handler itself,
 * registered before all others: those run in reverse before the fork, and in order after it.
 *
 * A child is on its own: one thread, no control.  Of the board it touches only what says that it
 * has created others.
 */
#include "runtime/system/libc_fork.h"

#include "runtime/sync/thread.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_kept.h"
#include "runtime/system/functions.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/tsc.h"

#include "base/sys.h"
#include "base/text.h"
#include "runtime/access/access.h"
#include "runtime/core/class.h"
#include "runtime/core/sched.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/own.h"
#include "runtime/restart/rollback.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static bool prepared; /* by the thread that forks; nobody else runs meanwhile */

static void prepare(void)
{
    if (!pl_on() || pl_inside())
        return;
    pl_enter();
    pl_heap_lock();
    prepared = true;
}

static bool release(void)
{
    if (!prepared)
        return false;
    prepared = false;
    pl_heap_unlock();
    pl_leave();
    return true;
}

static void go_on(void)
{
    if (release())
        pl_ports.restart->watch_again();
}

static void begin_child(void)
{
    if (!release())
        return;
    pl_sys(SYS_prctl, PR_SET_PDEATHSIG, SIGKILL);
    pl_active = false;
    pl_stage->process.child = true;
    pl_own_forked();
    pl_kept_forked();
    pl_signal_handle_forked();
}

void pl_fork_init(void)
{
    if (pl_active && !pl_native)
        pl_real.__register_atfork(prepare, go_on, begin_child, NULL);
}

/* A number of ours for what has one of the program's. */
static long move_up(long fd, int how)
{
    long up = fd < 0 ? fd : pl_sys(SYS_fcntl, fd, how, PL_FD_BELL + 1);

    if (fd >= 0)
        pl_sys(SYS_close, fd);
    return up;
}

/*
 * What the next child gets, and all that come from it, unless they close it: as long as one of
 * them is there, the pipe has not come to its end.
 */
static long hold_leash(void)
{
    char path[40];
    int ends[2] = {-1, -1};

    if (pl_stage->process.leash > 0) {
        pl_text_format(path, sizeof(path), "/proc/self/fd/%d", (int)pl_stage->process.leash);
        return move_up(pl_sys(SYS_open, path, O_WRONLY), F_DUPFD);
    }
    if (pl_sys(SYS_pipe2, ends, 0) != 0)
        return -1;
    long kept = move_up(ends[0], F_DUPFD_CLOEXEC);

    pl_stage->process.leash = kept > 0 ? (int32_t)kept : 0;
    return move_up(ends[1], F_DUPFD);
}

/* The running thread makes a child, as it finds everything now; `leash` is what that gets, or NULL.
 */
static void make_child(struct pl_thread *t, uint64_t pc, long *leash)
{
    pl_ports.restart->root();
    pl_sched_point(PL_OP_FORK, NULL, 0, 0, pc);
    pl_class_note(t, pl_board->class_hash);
    pl_stage->process.forked = true;
    pl_board->processes++;
    pl_rollback_share();
    pl_tsc_end();
    if (leash != NULL)
        *leash = hold_leash();
    if (pl_free)
        pl_monitor_open(); /* handlers are the program's own code, and the others go on */
}

PL_INTERPOSE(pid_t, fork, (void))
{
    const uint64_t *entry = pl_entry();
    struct pl_thread *t;
    uint64_t pc;
    long leash = -1;

    if (pl_begin(&t, &pc)) {
        pl_access_look(&pl_stage->process.library[PL_STATE_FORKS], pc, entry); /* its handlers */
        make_child(t, pc, &leash);
    }
    pid_t pid = pl_real.fork();

    if (pid != 0 && leash >= 0)
        pl_sys(SYS_close, leash);
    if (pid > 0 && pl_on())
        pl_ask_rest();
    return pid;
}

PL_EXPOSE(pid_t, vfork, (void))
{
    return fork();
}

PL_INTERPOSE(int, posix_spawn,
             (pid_t * pid, const char *path, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attr, char *const argv[], char *const envp[]))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc))
        make_child(t, pc, NULL);
    int rc = PL_FALLBACK(posix_spawn)(pid, path, actions, attr, argv, envp);

    if (pl_on())
        pl_ask_rest();
    return rc;
}

PL_INTERPOSE(int, posix_spawnp,
             (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
              const posix_spawnattr_t *attr, char *const argv[], char *const envp[]))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc))
        make_child(t, pc, NULL);
    int rc = PL_FALLBACK(posix_spawnp)(pid, file, actions, attr, argv, envp);

    if (pl_on())
        pl_ask_rest();
    return rc;
}

PL_INTERPOSE(int, system, (const char *command))
{
    struct pl_call who = PL_CALL_ENTERED;
    struct pl_thread *t;
    uint64_t pc;

    if (pl_call_wanted(who))
        pl_call_touches(command, pl_call_text_size(command), false, who);
    if (pl_begin(&t, &pc) && command != NULL) {
        pl_cancel_check(pc);
        make_child(t, pc, NULL);
    }
    return PL_FALLBACK(system)(command);
}

PL_INTERPOSE(FILE *, popen, (const char *command, const char *type))
{
    struct pl_thread *t;
    uint64_t pc;

    if (pl_begin(&t, &pc))
        make_child(t, pc, NULL);
    return PL_FALLBACK(popen)(command, type);
}
