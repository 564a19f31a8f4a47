/* SPDX-License-Identifier: MIT */
/* See config.h. */
#include "runtime/ground/config.h"

#include "base/assert.h"
#include "base/sys.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/resource.h>

static int base;
static bool used[PL_FD_OWN]; /* of those that were put aside, and of those that are given */

void pl_fd_begin(int first)
{
    PL_ASSERT(first > 0 && (base == 0 || base == first));
    base = first;
    /* Where there is no client, its number is the program's. */
    for (int which = 0; which < PL_FD_ASIDE; which++)
        used[which] = which != PL_FD_CLIENT || pl_sys(SYS_fcntl, pl_fd(which), F_GETFD) >= 0;
}

int pl_fd(enum pl_fd which)
{
    PL_ASSERT(base > 0 && which < PL_FD_OWN);
    return base + (int)which;
}

bool pl_fd_is_own(long fd)
{
    return base > 0 && fd >= base && fd < base + PL_FD_OWN && used[fd - base];
}

/* Make the call with the limit raised, for a number above the program's; or it is made as it is. */
static long with_room(long number, long fd, long second, long third)
{
    struct rlimit before = {0}, raised; /* so that the kernel may write there */
    bool below = pl_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &before) == 0 &&
                 before.rlim_cur < (rlim_t)base + PL_FD_OWN;

    PL_ASSERT(base > 0);
    raised = before;
    raised.rlim_cur = (rlim_t)base + PL_FD_OWN;
    if (raised.rlim_max < raised.rlim_cur)
        raised.rlim_max = raised.rlim_cur; /* which takes privileges */
    below = below && pl_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, &raised, NULL) == 0;
    long result = pl_sys(number, fd, second, third);

    if (below)
        pl_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, &before, NULL);
    return result;
}

void pl_fd_place(long fd, enum pl_fd which)
{
    with_room(SYS_dup3, fd, pl_fd(which), 0);
    used[which] = true;
}

long pl_fd_aside(long fd)
{
    long got = with_room(SYS_fcntl, fd, F_DUPFD_CLOEXEC, base + PL_FD_ASIDE);

    if (got >= base + PL_FD_OWN) { /* all of them are in use */
        pl_sys(SYS_close, got);
        return -EMFILE;
    }
    if (got >= 0)
        used[got - base] = true;
    return got;
}

void pl_fd_close(long aside)
{
    if (aside >= base && aside < base + PL_FD_OWN)
        used[aside - base] = false;
    pl_sys(SYS_close, aside);
}

long pl_fd_close_range(unsigned first, unsigned last, unsigned flags)
{
    long rc = first > last ? -EINVAL : 0;

    for (unsigned own = (unsigned)base; rc == 0 && own < (unsigned)base + PL_FD_OWN; own++) {
        if (own < first || own > last || !pl_fd_is_own((int)own))
            continue;
        if (first < own)
            rc = pl_sys(SYS_close_range, first, own - 1, flags);
        first = own + 1;
        if (own == last)
            return rc;
    }
    return rc == 0 ? pl_sys(SYS_close_range, first, last, flags) : rc;
}
