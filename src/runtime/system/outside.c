/* SPDX-License-Identifier: MIT */
/*
 * See outside.h.  A campaign with a deadlock of threads that wait at sockets comes to it again and
 * again, when it is made minimal above all.
 */
#include "runtime/system/outside.h"

#include "base/sys.h"
#include "runtime/ground/about.h"
#include "runtime/ground/stage.h"

#include <linux/sockios.h>

enum { LONG = 200, SHORT = 1, BESIDE_CLIENT = 5 }; /* milliseconds */

/* The kernel may keep what a thread has sent until the other side has said that it got the rest. */
static bool is_under_way(void)
{
    bool open[PL_FDS_MAX];

    pl_about_open(open, PL_FDS_MAX);
    for (int fd = 0; fd < PL_FDS_MAX; fd++) {
        int unsent = 0;

        if (open[fd] && pl_sys(SYS_ioctl, fd, SIOCOUTQNSD, &unsent) == 0 && unsent > 0)
            return true;
    }
    return false;
}

int pl_outside_pause(void)
{
    /* Beside a client nobody else is there, only the kernel, which may take a moment. */
    if (pl_stage->process.client.main != 0)
        return BESIDE_CLIENT;
    return pl_board->outside.silent && !pl_board->outside.answered && !is_under_way() ? SHORT
                                                                                      : LONG;
}

void pl_outside_answered(void)
{
    pl_board->outside.answered = true;
}

void pl_outside_silent(void)
{
    pl_board->outside.silent = true;
}
