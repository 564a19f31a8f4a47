/* SPDX-License-Identifier: MIT */
/*
 * Changing users and groups of the process.
 *
 * libc does that by a signal to each thread that it knows, and waits until all have changed theirs.
 * Threads that are scheduled would never answer, and fibers are none to it.  So the call is made
 * here, an operation like any other; see ground/users.h for who goes along.  Free threads change
 * each its own: not all of those that libc knows would answer.
 */
#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/real.h"
#include "runtime/ground/slot.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/users.h"
#include "runtime/system/calls.h"

#include <grp.h>
#include <unistd.h>

static bool is_modelled(void)
{
    return pl_on() && !pl_inside() && pl_stage->rooted;
}

static int change(struct pl_syscall c, uint64_t pc)
{
    const uint64_t entry[8] = {0, 0, 0, 0, 0, 0, pc, (uint64_t)__builtin_frame_address(0)};

    if (pl_free)
        return (int)pl_calls_result(pl_sys(c.number, c.a[0], c.a[1], c.a[2]));
    long result = pl_calls_trapped(c.number, c.a, entry);

    if (result == 0 && pl_board->settings.carrier == PL_CARRIER_THREAD)
        pl_users_changed();
    return (int)pl_calls_result(result);
}

#define CHANGES_ONE(name, call)                               \
    PL_EXPOSE(int, name, (unsigned id))                       \
    {                                                         \
        if (!is_modelled())                                   \
            return PL_FALLBACK(name)(id);                     \
        return change(PL_SYSCALL(SYS_##call, id), PL_CALLER); \
    }

#define CHANGES_EFFECTIVE(name, call)                                                 \
    PL_EXPOSE(int, name, (unsigned id))                                               \
    {                                                                                 \
        if (!is_modelled())                                                           \
            return PL_FALLBACK(name)(id);                                             \
        return change(PL_SYSCALL(SYS_##call, UINT32_MAX, id, UINT32_MAX), PL_CALLER); \
    }

#define CHANGES_TWO(name, call)                                            \
    PL_EXPOSE(int, name, (unsigned real, unsigned effective))              \
    {                                                                      \
        if (!is_modelled())                                                \
            return PL_FALLBACK(name)(real, effective);                     \
        return change(PL_SYSCALL(SYS_##call, real, effective), PL_CALLER); \
    }

#define CHANGES_THREE(name, call)                                                 \
    PL_EXPOSE(int, name, (unsigned real, unsigned effective, unsigned saved))     \
    {                                                                             \
        if (!is_modelled())                                                       \
            return PL_FALLBACK(name)(real, effective, saved);                     \
        return change(PL_SYSCALL(SYS_##call, real, effective, saved), PL_CALLER); \
    }

CHANGES_ONE(setuid, setuid)
CHANGES_ONE(setgid, setgid)
CHANGES_EFFECTIVE(seteuid, setresuid)
CHANGES_EFFECTIVE(setegid, setresgid)
CHANGES_TWO(setreuid, setreuid)
CHANGES_TWO(setregid, setregid)
CHANGES_THREE(setresuid, setresuid)
CHANGES_THREE(setresgid, setresgid)

PL_EXPOSE(int, setgroups, (size_t n, const gid_t *groups))
{
    if (!is_modelled())
        return PL_FALLBACK(setgroups)(n, groups);
    return change(PL_SYSCALL(SYS_setgroups, n, (uint64_t)groups), PL_CALLER);
}

/* libc would go on to its own setgroups(). */
PL_EXPOSE(int, initgroups, (const char *user, gid_t group))
{
    enum { MOST = 512 };
    gid_t groups[MOST];
    int n = MOST;

    if (!is_modelled())
        return PL_FALLBACK(initgroups)(user, group);
    if (PL_FALLBACK(getgrouplist)(user, group, groups, &n) < 0)
        n = MOST; /* as many as there is room for */
    return change(PL_SYSCALL(SYS_setgroups, (uint64_t)n, (uint64_t)groups), PL_CALLER);
}
