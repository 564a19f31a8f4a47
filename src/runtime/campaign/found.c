/* SPDX-License-Identifier: MIT */
/* See found.h. */
#include "runtime/campaign/found.h"

#include "base/assert.h"
#include "base/memory.h"
#include "base/sys.h"
#include "detect/detector.h"
#include "model/common.h"
#include "runtime/campaign/account.h"
#include "runtime/campaign/work.h"
#include "runtime/core/expiry.h"
#include "runtime/ground/ask.h"
#include "runtime/ground/config.h"
#include "runtime/ground/entry.h"
#include "runtime/ground/stage.h"
#include "runtime/inputs/inputs.h"
#include "runtime/observe/sought.h"

/* Half of a recording is none: the threads' operations come in no order after it. */
static bool is_recorded(void)
{
    return !pl_free ||
           (pl_board->n_order <= PL_BOARD_ORDER && pl_board->n_choices <= PL_BOARD_CHOICES);
}

/* How much of the board's row_frames[] belongs to a finding. */
static uint64_t frames_size(const struct pl_finding *f)
{
    for (unsigned i = 0; i < f->n_rows; i++) {
        if (f->rows[i].n_frames > 0)
            return f->n_rows * sizeof(pl_board->row_frames[0]);
    }
    return 0;
}

/* Copy the choices that are no defaults to `to`, or only count them. */
static uint64_t copy_choices(struct pl_choice *to)
{
    uint64_t n = pl_board_choices(pl_board);
    uint64_t k = 0;

    for (uint64_t i = 0; i < n; i++) {
        if (pl_board->choices[i].is_default)
            continue;
        if (to != NULL)
            to[k] = pl_board->choices[i];
        k++;
    }
    return k;
}

/* Copy the choices, thread names, output and stacks of the execution next to its finding. */
static void keep(struct pl_found *e)
{
    uint64_t n = copy_choices(NULL);
    uint64_t choices = n * sizeof(struct pl_choice);
    uint64_t threads = pl_board->n_threads * sizeof(struct pl_thread_name);
    uint64_t at = (pl_common->store_used + 15) & ~UINT64_C(15);
    uint64_t output = pl_account_file_size(pl_fd(PL_FD_STDERR)) < 65536
                          ? pl_account_file_size(pl_fd(PL_FD_STDERR))
                          : 65536;

    uint64_t frames = frames_size(&e->finding);

    if (at + choices + threads + frames + output > PL_COMMON_STORE || !is_recorded())
        return;
    e->choices_at = at;
    e->n_choices = n;
    copy_choices((struct pl_choice *)(pl_common->store + at));
    e->threads_at = at + choices;
    e->n_threads = pl_board->n_threads;
    pl_memory_copy(pl_common->store + e->threads_at, pl_board->threads, threads);
    e->frames_at = frames > 0 ? e->threads_at + threads : 0;
    pl_memory_copy(pl_common->store + e->threads_at + threads, pl_board->row_frames, frames);
    e->output_at = e->threads_at + threads + frames;
    long got = pl_sys(SYS_pread64, pl_fd(PL_FD_STDERR), pl_common->store + e->output_at, output, 0);

    e->output_size = got > 0 ? (uint64_t)got : 0;
    pl_common->store_used = e->output_at + e->output_size;
    PL_ASSERT(pl_common->store_used <= PL_COMMON_STORE);
}

/* Keep the inputs of the execution with the finding, if they are recorded. */
static void keep_inputs(struct pl_found *e)
{
    uint64_t size = pl_image_size(), at = (pl_common->store_used + 15) & ~UINT64_C(15);

    e->inputs_lost = size > 0 && at + size > PL_COMMON_STORE;
    if (size == 0 || e->inputs_lost)
        return;
    pl_image_copy(pl_common->store + at);
    e->inputs_at = at;
    e->inputs_size = size;
    pl_common->store_used = at + size;
    PL_ASSERT(pl_common->store_used <= PL_COMMON_STORE);
}

/*
 * How many time-outs came early in the execution if that is more than there may be, and the finding
 * may be their doing; else 0.  A search by classes cannot do with few of them
 * (docs/design/time.md).
 */
static uint32_t too_early(const struct pl_finding *f)
{
    return pl_finding_ends(f->kind) && pl_expiry_is_over_budget() ? pl_board->early : 0;
}

/* Whether this execution may say more about a finding than the one that was judged. */
static bool is_tried_again(const struct pl_found *e, uint32_t early, uint32_t *tried)
{
    enum { TRIES = 4 }; /* of executions that show it: one that does not come again is no answer */

    if (e->verdict == PL_FOUND_UNREPEATED)
        return ++*tried < TRIES;
    return e->verdict == PL_FOUND_UNTIMELY && early < e->early / 2;
}

/* The entry that this execution adds to; NULL: it makes a new one. */
static struct pl_found *find_entry(const struct pl_finding *f, uint32_t early)
{
    struct pl_found *untimely = NULL;
    uint32_t tried = 0;

    for (uint32_t i = 0; i < pl_common->n_found; i++) {
        struct pl_found *e = &pl_common->found[i];

        if (e->finding.signature != f->signature || e->finding.kind != f->kind ||
            is_tried_again(e, early, &tried))
            continue;
        if (e->verdict != PL_FOUND_UNTIMELY)
            return e;
        untimely = e; /* unless a later one counts */
    }
    return untimely;
}

/* Under the lock.  NULL when there is no room for it. */
static struct pl_found *add_finding(const struct pl_finding *f)
{
    uint32_t n = pl_common->n_found, early = too_early(f);

    PL_ASSERT(n <= PL_COMMON_FINDINGS && f->kind != PL_FINDING_NONE);
    struct pl_found *e = find_entry(f, early);

    if (e != NULL) {
        e->count += e->latest != pl_board->execution;
        e->latest = pl_board->execution;
        return e;
    }
    if (n == PL_COMMON_FINDINGS) {
        pl_common->findings_lost++;
        return NULL;
    }
    e = &pl_common->found[n];
    *e = (struct pl_found){
        .finding = *f,
        .count = 1,
        .execution = pl_board->execution,
        .latest = pl_board->execution,
        .points = (uint32_t)pl_board->execution_points,
        .events = pl_board->root_events + pl_board->execution_events,
        .n_shared = pl_board->shared_known,
        .slot = pl_board->slot,
        .section = pl_board->section,
        .digits = pl_board->digits,
        .early = early,
    };
    keep(e);
    keep_inputs(e);
    if (pl_finding_is(f->kind, PL_FINDING_IS_WANTED)) {
        e->verdict = PL_FOUND_COUNTS;
        pl_sought_found(f);
    } else if (!pl_board->settings.suppressing && early == 0) {
        e->verdict = PL_FOUND_COUNTS;
        pl_common->n_counted++;
    }
    pl_common->n_found = n + 1; /* last: the tool reads the entry from now on */
    return e;
}

/*
 * Whether a finding counts.  About a new one the tool is asked, if the user has said
 * that some do not: only there names are known; or if it came with too many early time-outs.
 */
static bool counts(struct pl_found *e)
{
    if (e != NULL && e->verdict == PL_FOUND_OPEN)
        pl_ask_tool(PL_PHASE_ASK, &e->verdict);
    return e == NULL || e->verdict == PL_FOUND_COUNTS;
}

/* Misuses that have been reported before: the execution has them too.  Whether one counts. */
static bool count_passed(void)
{
    bool counts = false;

    pl_work_lock();
    for (uint32_t i = 0; i < pl_common->n_found && i < 64; i++) {
        struct pl_found *e = &pl_common->found[i];

        if ((pl_board->passed >> i & 1) == 0)
            continue;
        e->count += e->latest != pl_board->execution;
        e->latest = pl_board->execution;
        counts |= e->verdict == PL_FOUND_COUNTS;
    }
    pl_common_unlock(pl_common);
    return counts;
}

/* First what was noted on the way, then what ended it. */
void pl_found_add(void)
{
    uint32_t noted = pl_board->n_noted, all = noted + (pl_board->outcome == PL_OUTCOME_FINDING);
    bool failed = false, suppressed = false;

    PL_ASSERT(noted <= PL_BOARD_NOTED);
    if (all == 0 && pl_board->passed == 0)
        return;
    pl_board->found_in = pl_board->execution; /* what follows may take long, and be cut short */
    if (pl_board->passed != 0)
        failed = count_passed();
    for (uint32_t i = 0; i < all; i++) {
        pl_work_lock();
        const struct pl_finding *f = i < noted ? &pl_board->noted[i] : &pl_board->finding;
        struct pl_found *e = add_finding(f);

        pl_common_unlock(pl_common);
        bool wanted = counts(e);

        failed |= wanted && !pl_finding_is(f->kind, PL_FINDING_IS_WANTED);
        suppressed |= !wanted;
        if (e != NULL && e->verdict == PL_FOUND_UNTIMELY)
            pl_incomplete_add(&pl_board->incomplete, PL_INCOMPLETE_UNTIMELY);
    }
    pl_work_lock();
    pl_common->failures += failed;
    pl_common->suppressed += suppressed;
    pl_common_unlock(pl_common);
}
