/* SPDX-License-Identifier: MIT */
/* See calls_order.h. */
#include "runtime/system/calls_order.h"

#include "base/sys.h"
#include "runtime/ground/stage.h"
#include "runtime/observe/feed.h"
#include "runtime/system/libc_io.h"

#include <sys/stat.h>
#include <sys/syscall.h>

/* No address of the program, nor one that libc_io.c uses. */
#define BEYOND (UINT64_C(7) << 61)

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
        (kind == PL_SYNC_SEND ? pl_io_sends : pl_io_received)((int)c->a[0]);
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
