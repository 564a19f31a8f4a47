/* SPDX-License-Identifier: MIT */
/* See calls_order.h. */
#include "runtime/system/calls_order.h"

#include "base/sys.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"

#include <sys/stat.h>
#include <sys/syscall.h>

/* No address of the program, nor what pl_order_channel() says. */
#define BEYOND (UINT64_C(7) << 61)

/*
 * What carries an order from those who write to those who read: the pipe, or
 * whatever else it is.  Which sockets are connected is not known: all are one.
 * 0 for a file, which orders nothing.
 */
uint64_t pl_order_channel(int fd)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (!pl_stage->feed.on || fd < 0 || pl_fd_is_own(fd) || pl_sys(SYS_fstat, fd, &st) != 0 ||
        S_ISREG(st.st_mode))
        return 0;
    return UINT64_C(3) << 62 | (S_ISSOCK(st.st_mode) ? 0 : st.st_ino << 3);
}

void pl_order_tell(enum pl_sync_kind kind, uint64_t channel)
{
    if (channel != 0)
        pl_feed_object(kind, pl_stage->current, channel, PL_OBJECT_FILE);
}

static uint64_t channel_here(int fd)
{
    return pl_on() && !pl_inside() ? pl_order_channel(fd) : 0;
}

void pl_order_sends(int fd)
{
    pl_order_tell(PL_SYNC_SEND, channel_here(fd));
}

void pl_order_received(int fd)
{
    pl_order_tell(PL_SYNC_RECEIVE, channel_here(fd));
}

static uint64_t channel(struct pl_order o, const struct pl_syscall *c)
{
    struct stat st = {0}; /* so that the kernel may write there */

    if (o.through != PL_ORDER_OBJECT)
        return BEYOND | (uint64_t)o.through << 56 | (c->a[0] & UINT32_MAX) << 3;
    return pl_sys(SYS_fstat, c->a[0], &st) == 0 ? BEYOND | st.st_ino << 3 : 0;
}

static void tell(enum pl_sync_kind kind, struct pl_order o, const struct pl_syscall *c)
{
    if (!pl_stage->feed.on)
        return;
    if (o.through == PL_ORDER_STREAM) {
        pl_order_tell(kind, channel_here((int)c->a[0]));
        return;
    }
    uint64_t addr = channel(o, c);

    if (addr != 0)
        pl_feed_object(kind, pl_stage->current, addr, PL_OBJECT_NONE);
}

void pl_order_before(struct pl_order o, const struct pl_syscall *c)
{
    if ((o.way & PL_ORDER_SENDS) != 0)
        tell(PL_SYNC_SEND, o, c);
}

void pl_order_after(struct pl_order o, const struct pl_syscall *c, long result)
{
    if ((o.way & PL_ORDER_RECEIVES) != 0 && result >= 0)
        tell(PL_SYNC_RECEIVE, o, c);
}
