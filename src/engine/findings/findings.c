/* SPDX-License-Identifier: MIT */
/*
 * See findings.h.  An entry of common->found is complete before n_found counts
 * it and does not change afterwards, except for its count.
 */
#include "engine/findings/findings.h"

#include "base/assert.h"
#include "engine/findings/describe.h"
#include "engine/findings/draft.h"
#include "engine/findings/group.h"
#include "engine/findings/suppress.h"
#include "engine/shared/clock.h"
#include "engine/shared/folder.h"
#include "model/module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEAST_MS = 1000,
    TRIED_PAIRS = 4, /* of a race, as long as none leads to a failure */
};

static const struct pl_target *target_of(const struct pl_findings *f)
{
    return f->session->slots[0].target;
}

/* Workers load the same modules, but not at the same time. */
struct pl_symbols *pl_findings_symbols(struct pl_findings *f, const struct pl_board *board)
{
    return pl_symbols_of(&f->symbols, board, target_of(f)->program.path);
}

static struct pl_result_finding *find_known(const struct pl_findings *f, const char *kind,
                                            uint64_t signature)
{
    for (size_t i = 0; i < f->result->n_findings; i++) {
        struct pl_result_finding *known = &f->result->findings[i];

        if (known->signature == signature && strcmp(known->kind, kind) == 0)
            return known;
    }
    return NULL;
}

static void forget_words(struct pl_result_finding *out)
{
    pl_result_forget(out);
    memset(out, 0, sizeof(*out));
}

/*
 * A deadlock was predicted.  If it can be reached, that is the finding; false when
 * it has been reported already.
 */
static bool settle_prediction(struct pl_findings *f, struct pl_draft *d,
                              struct pl_result_finding *out, unsigned number)
{
    struct pl_result_driven driven = {0};
    struct pl_session session;
    struct pl_origin reached;
    bool new = true;

    if (!pl_draft_is_driven(f, d, PL_FINDING_LOCK_ORDER) ||
        !pl_draft_drive_deadlock(f, d, &session, &reached, &driven)) {
        out->driven = driven;
        pl_draft_finish(f, d, out, number);
        return true;
    }
    const struct pl_finding *deadlock = &reached.found->finding;
    struct pl_scene scene = pl_draft_scene(f, &reached);

    if (find_known(f, pl_finding_text(deadlock->kind), deadlock->signature) != NULL) {
        new = false;
    } else if (pl_suppress_finding(f->request->suppressions, &scene, deadlock)) {
        f->result->n_suppressed++;
        new = false;
    } else {
        struct pl_draft confirmed;

        forget_words(out);
        out->execution = d->confirm.origin.found->execution;
        pl_draft_open(&confirmed, f, &reached, out, number, d);
        out->driven = driven;
        pl_draft_finish(f, &confirmed, out, number);
        pl_draft_close(&confirmed);
    }
    pl_session_close(&session);
    return new;
}

/* Whether it is in the result already: predicted and reached, or predicted of what was found. */
static bool is_known(struct pl_findings *f, const struct pl_found *found)
{
    const struct pl_common *common = f->session->common;
    struct pl_goal goal = pl_drive_goal(&found->finding, NULL, 0);

    if (found->finding.kind == PL_FINDING_LOCK_ORDER)
        return pl_drive_find(common, &goal) != NULL;
    return found->finding.kind == PL_FINDING_DEADLOCK &&
           find_known(f, pl_finding_text(PL_FINDING_DEADLOCK), found->finding.signature) != NULL;
}

static struct pl_result_finding *add_result(struct pl_result *result)
{
    result->findings =
        realloc(result->findings, (result->n_findings + 1) * sizeof(*result->findings));
    if (result->findings == NULL)
        abort();
    return memset(&result->findings[result->n_findings++], 0, sizeof(*result->findings));
}

/* However late the first finding is made, it is tried once. */
static void grant_time(struct pl_findings *f)
{
    uint64_t least = pl_clock_ms() + LEAST_MS;

    if (f->time.last != 0 && f->time.last < least && f->result->n_findings == 0)
        f->time.last = least;
}

/*
 * It did not come again, so nobody could do anything with it.  Another matter is what free threads
 * did if it was not to be recorded in full: that has happened, and the recording is not to blame.
 * Nor is one of threads that go round and round for as long as there is time.
 */
static bool is_no_finding(const struct pl_findings *f, const struct pl_result_finding *out)
{
    bool endless = out->strayed && strcmp(out->kind, pl_finding_text(PL_FINDING_HANG)) == 0;

    return out->varied &&
           (!f->request->settings.starts_chosen ||
            (f->session->slots[0].board->settings.record == PL_RECORD_FULL && !endless));
}

static void note_unrepeated(struct pl_result *r, const struct pl_result_finding *out)
{
    pl_result_note(r, "execution %llu came to %s%s%s%s%s, and did not come again: %s",
                   (unsigned long long)out->execution, out->kind, out->location[0] ? " at " : "",
                   out->location, out->message[0] ? ": " : "", out->message, out->unreplayed);
}

/* Whether another pair of statements may still say more about a race than is known. */
static bool is_open(const struct pl_result_finding *race)
{
    return race->pairs < TRIED_PAIRS && strcmp(race->driven.effect, "failure") != 0;
}

/* Another pair of a race that is known: where that was not confirmed or does no harm, this may. */
static void join(struct pl_findings *f, struct pl_draft *d, struct pl_result_finding *pair,
                 struct pl_result_finding *race)
{
    unsigned number = (unsigned)(race - f->result->findings) + 1;

    if (is_open(race) && pl_draft_is_driven(f, d, PL_FINDING_RACE)) {
        pair->driven = (struct pl_result_driven){0};
        pl_draft_drive_race(f, d, pair, number);
        if (pair->driven.confirmed &&
            (!race->driven.confirmed || strcmp(pair->driven.effect, "failure") == 0))
            race->driven = pair->driven;
    }
    pl_group_join(race, pair);
}

/* Tell about the race that was waiting for more of its pairs. */
static void tell(struct pl_findings *f)
{
    unsigned number = f->untold;

    f->untold = 0;
    if (number != 0 && f->request->finding != NULL)
        f->request->finding(f->request->context, &f->result->findings[number - 1], number);
}

/* Whether a race counts only once both orders have been seen: on request, or because what orders
 * the two accesses may be code without hooks, of which nothing is announced. */
static bool is_to_be_shown(const struct pl_findings *f)
{
    return f->request->confirmed ||
           (!f->request->unconfirmed && pl_module_has_unseen(f->session->slots[0].board));
}

/* Whether it is left out: nothing has shown that both orders exist. */
static bool is_left_out(const struct pl_findings *f, const struct pl_result_finding *out)
{
    return pl_finding_find(out->kind) == PL_FINDING_RACE && !out->driven.confirmed &&
           is_to_be_shown(f);
}

/* Whether enough pairs of that variable have been tried for nothing. */
static bool is_given_up(const struct pl_findings *f, const struct pl_result_finding *pair)
{
    const struct pl_result_finding *doubt = pl_group_find(f->doubts, f->n_doubts, pair);

    return doubt != NULL && doubt->pairs >= TRIED_PAIRS;
}

/* Remember a race that is left out: the next pair of its variable is the same one. */
static void leave_out(struct pl_findings *f, struct pl_result_finding *out)
{
    struct pl_result_finding *doubt = pl_group_find(f->doubts, f->n_doubts, out);

    if (doubt != NULL) {
        pl_group_join(doubt, out);
        forget_words(out);
        return;
    }
    f->doubts = pl_err_must(realloc(f->doubts, (f->n_doubts + 1) * sizeof(*f->doubts)));
    f->doubts[f->n_doubts++] = *out;
    memset(out, 0, sizeof(*out));
    *(f->request->confirmed ? &f->result->unconfirmed : &f->result->doubtful) += 1;
}

/* Whether it came with more early time-outs than may be, and no way with fewer was found. */
static bool is_untimely(const struct pl_found *found, const struct pl_result_finding *out)
{
    return found->early > 0 && out->n_early > PL_TIME_OUTS_BUDGET;
}

static void note_untimely(struct pl_result *r, const struct pl_result_finding *out)
{
    pl_result_note(r,
                   "execution %llu came to %s%s%s%s%s, after %llu early time-outs; no way with at "
                   "most %d was found, so it does not count (see --time-outs)",
                   (unsigned long long)out->execution, out->kind, out->location[0] ? " at " : "",
                   out->location, out->message[0] ? ": " : "", out->message,
                   (unsigned long long)out->n_early, (int)PL_TIME_OUTS_BUDGET);
}

/* What became of a finding that was dealt with: whether it is in the result. */
static bool keep(struct pl_findings *f, const struct pl_found *found, bool new)
{
    struct pl_result *result = f->result;
    unsigned number = (unsigned)result->n_findings;
    struct pl_result_finding *out = &result->findings[number - 1];
    bool left_out = new &&is_left_out(f, out), varied = is_no_finding(f, out);
    bool untimely = !varied && is_untimely(found, out), holds = !varied && !left_out && !untimely;

    if (!out->replays && !out->unrecorded && !out->untried && !(out->unwritten && !out->varied))
        result->divergences++;
    f->refused = left_out   ? PL_FOUND_SUPPRESSED
                 : untimely ? PL_FOUND_UNTIMELY
                            : PL_FOUND_UNREPEATED;
    if (untimely)
        note_untimely(result, out);
    else if (!holds && !left_out)
        note_unrepeated(result, out);
    if (!new || !holds) {
        if (left_out)
            leave_out(f, out);
        else
            forget_words(out);
        result->n_findings--;
        return holds;
    }
    out->count = found->count;
    tell(f);
    f->untold = number;
    if (found->finding.kind != PL_FINDING_RACE)
        tell(f);
    return true;
}

static bool add(struct pl_findings *f, uint32_t which)
{
    const struct pl_found *found = &f->session->common->found[which];
    struct pl_origin origin = pl_draft_origin(f, found);
    struct pl_result *result = f->result;

    if (is_known(f, found))
        return true;
    grant_time(f);
    struct pl_result_finding *out = add_result(result);
    unsigned number = (unsigned)result->n_findings;
    struct pl_draft d;

    PL_ASSERT(number >= 1 && number <= PL_COMMON_FINDINGS && which < PL_COMMON_FINDINGS);
    f->found[number - 1] = which;
    out->execution = found->execution;
    out->n_early = found->early;
    pl_draft_open(&d, f, &origin, out, number, NULL);
    struct pl_result_finding *race = pl_group_find(result->findings, number - 1, out);
    bool new = true;

    if (race != NULL)
        join(f, &d, out, race);
    else if (is_given_up(f, out))
        out->untried = true;
    else if (found->finding.kind == PL_FINDING_LOCK_ORDER)
        new = settle_prediction(f, &d, out, number);
    else
        pl_draft_finish(f, &d, out, number);
    pl_draft_close(&d);
    if (race == NULL)
        return keep(f, found, new);
    forget_words(out);
    result->n_findings--;
    return true;
}

/* Whether it has to be dealt with before it is known whether it counts. */
static bool is_added_first(const struct pl_findings *f, const struct pl_found *found)
{
    return !f->request->settings.keep_going || found->early > 0 ||
           (found->finding.kind == PL_FINDING_RACE && is_to_be_shown(f));
}

/*
 * The worker that has found it waits for the answer, unless every finding counts.  Where the first
 * one ends the search, it must be one that holds.
 */
static void judge(struct pl_findings *f, uint32_t which)
{
    struct pl_found *found = &f->session->common->found[which];

    if (found->verdict != PL_FOUND_OPEN)
        return;
    struct pl_origin origin = pl_draft_origin(f, found);
    struct pl_scene scene = pl_draft_scene(f, &origin);

    if (pl_suppress_finding(f->request->suppressions, &scene, &found->finding)) {
        f->result->n_suppressed++;
        pl_slot_answer(&found->verdict, PL_FOUND_SUPPRESSED);
    } else if (is_added_first(f, found) && !add(f, which)) {
        pl_slot_answer(&found->verdict, f->refused);
    } else {
        f->session->common->n_counted++; /* before the worker looks whether to go on */
        pl_slot_answer(&found->verdict, PL_FOUND_COUNTS);
    }
}

void pl_findings_update(struct pl_findings *f)
{
    struct pl_common *common = f->session->common;
    uint64_t start = pl_clock_ms();
    uint32_t n = common->n_found < PL_COMMON_FINDINGS ? common->n_found : PL_COMMON_FINDINGS;

    PL_ASSERT(f->seen <= f->judged && f->judged <= n);
    for (; f->judged < n; f->judged++) {
        bool open = common->found[f->judged].verdict == PL_FOUND_OPEN;

        judge(f, f->judged);
        f->added[f->judged] = open && is_added_first(f, &common->found[f->judged]);
    }
    bool quiet = f->seen == n;

    for (; f->seen < n; f->seen++) {
        if (common->found[f->seen].verdict == PL_FOUND_COUNTS && !f->added[f->seen] &&
            common->found[f->seen].finding.kind != PL_FINDING_ORDER)
            add(f, f->seen);
    }
    if (quiet)
        tell(f);
    f->took_ms += pl_clock_ms() - start;
}

/* The execution that shows an order in the way that counts; NULL when there is none. */
static const struct pl_found *find_shown(const struct pl_common *common, unsigned order,
                                         enum pl_order_verdict verdict)
{
    for (uint32_t i = 0; i < common->n_found && i < PL_COMMON_FINDINGS; i++) {
        const struct pl_finding *f = &common->found[i].finding;

        if (f->kind == PL_FINDING_ORDER && f->status == (int)order &&
            (f->rows[1].waits == PL_ROW_LATER) == (verdict == PL_ORDER_LATER))
            return &common->found[i];
    }
    return NULL;
}

void pl_findings_orders(struct pl_findings *f)
{
    struct pl_result *r = f->result;

    for (unsigned i = 0; i < r->n_orders; i++) {
        struct pl_result_order *order = &r->orders[i];
        const struct pl_found *found = find_shown(f->session->common, i, order->verdict);
        struct pl_draft d;

        if (found == NULL)
            continue;
        struct pl_origin origin = pl_draft_origin(f, found);

        order->found = pl_err_must(calloc(1, sizeof(*order->found)));
        snprintf(order->found->cover, sizeof(order->found->cover), "%s", order->text);
        order->found->execution = found->execution;
        order->found->count = found->count;
        pl_draft_open(&d, f, &origin, order->found, i + 1, NULL);
        pl_draft_finish(f, &d, order->found, i + 1);
        pl_draft_close(&d);
        if (!order->found->replays && !order->found->untried)
            r->divergences++;
        if (f->request->finding != NULL)
            f->request->finding(f->request->context, order->found, i + 1);
    }
}

/* What is on this board now. */
static struct pl_scene scene_now(struct pl_findings *f, const struct pl_board *board)
{
    return (struct pl_scene){board->threads, board->n_threads, pl_findings_symbols(f, board), NULL,
                             NULL};
}

void pl_findings_schedule(struct pl_findings *f, const struct pl_board *board,
                          struct pl_schedule *s)
{
    struct pl_scene scene = scene_now(f, board);
    struct pl_result_finding none = {.execution = board->execution};
    struct pl_record record = {.request = f->request,
                               .target = target_of(f),
                               .finding = &none,
                               .kind = PL_FINDING_NONE,
                               .scene = &scene,
                               .choices = board->choices,
                               .n_choices = pl_board_choices(board)};

    PL_ASSERT(record.n_choices <= PL_BOARD_CHOICES);
    pl_schedule_init(s);
    pl_record_fill(s, &record);
}

void pl_findings_keep_current(struct pl_findings *f, const struct pl_board *board, char *path,
                              size_t size)
{
    struct pl_schedule s;
    struct pl_err err;

    pl_findings_schedule(f, board, &s);
    pl_folder_schedule(f->request->folder, 0, pl_finding_text(PL_FINDING_NONE), path, size);
    if (pl_schedule_write(path, &s, &err) != 0)
        path[0] = '\0';
    pl_schedule_free(&s);
}

void pl_findings_finish(struct pl_findings *f)
{
    const struct pl_common *common = f->session->common;

    PL_ASSERT(f->result->n_findings <= PL_COMMON_FINDINGS);
    tell(f);
    for (size_t i = 0; i < f->result->n_findings; i++) {
        uint64_t count = common->found[f->found[i]].count, all = f->result->executions;

        /* One that was stopped before it counted may have shown it as well. */
        f->result->findings[i].count = count > all && all > 0 ? all : count;
    }
    for (size_t i = 0; i < f->n_doubts; i++)
        forget_words(&f->doubts[i]);
    free(f->doubts);
    f->doubts = NULL;
    f->n_doubts = 0;
    pl_symbols_close(f->symbols);
    f->symbols = NULL;
}

void pl_findings_locate(struct pl_findings *f, uint64_t pc, char *to, size_t size)
{
    const struct pl_board *board = f->session->slots[0].board;
    struct pl_scene scene = scene_now(f, board);

    pl_describe_line(&scene, pc, to, size);
}

void pl_findings_operation(struct pl_findings *f, const struct pl_operation *op, char *to,
                           size_t size)
{
    const struct pl_board *board = f->session->slots[0].board;
    struct pl_scene scene = scene_now(f, board);
    char thread[PL_RESULT_WORD] = "", place[PL_RESULT_LINE], object[PL_RESULT_LINE] = "";

    for (pl_tid i = 0; i < board->n_threads && thread[0] == '\0'; i++) {
        if (board->threads[i].name == op->name) /* the same in every execution */
            pl_describe_thread(&scene, i, thread, sizeof(thread));
    }
    if (op->addr != 0)
        snprintf(object, sizeof(object), "%s", pl_symbols_variable(scene.symbols, op->addr));
    pl_describe_line(&scene, op->pc, place, sizeof(place));
    snprintf(to, size, "%s%s%.60s%s%.24s%s%.80s", pl_operation_text(op->kind),
             object[0] ? " of " : "", object, thread[0] ? " by thread " : "", thread,
             place[0] ? " at " : "", place);
}

void pl_findings_name(struct pl_findings *f, uint64_t address, char *to, size_t size)
{
    struct pl_symbols *symbols = pl_findings_symbols(f, f->session->slots[0].board);

    snprintf(to, size, "%s", pl_symbols_variable(symbols, address));
}
