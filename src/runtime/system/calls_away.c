/* SPDX-License-Identifier: MIT */
/*
 * See calls_away.h.
 *
 * A call that a deputy makes has two operations: the one that begins it, which is that of the call,
 * and the one by which its thread goes on when it is over.  What the call waits for is not known,
 * so the second one depends on everything.  A call that does not wait has only the first.
 */
#include "runtime/system/calls_away.h"

#include "base/sys.h"
#include "model/depend.h"
#include "runtime/ground/config.h"
#include "runtime/ground/filter.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/system/calls_ask.h"
#include "runtime/system/calls_plan.h"
#include "runtime/system/deputy.h"

#include <errno.h>

/* Others go on until the call of t is over. */
static long wait_for(struct pl_thread *t, long number, uint64_t pc)
{
    const struct pl_plan over = {
        .first = PL_DEPEND_FILES, .first_effect = PL_EFFECT_WRITE, .wait = PL_ASK_OVER};
    struct pl_syscall nothing = {SYS_restart_syscall, {(uint64_t)-1}};

    t->call.beside = true;
    /* Neither what the kernel does meanwhile nor the OS thread that it does it for is memory. */
    pl_ports.restart->spoil(PL_RESTART_FORK, "it makes a system call that others run beside");
    if (pl_calls_come(&nothing, &over, t->call.cancellable, pc) == -EINTR)
        return pl_deputy_interrupt(t);
    if (!pl_deputy_was_released(t))
        pl_calls_unmodelled(number, pc);
    return pl_deputy_end(t);
}

long pl_away_make(long number, const uint64_t a[6])
{
    struct pl_thread *t = pl_active && pl_stage->rooted && !pl_free ? pl_thread_self() : NULL;
    struct pl_syscall c = {number, {a[0], a[1], a[2], a[3], a[4], a[5]}};

    if (t != NULL)
        t->call.beside = false;
    if (number == SYS_close_range)
        return pl_fd_close_range((unsigned)a[0], (unsigned)a[1], (unsigned)a[2]);
    if (t == NULL || t->call.away != number + 1 || !pl_deputy_start(&c))
        return pl_filter_ask(number, a);
    return pl_deputy_settle(t) ? pl_deputy_end(t) : wait_for(t, number, t->op.pc);
}
