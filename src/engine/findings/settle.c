/* SPDX-License-Identifier: MIT */
/* See settle.h. */
#include "engine/findings/settle.h"

#include "base/assert.h"
#include "engine/findings/explain.h"
#include "engine/findings/minimize.h"
#include "engine/findings/said.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGER = 4, LONG = 20000 };

/* A schedule that was run again with every operation recorded. */
struct traced {
    struct pl_session session;
    const struct pl_board *board;
    struct pl_symbols *symbols;
    struct pl_scene scene;
    uint64_t n_choices;         /* those that the schedule has; UINT64_MAX: cannot be said */
    unsigned kind;              /* of the finding, */
    uint64_t signature;         /* and which one */
    char wrong[PL_RESULT_TEXT]; /* what did not go as recorded; empty when all did */
    bool strayed;               /* it did not come to the end of the schedule */
};

/* An execution may make more choices than there is room for. */
static uint64_t stored(uint64_t n, uint64_t room)
{
    return n < room ? n : room;
}

static bool has_strayed(const struct pl_board *board, enum pl_rerun_verdict verdict)
{
    return verdict == PL_RERUN_DIVERGED || board->outcome == PL_OUTCOME_SLOW;
}

/* Run it again; -1 when it could not be run, with nothing left to close. */
static int trace(struct traced *t, const struct pl_rerun_job *job, const struct pl_record *record,
                 uint64_t signature)
{
    struct pl_err err;

    PL_ASSERT(job->schedule != NULL && record->kind < PL_FINDING_KINDS);
    t->wrong[0] = '\0';
    t->kind = record->kind;
    t->signature = signature;
    if (pl_rerun_run(&t->session, job, job->schedule->n_packed == 0, &err) != 0) {
        snprintf(t->wrong, sizeof(t->wrong), "it could not be replayed: %s", err.text);
        return -1;
    }
    t->board = t->session.slots[0].board;
    t->symbols = pl_symbols_open(t->board, job->target->program.path);
    t->scene = (struct pl_scene){t->board->threads, t->board->n_threads, t->symbols, NULL,
                                 t->board->frames};
    enum pl_rerun_verdict verdict =
        pl_rerun_compare(&t->session, t->symbols, job->schedule, record->kind, signature, t->wrong,
                         sizeof(t->wrong));

    t->strayed = has_strayed(t->board, verdict);
    t->n_choices = pl_record_match(record->choices, record->n_choices, t->board->choices,
                                   stored(t->board->n_choices, PL_BOARD_CHOICES));
    /* Where the thread goes on is a choice of the replay too, so there may be too many of them. */
    bool all = t->board->n_choices <= PL_BOARD_CHOICES;

    if (verdict == PL_RERUN_SAME && t->n_choices == UINT64_MAX && all)
        snprintf(t->wrong, sizeof(t->wrong), "it found the same, but by other choices");
    return 0;
}

static void close_traced(struct traced *t)
{
    pl_symbols_close(t->symbols);
    pl_session_close(&t->session);
}

static int write_traced(const char *path, const struct pl_record *from, const struct traced *t,
                        struct pl_err *err)
{
    struct pl_record record = *from;
    struct pl_schedule s;

    if (t->n_choices == UINT64_MAX)
        return pl_err_set(err, PL_ERR_TARGET, "it makes more choices than are kept");
    PL_ASSERT(path[0] != '\0' && t->n_choices <= PL_BOARD_CHOICES);
    record.scene = &t->scene;
    record.choices = t->board->choices;
    record.n_choices = t->n_choices;
    record.events = t->board->trace;
    record.n_events = stored(t->board->n_events, PL_BOARD_EVENTS);
    pl_schedule_init(&s);
    pl_record_fill(&s, &record);
    int rc = pl_schedule_write(path, &s, err);

    pl_schedule_free(&s);
    return rc;
}

/* The finding in the words of this execution: other threads may play the parts. */
static void describe_again(struct pl_result_finding *out, const struct traced *t)
{
    const struct pl_found *found = pl_rerun_find(t->session.common, t->kind, out->signature);
    struct pl_scene scene = t->scene;

    if (found == NULL)
        return;
    PL_ASSERT(found->finding.kind == t->kind);
    pl_result_forget(out);
    scene.row_frames = pl_describe_frames(t->session.common, found);
    pl_describe_finding(&scene, &found->finding, out);
}

/* Which time-outs came early in it. */
static void describe_early(struct pl_result_finding *out, const struct traced *t)
{
    pl_describe_early(&t->scene, t->board->trace, stored(t->board->n_events, PL_BOARD_EVENTS),
                      out->early, sizeof(out->early));
    out->n_early = t->board->early;
}

/* What it printed; beside the schedule where the campaign has a folder. */
static void take_words(const struct pl_settle *s, struct pl_result_finding *out,
                       const struct traced *t)
{
    bool kept = s->request->folder != NULL && out->schedule[0] != '\0';

    pl_said_take(out, &t->session, kept ? out->schedule : NULL, s->request->show_output);
}

void pl_settle_as_found(struct pl_settle *s, struct pl_result_finding *out)
{
    struct traced t;
    struct pl_err err;

    if (trace(&t, &s->job, &s->record, out->signature) != 0) {
        out->untried = pl_rerun_over(s->job.time.last);
        snprintf(out->unreplayed, sizeof(out->unreplayed), "%s",
                 out->untried ? PL_RERUN_OVER : t.wrong);
        return;
    }
    snprintf(out->unreplayed, sizeof(out->unreplayed), "%s", t.wrong);
    out->replays = t.wrong[0] == '\0';
    out->varied = !out->replays;
    out->strayed = t.strayed;
    if (out->replays)
        take_words(s, out, &t);
    if (out->replays)
        describe_early(out, &t);
    /* What cannot be annotated stays as it was written. */
    if (out->replays && t.n_choices != UINT64_MAX && s->job.schedule->n_packed == 0 &&
        write_traced(out->schedule, &s->record, &t, &err) != 0) {
        snprintf(out->unreplayed, sizeof(out->unreplayed), "the schedule was not written: %s",
                 err.text);
        out->schedule[0] = '\0';
    }
    close_traced(&t);
}

/* Once more as `plait replay` does it: with what is in the file, and nothing that is known. */
static bool replay_plainly(struct pl_settle *s, struct pl_result_finding *out,
                           const struct pl_rerun_job *job)
{
    struct pl_session session;
    struct pl_err err;
    char wrong[PL_RESULT_TEXT];

    if (pl_rerun_run(&session, job, false, &err) != 0)
        return false;
    struct pl_symbols *symbols = pl_symbols_open(session.slots[0].board, job->target->program.path);

    enum pl_rerun_verdict verdict = pl_rerun_compare(
        &session, symbols, job->schedule, s->record.kind, out->signature, wrong, sizeof(wrong));

    out->replays = verdict == PL_RERUN_SAME;
    out->strayed = has_strayed(session.slots[0].board, verdict);
    pl_symbols_close(symbols);
    pl_session_close(&session);
    return out->replays;
}

bool pl_settle_again(struct pl_settle *s, struct pl_result_finding *out, bool *exec)
{
    struct pl_rerun_job job = {.judge = s->job.judge,
                               .settings = s->job.settings,
                               .schedule = s->job.schedule,
                               .time = s->job.time};
    struct pl_target target;
    struct pl_err err;

    PL_ASSERT(out->varied && !out->replays);
    *exec = false;
    job.settings.checkpoints = PL_CHECKPOINTS_AUTO;
    job.settings.outputs = false;
    if (pl_target_open(&target, s->request->argv, s->job.target->files, s->request->settings.client,
                       s->job.schedule->inputs, &err) == 0) {
        target.beside = s->job.target->beside;
        job.target = &target;
        replay_plainly(s, out, &job);
        if (!out->replays && !s->request->files_named) { /* workers may be in the way */
            target.files = "overlay";
            replay_plainly(s, out, &job);
            target.files = s->job.target->files;
        }
        if (!out->replays && job.settings.restart != PL_RESTART_EXEC) {
            job.settings.restart = PL_RESTART_EXEC;
            *exec = replay_plainly(s, out, &job);
        }
    }
    pl_target_close(&target);
    out->untried = !out->replays && pl_rerun_over(job.time.last);
    out->varied = !out->replays && !out->untried;
    if (out->replays)
        out->unreplayed[0] = '\0';
    return out->replays;
}

/* The record and schedule of an execution that was kept. */
struct copy {
    struct pl_scene scene;
    struct pl_record record;
    struct pl_schedule schedule;
    struct pl_rerun_job job;
};

static void open_copy(struct copy *c, const struct pl_settle *s, const struct pl_kept *kept,
                      const struct pl_common *common, struct pl_symbols *symbols)
{
    c->scene = (struct pl_scene){kept->threads, kept->n_threads, symbols, NULL, NULL};
    c->record = s->record;
    c->record.scene = &c->scene;
    c->record.choices = kept->choices;
    c->record.n_choices = kept->n_choices;
    c->job = s->job;
    c->job.schedule = &c->schedule;
    c->job.known = (struct pl_rerun_known){common->shared, common->n_shared, &common->sought};
}

static void fill_copy(struct copy *c)
{
    pl_schedule_init(&c->schedule);
    pl_record_fill(&c->schedule, &c->record);
}

static struct pl_explain_side side_of(const struct traced *t)
{
    return (struct pl_explain_side){&t->scene, t->board->trace,
                                    stored(t->board->n_events, PL_BOARD_EVENTS)};
}

/* What is freed too early need not be known to be shared, and so not be in a trace. */
static void blame_free(struct pl_result_explanation *out, const struct pl_result_finding *f)
{
    if (f->other[0] != '\0' && f->location[0] != '\0')
        snprintf(out->text, sizeof(out->text),
                 "a block is freed at %s before thread %s uses it at %s", f->other, f->thread,
                 f->location);
}

/* For an execution that fails at once where the two part: no operation is left. */
static struct pl_event where_it_failed(const struct pl_finding *f)
{
    return (struct pl_event){.op = {.kind = PL_OP_NONE, .tid = f->tid, .pc = f->pc}};
}

static void put_into_words(struct pl_result_explanation *out, const struct pl_minimal *answer,
                           unsigned kind, const struct traced *f, const struct traced *p)
{
    const struct pl_choice *taken =
        &pl_minimize_kept(answer, answer->failing)->choices[answer->choice];
    const struct pl_choice *other =
        &pl_minimize_kept(answer, answer->passing)->choices[answer->choice];
    struct pl_explain_side failing = side_of(f), passing = side_of(p);

    if (taken->kind == PL_CHOICE_THREAD) {
        const struct pl_found *found = pl_rerun_find(f->session.common, f->kind, f->signature);
        struct pl_event last = where_it_failed(&found->finding);
        struct pl_explain_pair pair =
            pl_explain_find(&failing, &passing, kind == PL_FINDING_DEADLOCK);

        if (pair.first == NULL)
            pair.first = &last;
        pl_explain_order(out, &failing, &passing, &pair);
    } else {
        pl_explain_choice(out, &failing, taken, other);
    }
}

/* Run the one that passes; if it does again, write it, and say where the two part. */
static void explain(struct pl_settle *s, struct pl_result_finding *out,
                    const struct pl_minimal *answer, const struct traced *failing)
{
    const struct pl_kept *f = pl_minimize_kept(answer, answer->failing);
    const struct pl_kept *p = pl_minimize_kept(answer, answer->passing);
    struct pl_result_explanation *e = &out->explanation;
    struct pl_result_finding none = {.execution = out->execution};
    struct pl_err err;
    struct traced t;
    struct copy c;

    if (s->record.kind == PL_FINDING_LOCK_ORDER || s->record.kind == PL_FINDING_STARVATION)
        return; /* nothing goes wrong at any one moment of it */
    if (answer->decided == PL_DECIDED_NOTHING || s->only)
        snprintf(e->text, sizeof(e->text),
                 "it %s in every interleaving that was tried to explain it",
                 pl_finding_ends(s->record.kind) ? "fails" : "shows");
    if (answer->decided != PL_DECIDED_CHOICE || p == NULL || answer->choice >= f->n_choices ||
        answer->choice >= p->n_choices)
        return;
    PL_ASSERT(f != NULL && s->passing[0] != '\0');
    open_copy(&c, s, p, failing->session.common, failing->symbols);
    c.record.finding = &none;
    c.record.kind = PL_FINDING_NONE;
    fill_copy(&c);
    if (trace(&t, &c.job, &c.record, 0) == 0) {
        if (t.wrong[0] == '\0' && write_traced(s->passing, &c.record, &t, &err) == 0) {
            put_into_words(e, answer, s->record.kind, failing, &t);
            if (s->record.kind == PL_FINDING_USE_AFTER_FREE && !e->ordered)
                blame_free(e, out);
            snprintf(e->passing, sizeof(e->passing), "%s", s->passing);
        }
        close_traced(&t);
    }
    pl_schedule_free(&c.schedule);
}

/* Replay the simpler one; if it shows the same finding, it takes the original's place. */
static bool take_over(struct pl_settle *s, struct pl_result_finding *out,
                      const struct pl_session *minimal, const struct pl_minimal *answer)
{
    const struct pl_kept *kept = pl_minimize_kept(answer, answer->failing);
    struct pl_symbols *symbols =
        pl_symbols_open(minimal->slots[0].board, s->job.target->program.path);
    struct pl_err err;
    struct traced t;
    struct copy c;
    bool written = false;

    PL_ASSERT(kept != NULL && out->schedule[0] != '\0');
    open_copy(&c, s, kept, minimal->common, symbols);
    fill_copy(&c);
    if (trace(&t, &c.job, &c.record, out->signature) == 0) {
        if (t.wrong[0] == '\0') {
            describe_again(out, &t);
            describe_early(out, &t);
            take_words(s, out, &t);
            snprintf(out->minimal, sizeof(out->minimal),
                     answer->proven || s->only ? "proven" : "tried");
            out->preemptions = kept->preemptions;
            out->switches = kept->switches;
            explain(s, out, answer, &t);
            written = write_traced(out->schedule, &c.record, &t, &err) == 0;
            if (!written)
                snprintf(t.wrong, sizeof(t.wrong), "it was not written: %s", err.text);
        }
        close_traced(&t);
    }
    if (!written)
        snprintf(out->unminimized, sizeof(out->unminimized),
                 "the simpler schedule is no use: %.600s", t.wrong);
    out->replays = written;
    pl_schedule_free(&c.schedule);
    pl_symbols_close(symbols);
    return written;
}

/* Whether what was known to be shared may have been too little to see another way. */
static bool is_doubtful(const struct pl_session *session, const struct pl_minimal *answer,
                        uint64_t budget)
{
    bool early = answer->spent < budget && session->common->why != PL_WHY_STOPPED;

    return answer->decided == PL_DECIDED_NOTHING ||
           (answer->decided == PL_DECIDED_UNKNOWN && early);
}

/* Whether nothing was ever to be decided, so that there was one execution only. */
static bool is_only(const struct pl_session *session, const struct pl_minimal *answer)
{
    return !answer->finished && session->common->why == PL_WHY_COMPLETE;
}

static bool is_there(const struct pl_minimal *answer)
{
    return pl_minimize_kept(answer, answer->failing) != NULL;
}

/*
 * Look for it with few points, which goes furthest; where nothing seems to
 * decide, with every access a point.
 */
static bool look_and_take(struct pl_settle *s, struct pl_result_finding *out,
                          const struct pl_goal *goal)
{
    struct pl_rerun_job job = s->job;
    struct pl_session few, all;
    struct pl_err err;
    bool taken = false;

    /* Others may go round loops much longer: they are of no interest. */
    if (job.settings.max_steps > LONGER * s->events + LONG)
        job.settings.max_steps = LONGER * s->events + LONG;
    if (pl_minimize_run(&few, &job, goal, s->request, &err) != 0) {
        snprintf(out->unminimized, sizeof(out->unminimized), "%s",
                 pl_rerun_over(job.time.tries) ? PL_RERUN_OVER : err.text);
        return false;
    }
    const struct pl_minimal *answer = pl_minimize_answer(&few);

    s->only = is_only(&few, answer);
    s->spent += answer->spent;
    if (is_doubtful(&few, answer, goal->budget) && !s->job.settings.points_all &&
        !pl_rerun_over(job.time.tries)) {
        job.settings.points_all = true;
        if (pl_minimize_run(&all, &job, goal, s->request, &err) == 0) {
            const struct pl_minimal *second = pl_minimize_answer(&all);

            s->only &= is_only(&all, second);
            s->spent += second->spent;
            if (is_there(second))
                taken = take_over(s, out, &all, second);
            pl_session_close(&all);
        }
    }
    if (!taken && is_there(answer))
        taken = take_over(s, out, &few, answer);
    else if (!taken)
        snprintf(out->unminimized, sizeof(out->unminimized), "%s",
                 pl_rerun_over(job.time.tries)
                     ? PL_RERUN_OVER
                     : "the schedule does not show it while others are tried");
    pl_session_close(&few);
    return taken;
}

bool pl_settle_minimize(struct pl_settle *s, struct pl_result_finding *out, uint64_t budget)
{
    struct pl_goal goal = {
        .signature = out->signature, .kind = (uint8_t)s->record.kind, .budget = budget};

    PL_ASSERT(budget > 0 && s->record.kind != PL_FINDING_NONE && s->record.finding == out);
    if (s->job.schedule->n_packed > 0) {
        snprintf(out->unminimized, sizeof(out->unminimized),
                 "it has %zu choices, too many to try which of them matter",
                 s->job.schedule->n_packed + s->job.schedule->n_choices);
        return false;
    }
    if (pl_schedule_has_processes(s->job.schedule)) {
        snprintf(out->unminimized, sizeof(out->unminimized),
                 "it is of several processes, whose orders are replayed and not searched");
        return false;
    }
    if (s->record.kind == PL_FINDING_HANG) {
        snprintf(out->unminimized, sizeof(out->unminimized),
                 "each try of a hang would take as long as it does");
        return false;
    }
    if (look_and_take(s, out, &goal)) {
        out->unminimized[0] = '\0';
        return true;
    }
    out->minimal[0] = '\0';
    memset(&out->explanation, 0, sizeof(out->explanation));
    return false;
}
