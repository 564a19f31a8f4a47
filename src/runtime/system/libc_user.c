/* SPDX-License-Identifier: MIT */
/*
 * Who the process is: its user and groups.
 *
 * The kernel keeps them for each OS thread.  libc lets each thread of its list change its own by a
 * signal, and waits for all of them.  Donors are on that list and answer no signal, and fibers are
 * one OS thread.  So the system call is made once, by the caller: on fibers for all threads, on OS
 * threads that are scheduled others go along when they run next (ground/users.h), and free ones
 * when they come to the monitor, which is before they ask for anything, or ask who they are.
 */
#include "runtime/core/shadow.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/filter.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/users.h"
#include "runtime/system/calls.h"

#include <grp.h>
#include <stdlib.h>
#include <unistd.h>

static long make(const struct pl_syscall *c)
{
    return pl_filter_ask(c->number, c->a);
}

/* Of a free thread: the others are somewhere. */
static long make_among(const struct pl_syscall *c)
{
    pl_monitor_enter(PL_MONITOR_CALL);
    long result = make(c);

    if (result == 0)
        pl_users_changed();
    pl_monitor_leave(PL_MONITOR_CALL);
    return result;
}

/* Known to be shared once a thread has changed its user beside others: only then it matters when
 * somebody asks. */
static uint64_t key(void)
{
    return (uint64_t)&pl_stage->process.users & ~UINT64_C(7);
}

static int change(struct pl_syscall c, const uint64_t *entry)
{
    if (!pl_on() || pl_inside() || !pl_stage->rooted)
        return (int)pl_calls_result(make(&c));
    if (pl_free)
        return (int)pl_calls_result(make_among(&c));
    struct pl_thread *t = pl_thread_self();

    if (pl_stage->n_unjoined > 1)
        pl_shadow_share(key());
    t->call.for_all = true;
    long result = pl_calls_called(c, entry);

    t->call.for_all = false;
    if (result == 0 && pl_board->settings.carrier == PL_CARRIER_THREAD)
        pl_users_changed();
    return (int)pl_calls_result(result);
}

PL_INTERPOSE(int, setuid, (uid_t user))
{
    return change(PL_SYSCALL(SYS_setuid, user), pl_entry());
}

PL_INTERPOSE(int, setgid, (gid_t group))
{
    return change(PL_SYSCALL(SYS_setgid, group), pl_entry());
}

PL_INTERPOSE(int, setreuid, (uid_t real, uid_t effective))
{
    return change(PL_SYSCALL(SYS_setreuid, real, effective), pl_entry());
}

PL_INTERPOSE(int, setregid, (gid_t real, gid_t effective))
{
    return change(PL_SYSCALL(SYS_setregid, real, effective), pl_entry());
}

PL_INTERPOSE(int, setresuid, (uid_t real, uid_t effective, uid_t saved))
{
    return change(PL_SYSCALL(SYS_setresuid, real, effective, saved), pl_entry());
}

PL_INTERPOSE(int, setresgid, (gid_t real, gid_t effective, gid_t saved))
{
    return change(PL_SYSCALL(SYS_setresgid, real, effective, saved), pl_entry());
}

PL_INTERPOSE(int, seteuid, (uid_t effective))
{
    return change(PL_SYSCALL(SYS_setresuid, (uid_t)-1, effective, (uid_t)-1), pl_entry());
}

PL_INTERPOSE(int, setegid, (gid_t effective))
{
    return change(PL_SYSCALL(SYS_setresgid, (gid_t)-1, effective, (gid_t)-1), pl_entry());
}

PL_INTERPOSE(int, setgroups, (size_t n, const gid_t *groups))
{
    return change(PL_SYSCALL(SYS_setgroups, n, (uint64_t)groups), pl_entry());
}

/* libc's own calls its own setgroups(). */
PL_INTERPOSE(int, initgroups, (const char *user, gid_t group))
{
    const uint64_t *entry = pl_entry();
    int n = 1 << 16; /* the most that the kernel takes */
    gid_t *groups = malloc((size_t)n * sizeof(*groups));
    int rc = -1;

    if (groups == NULL)
        return -1;
    if (getgrouplist(user, group, groups, &n) >= 0)
        rc = change(PL_SYSCALL(SYS_setgroups, (uint64_t)n, (uint64_t)groups), entry);
    free(groups);
    return rc;
}

/* ---- who it is ---- */

static long ask(long number, const uint64_t *entry)
{
    const struct pl_syscall c = {.number = number};

    if (!pl_free && pl_on() && !pl_inside() && pl_stage->rooted && pl_shadow_known(key()))
        return pl_calls_called(c, entry);
    if (pl_free && pl_on() && !pl_inside() && !pl_users_are_followed()) {
        pl_monitor_enter(PL_MONITOR_CALL);
        pl_monitor_leave(PL_MONITOR_CALL);
    }
    return pl_filter_ask(number, (const uint64_t[6]){0});
}

PL_INTERPOSE(uid_t, getuid, (void))
{
    return (uid_t)ask(SYS_getuid, pl_entry());
}

PL_INTERPOSE(uid_t, geteuid, (void))
{
    return (uid_t)ask(SYS_geteuid, pl_entry());
}

PL_INTERPOSE(gid_t, getgid, (void))
{
    return (gid_t)ask(SYS_getgid, pl_entry());
}

PL_INTERPOSE(gid_t, getegid, (void))
{
    return (gid_t)ask(SYS_getegid, pl_entry());
}
