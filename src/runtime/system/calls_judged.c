/* SPDX-License-Identifier: MIT */
/* See calls_judged.h. */
#include "runtime/system/calls_judged.h"

#include "base/sys.h"
#include "runtime/core/spin.h"
#include "runtime/ground/stage.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/calls_rows.h"

#include <errno.h>
#include <unistd.h>

long pl_judged_position(const struct pl_syscall *c)
{
    return c->number == SYS_lseek && pl_thread_self()->spin.unjudged
               ? pl_sys(SYS_lseek, c->a[0], 0, SEEK_CUR)
               : -1;
}

/* Whether it is over without a change.  Some that fail have begun something, or taken an error. */
static bool is_for_nothing(const struct pl_syscall *c, long result, long position)
{
    if (c->number == SYS_lseek && result == position)
        return true;
    switch (result) {
    case -EINTR:
    case -EINPROGRESS:
    case -EALREADY:
    case -EPIPE:
    case -ECONNRESET:
    case -ECONNABORTED:
    case -EIO:
        return false;
    case 0: /* nothing was there */
        return c->number == SYS_read || c->number == SYS_readv || c->number == SYS_getdents64;
    default:
        return result < 0;
    }
}

/* Whether this is a matter of the loop that the thread goes round, which has opened the file. */
static bool is_of_round(const struct pl_thread *t, uint64_t resource, unsigned effect)
{
    return effect <= PL_EFFECT_READ || resource == pl_plan_only(R_TABLE) ||
           pl_spin_has_opened(t, resource);
}

void pl_judged(const struct pl_syscall *c, bool opens, long result, long position)
{
    struct pl_thread *t = pl_thread_self();
    const struct pl_operation *op = &t->op;

    if (!t->spin.unjudged)
        return;
    bool own = is_of_round(t, op->addr, op->effect) && is_of_round(t, op->other, op->other_effect);

    if (own && opens && result >= 0)
        own = pl_spin_open(t, pl_files_open((int)result));
    else if (own && c->number == SYS_close && pl_spin_has_opened(t, op->other))
        pl_spin_close(t, op->other);
    else if (op->addr == pl_plan_only(R_TABLE))
        own = false;
    pl_spin_judge(t, is_for_nothing(c, result, position) ? PL_SPIN_UNCHANGED
                     : own                               ? PL_SPIN_OWN
                                                         : PL_SPIN_CHANGED);
}
