/* SPDX-License-Identifier: MIT */
/*
 * See runner.h.  Between executions the runner is on a stack in the vault, because the program's
 * stacks are among what is put back.
 */
#include "runtime/restart/runner.h"
#include "runtime/restart/ends.h"
#include "runtime/restart/journal.h"
#include "runtime/restart/renew.h"
#include "runtime/restart/rollback.h"
#include "runtime/restart/shared.h"
#include "runtime/restart/watched.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "runtime/campaign/account.h"
#include "runtime/core/fiber.h"
#include "runtime/core/shadow.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/ground/vault.h"

#include <signal.h>

/* One execution from the root or a checkpoint; it comes back also to take checkpoints. */
static void execute(const struct pl_checkpoint *from)
{
    void *sp = from != NULL ? from->sp : pl_vault->root_sp;

    pl_fiber_set_pointer(from != NULL ? from->tp : pl_vault->root_tp);
    pl_fiber_set_gs(from != NULL ? from->gs : pl_vault->root_gs);
    if (pl_stage->strategy->resumes != NULL) /* only then checkpoints are taken */
        pl_vault->began = pl_ticks();
    for (;;) {
        pl_vault->marking = false;
        pl_fiber_swap(&pl_vault->loop_sp, sp);
        if (!pl_vault->marking)
            return;
        pl_checkpoint_take();
        PL_ASSERT(pl_vault->n_checkpoints > 0);
        sp = pl_vault->checkpoints[pl_vault->n_checkpoints - 1].sp;
    }
}

/* On the vault's stack: one execution after the other, until the campaign ends. */
__attribute__((noreturn)) static void loop(void)
{
    const struct pl_checkpoint *from = NULL;

    pl_checkpoint_start();
    pl_rollback_arm();
    for (;;) {
        execute(from);
        PL_ASSERT(pl_rollback_on()); /* one that is spoiled does not come back here */
        pl_account_judge(pl_vault->status);
        pl_account_settle();
        pl_account_claim();
        from = pl_checkpoint_next();
        pl_undo_all();
        pl_rollback_put_back(from);
        if (from != NULL)
            pl_checkpoint_restore(from);
        pl_account_begin();
        if (from != NULL)
            pl_checkpoint_resume(from);
        else
            pl_shadow_apply();
    }
}

static void unsuitable(const char *why)
{
    if (pl_board->restart_wish >= PL_RESTART_FORK || pl_board->restart >= PL_RESTART_FORK)
        return;
    pl_board->restart_wish = PL_RESTART_FORK;
    pl_text_copy(pl_board->restart_why, sizeof(pl_board->restart_why), why);
}

void pl_runner_prepare(void)
{
    if (pl_native) /* each system call would cost a signal */
        return;
    if (pl_stage->restart.scanned == pl_stage->fibers.n_donors + 1 &&
        pl_stage->restart.scanned_shadow == pl_board->shadow_by_pages)
        return;
    if (pl_stage->restart.scanned == 0 && !pl_rollback_map()) {
        unsuitable("its address space has no room for copies");
        return;
    }
    if (pl_stage->restart.scanned == 0) {
        pl_renew_plan();
        pl_journal_start();
    }
    pl_stage->restart.scanned = pl_stage->fibers.n_donors + 1;
    pl_stage->restart.scanned_shadow = pl_board->shadow_by_pages;
    pl_rollback_find();
    pl_shared_plan(pl_vault->text, sizeof(pl_vault->text));
}

void pl_runner_share(void)
{
    if (!pl_stage->restart.runner)
        return;
    if (pl_ends_by_locking() != NULL)
        pl_renew_throw_away(pl_ends_by_locking());
    if (pl_stage->restart.watched && !pl_free)
        pl_watched_inherited();
    if (pl_stage->restart.scanned == 0 || pl_stage->restart.unprotected)
        return;
    if (!pl_rollback_has_shared())
        return;
    pl_stage->restart.unprotected = true;
    pl_rollback_spoil(PL_RESTART_EXEC,
                      "it shares memory mapped before its first thread with its children");
    pl_rollback_watch_shared(false);
}

void pl_runner_release(void)
{
    pl_stage->restart.unprotected = true;
    pl_rollback_watch_shared(false);
    pl_watch_end();
}

/* Of a process for one execution nothing is put back, but its system calls are operations. */
void pl_runner_watch(void)
{
    if (pl_native || pl_free || !pl_rollback_map())
        return;
    pl_stage->restart.watched = pl_watch_begin() == NULL;
}

void pl_runner_begin(void)
{
    const char *why;

    PL_ASSERT(pl_stage->restart.runner && !pl_rollback_on());
    if (pl_stage->restart.scanned == 0)
        return;
    pl_renew_all();
    why = pl_watch_begin();
    pl_stage->restart.watched = why == NULL;
    if (why == NULL && !pl_vault->readable)
        why = "its memory is in too many pieces";
    if (why != NULL)
        unsuitable(why);
    if (why != NULL || pl_board->restart != PL_RESTART_ROLLBACK) {
        pl_rollback_watch_shared(true);
        return;
    }
    pl_vault->root_tp = pl_thread_self()->tp;
    pl_vault->root_gs = pl_fiber_gs();
    pl_sys(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &pl_vault->root_mask, 8);
    pl_fiber_swap(&pl_vault->root_sp, pl_fiber_frame((uint64_t)pl_vault->stack + PL_VAULT_STACK,
                                                     loop)); /* comes back once per execution */
}

void pl_runner_end(int status)
{
    if (!pl_rollback_on())
        return;
    PL_ASSERT(pl_vault->loop_sp != NULL && !pl_vault->marking);
    pl_vault->status = status;
    pl_fiber_swap(&pl_vault->dead_sp, pl_vault->loop_sp);
    __builtin_unreachable();
}
