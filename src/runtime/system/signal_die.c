/* SPDX-License-Identifier: MIT */
/*
 * What a signal does that has no handler: it ends the process, or stops it.  See signal_handle.h.
 */
#include "base/assert.h"
#include "base/sys.h"
#include "runtime/core/company.h"
#include "runtime/free/free.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/monitor.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/system/signal_handle.h"
#include "runtime/system/signal_queue.h"

#include <signal.h>

enum { SET_SIZE = 8 };

void pl_signal_expect_death(int signo, uint64_t pc)
{
    PL_ASSERT(pl_active && pl_thread_self() != NULL);
    pl_board->dying_signal = (uint8_t)signo;
    pl_board->finding.pc = pc;
    pl_board->finding.tid = pl_thread_self()->id;
}

/* The kernel does what is to be done about it; the calling thread goes on if that is not its end.
 */
static void let_kernel(int signo)
{
    uint64_t bit = pl_signal_bit(signo);

    pl_sys(SYS_rt_sigprocmask, SIG_UNBLOCK, &bit, NULL, SET_SIZE);
    long pid = pl_sys(SYS_getpid), tid = pl_sys(SYS_gettid);

    pl_sys(SYS_tgkill, pid, tid, signo);
}

/*
 * Until somebody lets the process go on; whoever does needs the monitor.  Where processes take
 * turns it would keep its turn, and nobody could: such an execution is given up.
 */
static void stop(int signo)
{
    struct pl_thread *t = pl_thread_self();
    struct pl_monitor_place p = {0};

    if (pl_company_on())
        pl_ports.restart->end(PL_OUTCOME_SLOW);
    if (pl_free)
        p = pl_monitor_step_out(t);
    let_kernel(signo);
    if (pl_free)
        pl_monitor_step_in(t, p);
}

void pl_signal_die(int signo, uint64_t pc)
{
    if (signo == SIGSTOP || signo == SIGTSTP || signo == SIGTTIN || signo == SIGTTOU) {
        stop(signo);
        return;
    }
    pl_signal_expect_death(signo, pc);
    /* Nobody is left to say how far threads have come. */
    if (pl_free && pl_stage->rooted && !pl_board->fate.known)
        pl_ports.free->close();
    pl_mask_expect();
    let_kernel(signo);
    pl_board->dying_signal = 0;
}
