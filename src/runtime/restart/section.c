/* SPDX-License-Identifier: MIT */
/*
 * Where a program says itself what is to be explored: plait_begin() and
 * plait_end() around a part of it, plait_test() with a function.
 *
 * Until then, and between two tests, threads run under control but take the
 * first way at every choice, and nothing is recorded: what is explored begins
 * with the same state every time.
 *
 * plait_test() makes its process the keeper for the time of the search.  The
 * executions are made by runners, so in the keeper the function has never been
 * called; it goes on with what was found.  A schedule says which call of
 * plait_test() it belongs to, and a replay passes over the others.
 */
#include "runtime/restart/section.h"

#include "base/assert.h"
#include "base/sys.h"
#include "base/text.h"
#include "model/common.h"
#include "runtime/campaign/account.h"
#include "runtime/core/fresh.h"
#include "runtime/core/observer.h"
#include "runtime/core/sched.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/heap.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/real.h"
#include "runtime/ground/stage.h"
#include "runtime/restart/keeper.h"

#include <sys/mman.h>

enum { TEXT = 600, A_WHILE_NS = 20000000 };

void pl_section_marked(void)
{
    if (pl_works())
        pl_stage->restart.marked = true;
}

void pl_section_begin(void)
{
    if (!pl_active || pl_stage->rooted || pl_inside())
        return;
    if (!pl_free && !pl_native)
        pl_fresh_begin(); /* who has been created before stands at its first operation */
    pl_keeper_root_here();
}

void pl_section_end(void)
{
    if (!pl_active || !pl_stage->rooted || pl_inside())
        return;
    pl_enter();
    pl_ports.restart->end(PL_OUTCOME_DONE);
}

/* What was found in this test; it may have been another process that explored it. */
static const char *outcome_of(uint32_t section)
{
    for (uint32_t i = 0; i < pl_common->n_found; i++) {
        const struct pl_found *e = &pl_common->found[i];

        if (e->section != section || e->verdict != PL_FOUND_COUNTS)
            continue;
        pl_enter();
        char *text = pl_heap_allocate(TEXT, 16, 0);

        pl_leave();
        if (text != NULL)
            pl_text_format(text, TEXT, "%s: %s", pl_finding_text(e->finding.kind),
                           e->finding.text[0] != '\0' ? e->finding.text
                                                      : pl_finding_meaning(e->finding.kind));
        return text != NULL ? text : "a finding";
    }
    return NULL;
}

/* A search of its own: forget what the last one knew, but not what it found. */
static void start_anew(uint32_t section)
{
    PL_ASSERT(section > pl_board->section && pl_board->slot == 0);
    pl_sys(SYS_madvise, pl_board->arena, sizeof(pl_board->arena), MADV_REMOVE);
    pl_board->started = false;
    pl_board->n_hot = 0;
    pl_common->counted_before = pl_common->n_counted;
    pl_common->classes_before += pl_common->classes;
    pl_common->tickets = 0;
    pl_board->counted = 0; /* numbers begin with 1 again, and none of them has been counted */
    pl_common->complete = false;
    pl_common_next_epoch(pl_common);
    pl_reads_from_forget(&pl_common->reads_from);
    pl_common->seats[pl_board->slot].state = PL_SEAT_ABSENT;
    pl_board->in_hand = pl_board->unsettled = false; /* the last execution of that search is over */
    pl_board->section_over = false;
    pl_board->section = section;
}

/* Only the first worker explores tests; the others have nothing to do. */
static void wait_for_the_end(void)
{
    const struct timespec a_while = {0, A_WHILE_NS};

    PL_ASSERT(pl_board->slot != 0 && !pl_stage->rooted);
    pl_board->phase = PL_PHASE_IDLE;
    while (pl_account_reason() == PL_WHY_NONE)
        pl_sys(SYS_nanosleep, &a_while, NULL);
    pl_account_finish(pl_account_reason());
}

static void explore(uint32_t section, void (*function)(void *), void *arg)
{
    if (pl_board->restart == PL_RESTART_EXEC) {
        pl_board->error_class = PL_ERR_USER;
        pl_text_copy(pl_board->error, sizeof(pl_board->error),
                     "plait_test() goes on after a search, so --restart exec does not suit it. "
                     "Leave the option out.");
        pl_account_finish(PL_WHY_ERROR);
    }
    if (pl_board->section != section)
        start_anew(section);
    PL_ASSERT(!pl_stage->restart.testing && !pl_stage->rooted);
    pl_stage->restart.testing = true;
    pl_stage->restart.scanned =
        pl_stage->restart.scanned != 0 ? UINT32_MAX : 0; /* memory may have changed */
    if (pl_keeper_root_here()) {
        function(arg);
        pl_section_end();
    }
    pl_stage->restart.testing = false;
    pl_stage->rooted = false;
    pl_observer_choose(false);
}

const char *pl_section_test(void (*function)(void *), void *arg)
{
    uint32_t only = pl_board->settings.section;

    if (!pl_active || pl_stage->rooted || pl_inside()) {
        function(arg); /* a test within a test is part of it */
        return NULL;
    }
    uint32_t section = ++pl_stage->restart.sections;

    if (pl_board->slot != 0)
        wait_for_the_end();
    if (only != 0 && only != section)
        return NULL;
    if (section > pl_board->section || (section == pl_board->section && !pl_board->section_over))
        explore(section, function, arg);
    if (only != 0)
        pl_section_leave();
    return outcome_of(section);
}

void pl_section_leave(void)
{
    if (!pl_stage->restart.marked || pl_stage->rooted)
        return;
    if (pl_board->section == 0) {
        pl_board->error_class = PL_ERR_USER;
        pl_text_copy(pl_board->error, sizeof(pl_board->error),
                     pl_board->settings.section != 0
                         ? "the program ended without as many calls of plait_test()."
                         : "the program ended without calling plait_begin() or plait_test().");
        pl_account_finish(PL_WHY_ERROR);
    }
    pl_common->complete = !pl_board->sections_incomplete;
    pl_account_finish(pl_common->complete ? PL_WHY_COMPLETE
                      : pl_common->n_counted > 0 && !pl_board->settings.keep_going
                          ? PL_WHY_FINDING
                          : (enum pl_why)pl_board->sections_why);
}
