/* SPDX-License-Identifier: MIT */
/* See campaign.h. */
#include "engine/campaign/campaign.h"

#include "base/assert.h"
#include "engine/campaign/count.h"
#include "engine/campaign/judged.h"
#include "engine/campaign/listing.h"
#include "engine/coverage/cover_campaign.h"
#include "engine/coverage/cover_holds.h"
#include "engine/coverage/sought_result.h"
#include "engine/findings/examine.h"
#include "engine/findings/findings.h"
#include "engine/shared/clock.h"
#include "engine/shared/folder.h"
#include "engine/shared/interrupt.h"
#include "engine/shared/own.h"
#include "engine/worker/marks.h"
#include "engine/worker/pairs.h"
#include "engine/worker/program.h"
#include "engine/worker/session.h"
#include "model/pace.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    STEP_MS = 100,
    UNTIL_STEP_MS = 20, /* executions that are not needed any more are few then */
    INTERRUPT_GRACE_MS = 1000,
    TIME_GRACE_MS = 2000, /* beyond the longest that an execution may take */
    /*
     * Overtime, for what has begun when the time is over: a fifth of it, within bounds.  Half is
     * for executions, the rest to replay what they find.
     */
    OVERTIME_PART = 5,
    OVERTIME_LEAST_MS = 1000,
    OVERTIME_MOST_MS = 1700,
    FIRST_MS = 1000, /* more, until there is one execution */
};

struct campaign {
    const struct pl_request *request;
    struct pl_session session;
    struct pl_findings findings;
    struct pl_listing listing;
    struct pl_cover_campaign cover;
    struct pl_folder *folder;
    uint64_t start_ms;
    unsigned interrupts;
    bool out_of_time;
    char reached[PL_RESULT_LINE]; /* what --until asked for; else empty */
};

static double seconds_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void show_progress(const struct campaign *c)
{
    struct pl_session_counts counts = pl_session_count(&c->session);
    struct pl_progress p = {.executions = counts.executions,
                            .limit = c->request->settings.executions,
                            .max_choices = counts.max_choices,
                            .outlook = pl_session_outlook(&c->session),
                            .findings = c->findings.result->n_findings,
                            .elapsed_ms = pl_clock_ms() - c->start_ms,
                            .time_ms = c->request->time_ms,
                            .jobs = c->request->jobs,
                            .starting = c->session.common->tickets == 0};

    if (c->request->progress != NULL)
        c->request->progress(c->request->context, &p);
}

static uint64_t overtime(uint64_t time_ms)
{
    uint64_t part = time_ms / OVERTIME_PART;

    return part < OVERTIME_LEAST_MS  ? OVERTIME_LEAST_MS
           : part > OVERTIME_MOST_MS ? OVERTIME_MOST_MS
                                     : part;
}

/* However little it is, there should be one execution: else nothing can be said at all. */
static bool is_time_over(const struct campaign *c)
{
    uint64_t limit = c->request->time_ms, elapsed = pl_clock_ms() - c->start_ms;

    if (limit == 0 || elapsed < limit)
        return false;
    const struct pl_session_counts count = pl_session_count(&c->session);

    return count.executions > 0 || elapsed >= limit + FIRST_MS;
}

/* When findings are no longer made simpler, and when they are no longer replayed. */
static struct pl_rerun_time time_for_findings(const struct campaign *c)
{
    uint64_t limit = c->request->time_ms;

    if (limit == 0)
        return (struct pl_rerun_time){0, 0};
    return (struct pl_rerun_time){c->start_ms + limit, c->start_ms + limit + overtime(limit)};
}

/* Stop for the user, or because the time is over. */
static void look_at_limits(struct campaign *c)
{
    unsigned interrupts = pl_interrupt_count();

    if (interrupts > c->interrupts)
        pl_session_stop(&c->session, interrupts > 1 ? 0 : INTERRUPT_GRACE_MS);
    c->interrupts = interrupts;
    if (!c->out_of_time && is_time_over(c)) {
        bool any = pl_session_count(&c->session).executions > 0;

        c->out_of_time = true;
        pl_session_stop(&c->session, any ? overtime(c->request->time_ms) / 2 : 0);
    }
    char reached[PL_RESULT_LINE];

    if (pl_cover_campaign_look(&c->cover, &c->request->until, reached, sizeof(reached)) &&
        c->reached[0] == '\0' && c->session.common->why == PL_WHY_NONE && !c->out_of_time) {
        strcpy(c->reached, reached);
        pl_session_stop(&c->session, c->request->settings.hang_ms + TIME_GRACE_MS);
    }
}

/* With --check-pairs: whether the program did what the analyser says it cannot. */
static int find_contradiction(const struct campaign *c, struct pl_err *err)
{
    for (unsigned i = 0; i < c->session.n_slots; i++) {
        const char *text = c->session.slots[i].board->contradiction;

        if (text[0] != '\0')
            return pl_err_set(err, PL_ERR_INTERNAL, "The analysis does not hold: %s.", text);
    }
    return 0;
}

/* Answer workers that have come to their root, or want an execution looked at; -1 when what they
 * ask makes no sense. */
static int answer(struct campaign *c, struct pl_err *err)
{
    for (unsigned i = 0; i < c->session.n_slots; i++) {
        pl_cover_campaign_answer(&c->cover, &c->session.slots[i]);
        if (c->request->settings.marks != 0 &&
            pl_marks_answer(c->request->marks, &c->session.slots[i], err) != 0)
            return -1;
    }
    for (unsigned i = 0; i < c->session.n_slots; i++)
        pl_examine_answer(&c->findings, &c->session.slots[i]);
    return find_contradiction(c, err);
}

static enum pl_session_state loop(struct campaign *c, struct pl_err *err)
{
    enum pl_session_state state;

    do {
        uint64_t left = c->request->until.kind == PL_UNTIL_NOTHING ? STEP_MS : UNTIL_STEP_MS;
        uint64_t elapsed = pl_clock_ms() - c->start_ms;

        if (c->request->time_ms > elapsed && c->request->time_ms - elapsed < left)
            left = c->request->time_ms - elapsed;
        state = pl_session_step(&c->session, (unsigned)left, err);
        if (state != PL_SESSION_FAILED && answer(c, err) != 0)
            return PL_SESSION_FAILED;
        pl_listing_update(&c->listing);
        pl_findings_update(&c->findings);
        if (c->findings.result->n_findings > 0)
            pl_folder_publish(c->folder);
        look_at_limits(c);
        show_progress(c);
    } while (state == PL_SESSION_RUNNING);
    return state;
}

/* What the program did that is not modelled. */
static void locate_call(struct campaign *c, struct pl_result *r)
{
    static const char *const what[] = {[PL_UNMODELLED_CALL] = "system call",
                                       [PL_UNMODELLED_FUNCTION] = "function",
                                       [PL_UNMODELLED_INSTRUCTION] = "instruction",
                                       [PL_UNMODELLED_FILE] = "file"};
    char place[PL_RESULT_LINE / 2];
    unsigned i = 0;

    while (i + 1 < c->session.n_slots && c->session.slots[i].board->unmodelled_pc == 0)
        i++;
    const struct pl_board *board = c->session.slots[i].board;

    pl_findings_locate(&c->findings, board->unmodelled_pc, place, sizeof(place));
    snprintf(r->unmodelled, sizeof(r->unmodelled), "the %s %.40s%s%s", what[board->unmodelled_what],
             board->unmodelled, place[0] ? " at " : "", place);
}

/* What an execution was to come to, and what it came to. */
static void locate_stray(struct campaign *c, struct pl_result *r)
{
    const struct pl_common *common = c->session.common;
    char expected[PL_RESULT_LINE / 2] = "", actual[PL_RESULT_LINE / 2] = "";
    size_t n = strlen(r->strayed);

    if (common->stray_expected.kind != PL_OP_NONE)
        pl_findings_operation(&c->findings, &common->stray_expected, expected, sizeof(expected));
    if (common->stray_actual.kind != PL_OP_NONE)
        pl_findings_operation(&c->findings, &common->stray_actual, actual, sizeof(actual));
    snprintf(r->strayed + n, sizeof(r->strayed) - n, "%s%s%s%s", expected[0] ? "; expected " : "",
             expected, actual[0] ? "; found " : "", actual);
}

/* Of which module nobody knows the calls of hooks. */
static void name_stripped(const struct pl_board *board, struct pl_result *r)
{
    for (unsigned i = 0; i < board->n_modules && i < PL_BOARD_MODULES; i++) {
        const struct pl_module *m = &board->modules[i];
        const char *path = m->path[0] != '\0' ? m->path : r->program;
        const char *slash = strrchr(path, '/');

        if (m->start <= board->stripped && board->stripped < m->end)
            snprintf(r->stripped, sizeof(r->stripped), "%s", slash != NULL ? slash + 1 : path);
    }
}

/* Where a search over blocks met what it is not made for. */
static void locate(struct campaign *c, struct pl_result *r)
{
    const struct pl_paths *p = &r->coverage.paths;

    if (p->outside_pc != 0) {
        pl_findings_locate(&c->findings, p->outside_pc, r->outside, sizeof(r->outside));
        pl_findings_locate(&c->findings, p->beside_pc, r->beside, sizeof(r->beside));
        pl_findings_name(&c->findings, p->outside_addr, r->outside_what, sizeof(r->outside_what));
    }
    if (c->session.common->stray_execution != 0)
        locate_stray(c, r);
    if (c->session.slots[0].board->stripped != 0)
        name_stripped(c->session.slots[0].board, r);
    if (c->session.slots[0].board->blind_pc != 0)
        pl_findings_locate(&c->findings, c->session.slots[0].board->blind_pc + 1, r->unhooked,
                           sizeof(r->unhooked));
    if ((r->incomplete & PL_INCOMPLETE_UNMODELLED) != 0)
        locate_call(c, r);
    if (p->atomic_pc != 0)
        pl_findings_locate(&c->findings, p->atomic_pc, r->atomics, sizeof(r->atomics));
}

/* Why the search ended; nothing when it came to its own end. */
static uint32_t why_ended(const struct campaign *c)
{
    const struct pl_common *common = c->session.common;

    PL_ASSERT(common->why <= PL_WHY_ERROR);
    if (c->interrupts > 0)
        return PL_INCOMPLETE_INTERRUPTED;
    switch ((enum pl_why)common->why) {
    case PL_WHY_COMPLETE:
        return 0;
    case PL_WHY_SHOWN:
        return PL_INCOMPLETE_SHOWN;
    case PL_WHY_EXECUTIONS:
        return PL_INCOMPLETE_EXECUTIONS;
    case PL_WHY_FINDING:
        if (common->n_counted > 0)
            return PL_INCOMPLETE_FINDING;
        return c->findings.result->divergences > 0 ? PL_INCOMPLETE_STRAYED
                                                   : PL_INCOMPLETE_SUPPRESSED;
    case PL_WHY_NONE:
    case PL_WHY_STOPPED:
    case PL_WHY_ERROR:
        break;
    }
    return c->reached[0] != '\0' ? PL_INCOMPLETE_REACHED : PL_INCOMPLETE_TIME;
}

/* All that stands against completeness, and what of it only the tool knows. */
static void judge_completeness(const struct campaign *c, bool finished, struct pl_result *r)
{
    const struct pl_common *common = c->session.common;

    r->complete = finished && common->complete;
    r->complete_within = finished && common->complete_within;
    r->incomplete |= why_ended(c);
    if (r->divergences > 0) {
        r->complete = r->complete_within = false;
        r->incomplete |= PL_INCOMPLETE_STRAYED;
    }
    if ((r->incomplete & PL_INCOMPLETE_STRAYED) != 0 && r->strayed[0] == '\0')
        snprintf(r->strayed, sizeof(r->strayed),
                 "a failure did not come again when it was replayed");
    if (common->n_counted > 0 && !c->request->settings.keep_going &&
        (common->why == PL_WHY_FINDING || r->executions <= 1)) {
        /* Nothing may seem to be left, but nobody has looked at what comes after it. */
        r->complete = r->complete_within = false;
        r->incomplete |= PL_INCOMPLETE_FINDING;
    }
    if (pl_result_uncontrolled(r) && common->n_counted == 0)
        r->complete = r->complete_within = false; /* of nothing there is no all */
    if (c->session.slots[0].board->sections_incomplete)
        r->incomplete |= PL_INCOMPLETE_SECTION;
    if ((r->incomplete & PL_INCOMPLETE_STRAYED) != 0)
        r->incomplete &= ~(uint32_t)PL_INCOMPLETE_PRUNED; /* what it left out is not known */
    for (size_t i = 0; r->instrumented && r->max_threads > 1 && i < r->n_modules; i++) {
        if (r->modules[i].unseen)
            r->incomplete |= PL_INCOMPLETE_UNSEEN;
    }
    if ((r->incomplete & PL_INCOMPLETE_UNSEEN) != 0)
        r->complete = r->complete_within = false;
    if ((r->incomplete & PL_INCOMPLETE_REACHED) != 0)
        snprintf(r->until, sizeof(r->until), "%s", c->reached);
}

/* A worker gave up: a parameter that the strategy refuses, or a bug of ours. */
static int explain_error(struct campaign *c, struct pl_err *err)
{
    PL_ASSERT(c->session.common->why == PL_WHY_ERROR);
    const struct pl_board *board = pl_session_culprit(&c->session);
    char path[PL_RESULT_LINE];

    if (board->error_class != PL_ERR_INTERNAL)
        return pl_err_set(err, (enum pl_err_class)board->error_class, "%s", board->error);
    pl_findings_keep_current(&c->findings, board, path, sizeof(path));
    return pl_err_set(err, PL_ERR_INTERNAL, "%.300s. This is a bug in plait. %s%s", board->error,
                      path[0] ? "Please report it with " : "Please report it", path);
}

/* Workers that were stopped while what an execution came to was looked into: it was one. */
static void count_stopped(const struct campaign *c, struct pl_result *r)
{
    for (unsigned i = 0; i < c->session.n_slots; i++) {
        const struct pl_board *board = c->session.slots[i].board;

        r->executions += board->found_in > board->counted;
    }
}

/* What was given up, so that nobody takes silence for an answer. */
static void note_slow(const struct campaign *c, struct pl_result *r)
{
    uint64_t first = UINT64_MAX;
    double seconds = (double)c->request->settings.hang_ms / 1000;

    for (unsigned i = 0; i < c->session.n_slots; i++) {
        uint64_t n = c->session.slots[i].board->slow_first;

        if (n != 0 && n < first)
            first = n;
    }
    if (r->slow > 0)
        pl_result_note(
            r,
            "execution %llu was given up after %.6g s of processor time%s while its "
            "threads made progress%s",
            (unsigned long long)first, seconds,
            c->request->settings.max_steps == PL_PACE_STEPS ? ", or a billion operations," : "",
            r->slow > 1 ? "; so were others" : "");
    if (r->executions == 0 && c->out_of_time)
        pl_result_note(r, "no execution came to its end within the time");
}

/* A new folder in the home, with what the results in it are of. */
static int begin_folder(struct pl_folder *folder, const struct pl_request *request,
                        const struct pl_target *target, struct pl_err *err)
{
    char about[2 * PATH_MAX], build[2 * sizeof(target->program.build_id) + 1], started[32];
    char *whole = realpath(target->program.path, NULL);
    time_t now = time(NULL);
    struct tm tm;

    pl_program_hex(target->program.build_id, target->program.build_id_size, build);
    strftime(started, sizeof(started), "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &tm));
    snprintf(about, sizeof(about), "program %s\nbuild %s\nstarted %s\n",
             whole ? whole : target->program.path, build[0] ? build : "-", started);
    free(whole);
    return pl_folder_begin(folder, request->home, request->named, about, err);
}

/* It has come to a result: others may go. */
static void end_folder(struct pl_folder *folder, struct pl_result *result)
{
    pl_folder_publish(folder);
    if (result->n_findings > 0 && !pl_own_is_known())
        pl_result_note(result,
                       "there is no folder for a key (XDG_STATE_HOME, HOME), so plait cannot know "
                       "these schedules as yours: name the program behind -- to replay them");
    struct pl_folder_removed removed = pl_folder_bound(folder->home);

    if (removed.campaigns == 0)
        return;
    char with[48] = "none of them with a finding";

    if (removed.findings > 0)
        snprintf(with, sizeof(with), "with %u finding%s", removed.findings,
                 removed.findings == 1 ? "" : "s");
    pl_result_note(
        result, "to make room in %s, %u old campaign%s removed, %s; plait clean removes more",
        folder->home, removed.campaigns, removed.campaigns == 1 ? " was" : "s were", with);
}

static int explore(const struct pl_request *request, const struct pl_target *target,
                   struct pl_judge *judge, struct pl_folder *folder, struct pl_result *result,
                   struct pl_err *err)
{
    struct campaign c = {.request = request, .folder = folder, .start_ms = pl_clock_ms()};

    judge->last_ms = time_for_findings(&c).last;
    pl_pairs_until(judge->last_ms);
    judge->patience_ms = request->settings.hang_ms;
    double started = seconds_now();
    struct pl_err other;

    if (pl_session_open(&c.session, target, pl_judge_wanted(judge) ? judge : NULL,
                        &request->settings, request->jobs, err) != 0)
        return -1;
    if (pl_cover_campaign_open(&c.cover, request, target->program.path, &c.session, err) != 0 ||
        begin_folder(folder, request, target, err) != 0) {
        pl_cover_campaign_close(&c.cover);
        pl_session_close(&c.session);
        return -1;
    }
    snprintf(result->folder, sizeof(result->folder), "%.300s", folder->path);
    snprintf(result->home, sizeof(result->home), "%.300s", folder->home);
    c.findings = (struct pl_findings){
        .request = request, .session = &c.session, .result = result, .time = time_for_findings(&c)};
    /* A folder for changes is a worker's. */
    c.findings.beside = *target;
    c.findings.beside.beside = true;
    if (strcmp(request->files, "real") != 0)
        c.findings.beside.files = "overlay";
    pl_listing_open(&c.listing, request, &c.session);
    enum pl_session_state state = loop(&c, err);
    int rc = state == PL_SESSION_FAILED || find_contradiction(&c, err) != 0 ? -1 : 0;

    if (state == PL_SESSION_FINISHED && c.session.common->why == PL_WHY_ERROR)
        rc = explain_error(&c, err);
    double seconds = seconds_now() - started;

    if (!request->settings.keep_going) /* the search was over by then */
        seconds -= (double)c.findings.took_ms / 1000;
    pl_count_result(result, &c.session, seconds);
    count_stopped(&c, result);
    judge_completeness(&c, state == PL_SESSION_FINISHED, result);
    note_slow(&c, result);
    locate(&c, result);
    if (rc == 0) {
        pl_sought_result(result, &c.session);
        pl_findings_orders(&c.findings);
    }
    pl_findings_finish(&c.findings);
    if (rc == 0 && pl_judged_finish(result, request->home, &c.session, &c.findings, err) != 0)
        rc = -1;
    if (pl_cover_campaign_finish(&c.cover, result, rc == 0 ? err : &other) != 0)
        rc = -1;
    pl_cover_holds_explain(result, &c.cover);
    pl_cover_campaign_close(&c.cover);
    pl_listing_close(&c.listing);
    pl_session_close(&c.session);
    return rc;
}

/* In a folder of its own, in the home that the user named or the program has. */
static int explore_in(struct pl_folder *folder, const struct pl_request *request,
                      const struct pl_target *target, struct pl_judge *judge,
                      struct pl_result *result, struct pl_err *err)
{
    struct pl_request own = *request;
    char home[PATH_MAX];

    if (own.home == NULL && pl_folder_home(home, target->program.path, err) != 0)
        return -1;
    own.named = own.home != NULL;
    if (!own.named)
        own.home = home;
    own.folder = folder->path;
    int rc = explore(&own, target, judge, folder, result, err);

    if (folder->fd >= 0 && (rc == 0 || result->n_findings > 0))
        end_folder(folder, result);
    return rc;
}

int pl_campaign_run(const struct pl_request *request, struct pl_result *result, struct pl_err *err)
{
    struct pl_folder folder = {.fd = -1, .mark = -1};
    struct pl_target target;
    struct pl_judge judge;
    int rc = -1;

    PL_ASSERT(request->argv != NULL && request->argv[0] != NULL);
    PL_ASSERT(request->jobs >= 1 && request->jobs <= PL_WORKERS_MAX);
    PL_ASSERT(request->paths == 0 || request->path != NULL);
    PL_ASSERT(request->settings.marks == 0 || request->marks != NULL);
    PL_ASSERT(!request->settings.suppressing || request->suppressions != NULL);
    memset(result, 0, sizeof(*result));
    snprintf(result->program, sizeof(result->program), "%s", request->argv[0]);
    pl_request_strategy(&request->settings, result->strategy, sizeof(result->strategy));
    result->seed = request->settings.seed;
    result->execution_limit = request->settings.executions;
    result->time_limit_ms = request->time_ms;
    result->suppressions = request->suppressions;
    pl_interrupt_install();
    if (pl_judge_open(&judge, request->expect_output, request->check, err) != 0) {
        pl_judge_close(&judge);
        return -1;
    }
    if (pl_target_open(&target, request->argv, request->files, request->settings.client, NULL,
                       err) == 0) {
        target.may_cover = !request->files_named && strcmp(request->files, "real") == 0;
        target.beside = request->jobs > 1;
        rc = explore_in(&folder, request, &target, &judge, result, err);
    }
    if (rc != 0 && result->n_findings == 0)
        result->folder[0] = '\0'; /* which is gone */
    pl_folder_end(&folder);
    if (target.input.silent)
        fprintf(stderr, "plait: standard input is a pipe that stayed silent, so the program got "
                        "none. Use </dev/null or a file.\n");
    pl_target_close(&target);
    pl_judge_close(&judge);
    return rc;
}
