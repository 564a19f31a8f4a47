/* SPDX-License-Identifier: MIT */
/*
 * Who the process is: its user and groups.
 *
 * The kernel keeps them for each OS thread.  libc lets each thread of its list change its own by a
 * signal, and waits for all of them.  Donors are on that list and answer no signal, and fibers are
 * one OS thread.  So the system call is made once, by the caller: on fibers for all threads, on OS
 * threads that are scheduled others go along when they run next (ground/users.h), and free ones
 * stay who they were.
 */
#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/users.h"
#include "runtime/system/calls.h"

#include <grp.h>
#include <stdlib.h>
#include <unistd.h>

static int change(struct pl_syscall c, const uint64_t *entry)
{
    if (!pl_on() || pl_free || pl_inside() || !pl_stage->rooted)
        return (int)pl_calls_result(pl_sys(c.number, c.a[0], c.a[1], c.a[2]));
    struct pl_thread *t = pl_thread_self();

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
