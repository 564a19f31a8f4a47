/* SPDX-License-Identifier: MIT */
/*
 * Accounts of the campaign: what an execution came to, who is told, what comes
 * next.  All of it on the board and in the common; whoever executes, keeper or
 * runner, calls it between two executions.
 */
#include "runtime/campaign/account.h"

#include "base/assert.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/sys.h"
#include "base/text.h"
#include "detect/detector.h"
#include "model/common.h"
#include "runtime/campaign/found.h"
#include "runtime/campaign/measure.h"
#include "runtime/campaign/seen.h"
#include "runtime/campaign/work.h"
#include "runtime/core/expiry.h"
#include "runtime/core/observer.h"
#include "runtime/core/redraw.h"
#include "runtime/core/repeat.h"
#include "runtime/core/shadow.h"
#include "runtime/core/strategy.h"
#include "runtime/free/noise.h"
#include "runtime/free/order.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/config.h"
#include "runtime/ground/mask.h"
#include "runtime/ground/ports.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/observe/cover.h"
#include "runtime/observe/sought.h"

#include <sys/wait.h>
#include <unistd.h>

/* Accesses that are points because nothing is known of what is shared: not all of a long execution.
 */
enum { CURIOUS = 1 << 16 };

/* Executions that may all show the same before the search ends with that. */
enum { IN_ALL = 2000 };

uint64_t pl_account_file_size(int fd)
{
    long n = pl_sys(SYS_lseek, fd, 0, SEEK_END);

    return n < 0 ? 0 : (uint64_t)n;
}

/* plait_test() goes on in the keeper; a runner leaves it to that. */
static void finish_section(enum pl_why why)
{
    pl_board->section_why = why;
    if (!pl_board->sections_incomplete && (why != PL_WHY_COMPLETE || !pl_common->complete)) {
        pl_board->sections_why = why;
        pl_board->sections_incomplete = true;
    }
    pl_board->section_over = true;
    if (pl_stage->restart.runner)
        pl_sys(SYS_exit_group, 0);
    pl_ports.restart->escape();
}

void pl_account_finish(enum pl_why why)
{
    if (pl_stage->restart.testing && why != PL_WHY_ERROR)
        finish_section(why);
    pl_common_end(pl_common, why);
    pl_board->why = why;
    pl_board->phase = PL_PHASE_FINISHED; /* the tool waits for the end of this process */
    pl_sys(SYS_exit_group, 0);
    __builtin_unreachable();
}

void pl_account_complete(void)
{
    pl_common->complete = pl_common->incomplete == 0;
    const uint32_t within = PL_INCOMPLETE_LIMITED | PL_INCOMPLETE_EARLY;

    pl_common->complete_within =
        pl_common->incomplete != 0 && (pl_common->incomplete & ~within) == 0;
    pl_account_finish(PL_WHY_COMPLETE);
}

/* Whether what an interleaving brings about may be behind it. */
static bool leaves_something(const struct pl_found *e)
{
    return e->finding.kind == PL_FINDING_EXIT || pl_finding_is_passed(&e->finding);
}

/*
 * Whether the finding is one that every execution so far has shown, whatever the interleaving, but
 * for `others`, which ended before they came to it.
 */
static bool is_in_all(const struct pl_found *e, uint64_t others)
{
    return leaves_something(e) && e->section == 0 &&
           e->count + others + pl_common->n_workers > pl_common->tickets;
}

/* Whether what was found is no reason to stop. */
static bool goes_on(void)
{
    uint64_t passed = 0;
    bool all = true;

    if (pl_board->settings.keep_going)
        return true;
    if (!pl_strategy_is(pl_stage->strategy, PL_TRAIT_DEFAULT) || pl_common->tickets >= IN_ALL)
        return false;
    for (uint32_t i = 0; i < pl_common->n_found; i++) {
        const struct pl_found *e = &pl_common->found[i];

        all &= e->verdict != PL_FOUND_COUNTS ||
               pl_finding_is(e->finding.kind, PL_FINDING_IS_WANTED) || is_in_all(e, passed);
        passed += pl_finding_is_passed(&e->finding); /* each ended an execution */
    }
    return all;
}

enum pl_why pl_account_reason(void)
{
    if (pl_common->n_counted > pl_common->counted_before && !goes_on())
        return PL_WHY_FINDING;
    if (pl_board->settings.seek && pl_sought_all_done(&pl_common->sought))
        return PL_WHY_SHOWN;
    return pl_common->stop ? PL_WHY_STOPPED : (enum pl_why)pl_common->why;
}

/* Whether all executions that were asked for have been given out, and none to us. */
static bool none_left(void)
{
    uint64_t limit = pl_board->settings.executions;

    return !pl_board->in_hand && limit != 0 && pl_common->tickets >= limit;
}

bool pl_account_over(void)
{
    enum pl_why why = pl_account_reason();

    /* What was given to us before the limit was reached is still to be done. */
    return none_left() || (why != PL_WHY_NONE && !(why == PL_WHY_EXECUTIONS && pl_board->in_hand));
}

/* More memory turned out to be shared than can be known: starting over would not end. */
static bool is_crowded(void)
{
    return pl_board->n_grown > 0 && !pl_board->settings.points_all &&
           pl_common->n_shared == PL_BOARD_SHARED;
}

/* Whether this execution has shown that there are more choices than was known. */
static bool has_learned(void)
{
    bool matters = ((pl_board->exit_matters && !pl_common->exit_matters) ||
                    (pl_board->signals_matter && !pl_common->signals_matter) ||
                    (pl_board->arrivals_matter && !pl_common->arrivals_matter) ||
                    (pl_board->queues_meet && !pl_common->queues_meet)) &&
                   !pl_stage->context.replaying;

    /* What it ended at, others pass: see pl_report_misuse(). */
    if (pl_board->outcome == PL_OUTCOME_FINDING && pl_finding_is_passed(&pl_board->finding) &&
        !pl_strategy_is(pl_stage->strategy, PL_TRAIT_HIDDEN) && pl_account_reason() == PL_WHY_NONE)
        return true;
    if (pl_board->divergence.again)
        return true;
    /* That every access is a point does not say which are more than one. */
    matters |= pl_board->settings.points_all && pl_common->n_shared < PL_BOARD_SHARED &&
               !pl_strategy_is(pl_stage->strategy, PL_TRAIT_REPLAYS) && pl_shadow_split_grew();
    return pl_board->shared_grew && (matters || (!pl_board->settings.points_all && !is_crowded()));
}

/* Under the lock: what this execution has shown is known from now on. */
static void learn(void)
{
    PL_ASSERT(pl_board->n_grown <= PL_BOARD_SHARED && pl_common->n_shared <= PL_BOARD_SHARED);
    for (uint64_t i = 0; i < pl_board->n_grown && pl_common->n_shared < PL_BOARD_SHARED; i++) {
        pl_common->shared[pl_common->n_shared] = pl_board->grown[i];
        pl_common->n_shared++;
    }
    pl_common->exit_matters |= pl_board->exit_matters || pl_board->divergence.exits;
    pl_common->signals_matter |= pl_board->signals_matter;
    pl_common->arrivals_matter |= pl_board->arrivals_matter;
    pl_common->queues_meet |= pl_board->queues_meet;
}

/*
 * There are more choices than was known.  Whoever finds that first in an epoch
 * begins the next one; what others find at the same time, they find again there.
 */
static void start_over(void)
{
    pl_work_lock();
    if (pl_board->epoch == pl_common->epoch) {
        pl_common->growing = true;
        learn();
        pl_common_next_epoch(pl_common);
        pl_common->growing = false;
    }
    pl_common_unlock(pl_common);
    pl_work_learned(true);
}

/* What this execution means for the search as a whole. */
static void note(void)
{
    const uint32_t once = PL_INCOMPLETE_OUTSIDE | PL_INCOMPLETE_FULL | PL_INCOMPLETE_EARLY |
                          PL_INCOMPLETE_LIMITED | PL_INCOMPLETE_BLIND;
    const uint32_t of_searches = PL_INCOMPLETE_UNFAIR | PL_INCOMPLETE_OVERLOOKED |
                                 PL_INCOMPLETE_STRAYED | PL_INCOMPLETE_CLOCK |
                                 (pl_expiry_is_drawn() ? PL_INCOMPLETE_EARLY : 0);
    bool points_all = pl_board->settings.points_all;
    uint32_t lacks = pl_board->incomplete;

    if (pl_board->divergence.happened)
        lacks |= PL_INCOMPLETE_STRAYED;
    if (!pl_board->instrumented && pl_board->max_threads > 0)
        lacks |= PL_INCOMPLETE_BLIND;
    if (pl_board->coverage.paths.outside_pc != 0)
        lacks |= PL_INCOMPLETE_OUTSIDE;
    if (pl_board->coverage.paths.full)
        lacks |= PL_INCOMPLETE_FULL;
    if ((lacks & ~(pl_common->incomplete & once)) == 0 && pl_board->n_grown == 0)
        return;
    pl_work_lock();
    if (pl_board->epoch == pl_common->epoch) {
        if (pl_strategy_samples())
            lacks &= ~of_searches;
        if (is_crowded())
            lacks |= PL_INCOMPLETE_CROWDED;
        pl_incomplete_add(&pl_common->incomplete, lacks);
        if ((lacks & PL_INCOMPLETE_STRAYED) != 0 && pl_common->stray_execution == 0) {
            pl_text_copy(pl_common->stray_text, sizeof(pl_common->stray_text),
                         pl_board->divergence.text);
            pl_common->stray_expected = pl_board->divergence.expected;
            pl_common->stray_actual = pl_board->divergence.actual;
            pl_common->stray_execution = pl_board->execution;
        }
        /* Every access is a point anyway; it is for those who print the execution. */
        if (points_all && pl_board->shared_known == pl_common->n_shared)
            learn();
    }
    pl_common_unlock(pl_common);
}

/* Whether it was made for an order that turned out not to exist: it shows a class that another has.
 */
static bool is_impossible(void)
{
    return pl_stage->context.impossible || pl_board->impossible;
}

/* An execution that counts for the search: tell the strategy. */
static void conclude(enum pl_outcome outcome)
{
    const struct pl_strategy *strategy = pl_stage->strategy;

    bool whole = (outcome != PL_OUTCOME_CUT && outcome != PL_OUTCOME_ABORTED &&
                  outcome != PL_OUTCOME_SLOW && !is_impossible()) ||
                 pl_board->stopped;

    if (whole)
        pl_stage->context.seen = pl_seen_add(pl_board->class_hash);
    if (strategy->callers != NULL)
        pl_cover_given();
    bool more = strategy->end(&pl_stage->context, outcome, false);

    note(); /* what the strategy found amiss, too */

    if (whole && !pl_free && pl_board->company.n == 0 && pl_board->n_decisions == 0 &&
        pl_board->max_choices == 0 &&
        !pl_incomplete_has(&pl_common->incomplete, PL_INCOMPLETE_CROWDED) &&
        !(pl_expiry_is_drawn() && pl_incomplete_has(&pl_board->incomplete, PL_INCOMPLETE_EARLY)) &&
        strategy->pruned == NULL)
        pl_account_complete(); /* nothing was decided: there is only this one execution */
    pl_work_learned(!pl_measure_settle(outcome));
    if (!more && !pl_strategy_is(strategy, PL_TRAIT_EXHAUSTIVE))
        pl_account_finish(PL_WHY_COMPLETE);
    if (more)
        pl_work_estimate();
    else
        pl_work_done();
}

static bool is_counted(void)
{
    return pl_board->counted == pl_board->execution;
}

/*
 * Whether this order of synchronisation has not been looked at.  This is a cache that forgets:
 * of two orders with one slot each pushes the other out, and some are looked at twice.
 */
static bool is_unexamined(void)
{
    static uint64_t examined[1 << 16]; /* the keeper's own */
    uint64_t *slot = &examined[pl_board->class_hash % (sizeof(examined) / sizeof(examined[0]))];
    bool new = *slot != pl_board->class_hash + 1;

    *slot = pl_board->class_hash + 1;
    return new;
}

/* Free threads have run: what was recorded becomes a schedule, if somebody wants it. */
static void take_recording(void)
{
    bool failed = pl_board->outcome == PL_OUTCOME_FINDING, watched = false;

    if (pl_board->settings.record == PL_RECORD_NONE)
        return;
    for (unsigned i = 0; pl_detector_parts[i] != NULL; i++)
        watched |= pl_detect_wants((enum pl_detector)pl_detector_parts[i]->detector);
    watched = watched && is_unexamined();
    if (failed || watched)
        pl_order_settle();
    if (!watched)
        return;
    pl_board->examine_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_EXAMINE, &pl_board->examine_status);
}

static void count(void)
{
    PL_ASSERT(pl_board->outcome != PL_OUTCOME_RUNNING && pl_board->outcome != PL_OUTCOME_LOST);
    if (pl_free) {
        pl_noise_count();
        take_recording();
    }
    pl_found_add();
    if (pl_board->outcome == PL_OUTCOME_SLOW) {
        pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_SLOW);
        if (pl_board->slow++ == 0)
            pl_board->slow_first = pl_board->execution;
    }
    pl_observer_counted((enum pl_outcome)pl_board->outcome);
    if (!pl_redraw_is_due())
        pl_board->points += pl_board->execution_points;
    pl_board->events += pl_board->execution_events;
    if (pl_board->n_decisions > pl_board->max_choices)
        pl_board->max_choices = pl_board->n_decisions;
    if (pl_board->counted_epoch != pl_board->epoch)
        pl_board->search_executions = pl_board->search_impossible = pl_board->samples = 0;
    pl_board->counted_epoch = pl_board->epoch;
    if (!pl_redraw_is_due()) {
        pl_board->search_executions++;
        pl_board->search_impossible += is_impossible();
        pl_board->samples += pl_seen_counts();
        PL_PUBLISH(pl_board->executions, pl_board->executions + 1);
    }
    pl_board->counted = pl_board->execution;
}

/*
 * The execution is over and its outcome known: account for it, tell the
 * strategy.  A process that dies before it is counted has not executed it; one
 * that dies later leaves the rest to the next, and nothing of that matters twice.
 */
void pl_account_settle(void)
{
    const struct pl_strategy *strategy = pl_stage->strategy;
    enum pl_outcome outcome = (enum pl_outcome)pl_board->outcome;

    PL_ASSERT(pl_board->unsettled && outcome != PL_OUTCOME_RUNNING);
    pl_work_resume();
    if (outcome == PL_OUTCOME_LOST && !is_counted()) {
        /* One that its restart, carrier or network does not suit is done again, and nothing has
         * happened to it. */
        pl_board->lost += pl_board->restart_wish <= pl_board->restart &&
                          pl_board->own_threads != pl_board->begun &&
                          pl_board->parted_in != pl_board->begun;
        strategy->end(&pl_stage->context, outcome, false);
        pl_board->unsettled = false;
        return;
    }
    if (outcome == PL_OUTCOME_LOST)
        outcome = PL_OUTCOME_DONE; /* it was lost after it had been counted */
    if (!is_counted())
        count();
    if (has_learned())
        start_over();
    if (pl_board->epoch == pl_common->epoch)
        conclude(outcome);
    else
        strategy->end(&pl_stage->context, outcome, true); /* work of an old epoch is dropped */
    if (pl_redraw_is_due())
        pl_board->counted = 0; /* the number is still ours */
    else
        PL_PUBLISH(pl_board->in_hand, false);
    pl_board->unsettled = false;
}

/* Take work and a number for the next execution; what is known counts for all of it. */
static void claim(void)
{
    bool exhaustive = pl_strategy_is(pl_stage->strategy, PL_TRAIT_EXHAUSTIVE);

    for (;;) {
        pl_work_get();
        pl_work_lock();
        if (!exhaustive || pl_board->epoch == pl_common->epoch)
            break;
        pl_common_unlock(pl_common);
    }
    bool refused = none_left();

    if (!refused && !pl_board->in_hand) {
        pl_board->execution = pl_common->tickets + 1;
        PL_PUBLISH(pl_board->in_hand, true);
        pl_common->tickets = pl_board->execution; /* last, see pl_common_recover() */
    }
    PL_ASSERT(refused || (pl_board->in_hand && pl_board->execution <= pl_common->tickets));
    pl_board->epoch = pl_common->epoch;
    pl_board->shared_known = pl_common->n_shared;
    pl_board->curious =
        pl_strategy_is(pl_stage->strategy, PL_TRAIT_CURIOUS) && pl_board->execution == 1 ? CURIOUS
                                                                                         : 0;
    pl_board->exit_matters = pl_common->exit_matters;
    pl_board->signals_matter = pl_common->signals_matter;
    pl_board->arrivals_matter = pl_common->arrivals_matter;
    pl_board->queues_meet = pl_common->queues_meet;
    pl_common_unlock(pl_common);
    if (refused)
        pl_account_finish(PL_WHY_EXECUTIONS);
}

/* Take up the next execution, or end the campaign. */
void pl_account_claim(void)
{
    pl_work_resume();
    if (pl_account_reason() != PL_WHY_NONE && pl_account_over())
        pl_account_finish(pl_account_reason());
    claim();
}

static uint64_t now(void)
{
    struct timespec t;

    pl_sys(SYS_clock_gettime, CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

void pl_account_begin(void)
{
    PL_ASSERT(!pl_board->unsettled && pl_board->in_hand);
    if (pl_strategy_is(pl_stage->strategy, PL_TRAIT_FREE))
        pl_board->began_ns = now();
    pl_board->took_cpu_ns = 0;
    /* With restart by exec, whoever settles it runs before the modules have told us. */
    pl_board->instrumented |= pl_stage->modules.instrumented;
    pl_board->n_choices = pl_board->n_decisions = pl_board->n_asked = 0;
    pl_board->n_events = pl_board->n_frames = 0;
    pl_board->shared_grew = false;
    pl_board->n_grown = 0;
    pl_board->child_armed = false;
    pl_board->clock_ahead = 0;
    pl_board->clock_gap = 0;
    pl_board->incomplete = 0;
    pl_board->stopped = false;
    pl_board->passed = 0;
    pl_board->dying_signal = 0;
    if (pl_board->company.n > 0)
        pl_memory_fill(&pl_board->company, 0, sizeof(pl_board->company));
    if (pl_free) {
        pl_order_begin();
        pl_board->fate.known = pl_board->fate.frozen = false;
    }
    pl_board->execution_points = pl_board->execution_events = pl_board->preemptions = 0;
    pl_board->class_hash = 0;
    pl_stage->context.impossible = pl_board->impossible = false;
    /* Divergence and finding are large, and most executions leave them empty. */
    if (pl_board->divergence.happened || pl_board->divergence.again)
        pl_board->divergence = (struct pl_divergence){0};
    if (pl_board->finding.kind != PL_FINDING_NONE)
        pl_board->finding = (struct pl_finding){0};
    pl_board->n_noted = pl_stage->n_noted;
    pl_board->finding.pc = 0;
    pl_board->finding.tid = PL_TID_NONE;
    pl_board->n_threads = pl_stage->n_threads;
    pl_board->most_alive = pl_stage->n_alive;
    pl_board->threads[0] =
        (struct pl_thread_name){.name = pl_thread_by_id(0)->name, .parent = PL_TID_NONE};
    pl_inputs_begin();
    pl_observer_begin();
    pl_stage->context.helping = pl_work_helps();
    pl_stage->context.helped = pl_common->n_workers > 1 && !pl_work_helps();
    if (pl_stage->strategy->callers != NULL)
        pl_stage->stated = (uint8_t)(pl_stage->strategy->callers(&pl_stage->context) + 1);
    pl_repeat_plan(pl_work_helps());
    pl_redraw_begin();
    pl_stage->strategy->begin(&pl_stage->context, pl_board->execution);
    pl_redraw_begun();
    pl_expiry_begin();
    pl_observer_begun();
    pl_stage->repeatable = pl_stage->strategy->resumes != NULL && !pl_strategy_samples();
    pl_repeat_begun();
    pl_board->outcome = PL_OUTCOME_RUNNING;
    PL_PUBLISH(pl_board->begun, pl_board->begun + 1);
    pl_board->unsettled = true;
    if (pl_board->phase != PL_PHASE_RUNNING)
        pl_board->phase = PL_PHASE_RUNNING;
}

void pl_account_plan(void)
{
    pl_account_claim();
    pl_account_begin();
}

/* First time in this campaign: let the strategy look at its parameters. */
void pl_account_start(void)
{
    const char *bad = pl_stage->strategy == NULL ? pl_board->error : NULL;

    if (bad == NULL && !pl_board->started)
        bad = pl_stage->strategy->start(&pl_stage->context);
    pl_board->started = true;
    pl_common->exhaustive =
        pl_stage->strategy != NULL && pl_strategy_is(pl_stage->strategy, PL_TRAIT_EXHAUSTIVE);
    if (bad == NULL && pl_stage->strategy->rounds != NULL)
        pl_text_copy(pl_common->bounds, sizeof(pl_common->bounds),
                     pl_stage->strategy->rounds->bounds);
    if (bad == NULL) {
        pl_noise_start();
        return;
    }
    pl_board->error_class = PL_ERR_USER;
    if (bad != pl_board->error)
        pl_text_copy(pl_board->error, sizeof(pl_board->error), bad);
    pl_account_finish(PL_WHY_ERROR);
}

/* The tool compares the output or runs the user's check. */
static void judge_output(void)
{
    pl_board->output_size = pl_account_file_size(pl_fd(PL_FD_STDOUT));
    pl_board->check_status = PL_ANSWER_PENDING;
    pl_ask_tool(PL_PHASE_CHECK, &pl_board->check_status);
    if (pl_board->check_status != PL_ANSWER_NO)
        return;
    struct pl_finding *f = &pl_board->finding;

    f->kind = PL_FINDING_OUTPUT;
    pl_text_copy(f->text, sizeof(f->text), pl_board->check_text);
    f->pc = 0;
    f->tid = PL_TID_NONE;
    f->signature = pl_hash_add(PL_FINDING_OUTPUT, pl_board->check_which);
    pl_board->outcome = PL_OUTCOME_FINDING;
}

static void ended_by_itself(int status)
{
    struct pl_finding *f = &pl_board->finding;

    PL_ASSERT(status >= 0 && status < 256);
    pl_board->outcome = PL_OUTCOME_DONE;
    if ((pl_board->settings.exit_fine[status / 8] >> (status % 8) & 1) != 0 ||
        !pl_detect_wants(PL_DETECT_EXIT)) {
        if (pl_board->settings.judged)
            judge_output();
        return;
    }
    f->kind = PL_FINDING_EXIT;
    f->status = (int16_t)status;
    pl_text_format(f->text, sizeof(f->text), "the program ended with exit status %d", status);
    f->signature = pl_hash_add(PL_FINDING_EXIT, (uint64_t)status);
    pl_board->outcome = PL_OUTCOME_FINDING;
}

/* A signal killed the runner, and its handler did not come to report it. */
static void killed_by(int signo)
{
    struct pl_finding *f = &pl_board->finding;

    if (signo == SIGKILL && pl_board->dying_signal != SIGKILL) {
        pl_board->outcome = PL_OUTCOME_LOST;
        return;
    }
    f->kind = PL_FINDING_CRASH;
    f->signal = (uint8_t)signo;
    pl_text_format(f->text, sizeof(f->text), "%s killed the program (signal %d)",
                   pl_mask_name(signo), signo);
    f->signature = pl_hash_add(PL_FINDING_CRASH, (uint64_t)signo + 1000);
    pl_board->outcome = PL_OUTCOME_FINDING;
}

/* It was killed because it did not say where it is, or that it gives up. */
static void hung(void)
{
    struct pl_finding *f = &pl_board->finding;

    if (pl_board->given_up != 0) {
        pl_board->outcome =
            pl_board->given_up == pl_board->begun ? PL_OUTCOME_SLOW : PL_OUTCOME_LOST;
        return;
    }
    f->kind = PL_FINDING_HANG;
    pl_text_format(f->text, sizeof(f->text), "nothing happens any more for %lu ms",
                   pl_board->settings.hang_ms);
    f->signature = pl_hash_add(PL_FINDING_HANG, 2);
    pl_board->outcome = PL_OUTCOME_FINDING;
}

void pl_account_judge(int status)
{
    PL_ASSERT(pl_board->unsettled);
    if (pl_strategy_is(pl_stage->strategy, PL_TRAIT_FREE))
        pl_board->took_ns = now() - pl_board->began_ns;
    pl_common_recover(pl_common, pl_board);
    if (pl_board->outcome != PL_OUTCOME_RUNNING) {
        if (pl_board->outcome == PL_OUTCOME_DONE && pl_board->settings.judged)
            judge_output();
    } else if (status == PL_WORKER_HUNG) {
        hung();
    } else if (WIFSIGNALED(status)) {
        killed_by(WTERMSIG(status));
    } else {
        ended_by_itself(WEXITSTATUS(status));
    }
    pl_board->given_up = 0;
    PL_ASSERT(pl_board->outcome != PL_OUTCOME_RUNNING);
}
