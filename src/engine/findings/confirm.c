/* SPDX-License-Identifier: MIT */
/* See confirm.h. */
#include "engine/findings/confirm.h"

#include "base/assert.h"
#include "engine/findings/settle.h"
#include "engine/shared/folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const effects[] = {
    [PL_DRIVEN_NO_EFFECT] = "none",
    [PL_DRIVEN_VALUE] = "value",
    [PL_DRIVEN_FAILURE] = "failure",
};

static struct pl_goal goal_of(const struct pl_confirm *c)
{
    const struct pl_found *found = c->origin.found;
    PL_ASSERT(found != NULL && c->origin.common != NULL);

    return pl_drive_goal(&found->finding,
                         (const void *)(c->origin.common->store + found->threads_at),
                         found->n_threads);
}

static int drive(const struct pl_confirm *c, struct pl_session *session, const struct pl_goal *goal,
                 struct pl_result_driven *out)
{
    struct pl_err err;

    PL_ASSERT(goal->n_members <= PL_GOAL_MEMBERS);
    if (goal->n_members < 2)
        return -1;
    if (pl_drive_run(session, &c->job, goal, c->request, &err) == 0)
        return 0;
    snprintf(out->text, sizeof(out->text), "it could not be tried: %s", err.text);
    return -1;
}

static void say_not_reached(struct pl_result_driven *out, const struct pl_driven *answer)
{
    out->confirmed = false;
    out->tries = answer->tries;
    snprintf(out->text, sizeof(out->text), "not confirmed in %llu tr%s",
             (unsigned long long)answer->tries, answer->tries == 1 ? "y" : "ies");
}

static void say_reached(struct pl_result_driven *out, const struct pl_driven *answer)
{
    out->confirmed = true;
    out->tries = answer->first;
}

bool pl_confirm_deadlock(const struct pl_confirm *c, struct pl_session *session,
                         struct pl_origin *reached, struct pl_result_driven *out)
{
    struct pl_goal goal = goal_of(c);

    PL_ASSERT(c->origin.found->finding.kind == PL_FINDING_LOCK_ORDER);
    if (drive(c, session, &goal, out) != 0)
        return false;
    const struct pl_driven *answer = pl_drive_answer(session);
    const struct pl_found *found = pl_drive_find(session->common, &goal);

    if (found == NULL) {
        say_not_reached(out, answer);
        pl_session_close(session);
        return false;
    }
    say_reached(out, answer);
    snprintf(out->text, sizeof(out->text),
             "predicted from execution %llu, in which it did not happen; confirmed in %llu tr%s",
             (unsigned long long)c->origin.found->execution, (unsigned long long)out->tries,
             out->tries == 1 ? "y" : "ies");
    *reached = (struct pl_origin){session->common, session->slots[0].board, found};
    return true;
}

/* ---- races ---- */

/* One of the two executions, to be written. */
struct side {
    const struct pl_driven_side *from;
    struct pl_scene scene;
    struct pl_result_finding words; /* what its schedule shows */
    bool fails;
};

static void describe_side(struct side *s, const struct pl_result_finding *race)
{
    if (s->fails) {
        pl_describe_finding(&s->scene, &s->from->finding, &s->words);
    } else {
        s->words = *race;
        s->words.out = s->words.err = (struct pl_result_said){0};
        s->words.threads = NULL;
        s->words.stack = NULL;
        s->words.accesses = NULL;
        s->words.n_threads = s->words.n_stack = s->words.n_accesses = 0;
        memset(&s->words.explanation, 0, sizeof(s->words.explanation));
        s->words.minimal[0] = '\0';
    }
    s->words.execution = race->execution;
}

/* Replay it, and write it if it shows what it should. */
static void write_side(const struct pl_confirm *c, const struct pl_session *session, struct side *s,
                       char *path, size_t size)
{
    struct pl_settle settle = {.request = c->request, .record = c->record, .job = c->job};
    struct pl_schedule raw;

    settle.record.finding = &s->words;
    settle.record.kind = pl_finding_find(s->words.kind);
    settle.record.scene = &s->scene;
    settle.record.choices = s->from->kept.choices;
    settle.record.n_choices = s->from->kept.n_choices;
    pl_schedule_init(&raw);
    pl_record_fill(&raw, &settle.record);
    settle.job.schedule = &raw;
    settle.job.known = (struct pl_rerun_known){session->common->shared, session->common->n_shared,
                                               &session->common->sought};
    snprintf(s->words.schedule, sizeof(s->words.schedule), "%s", path);
    s->words.replays = false;
    pl_settle_as_found(&settle, &s->words);
    snprintf(path, size, "%s", s->words.replays ? s->words.schedule : "");
    pl_schedule_free(&raw);
}

static void say_first(const struct side *s, uint64_t pc, char *to, size_t size)
{
    char thread[PL_RESULT_WORD], place[PL_RESULT_LINE];

    pl_describe_thread(&s->scene, s->from->meeting.tid, thread, sizeof(thread));
    pl_describe_location(&s->scene, pc, place, sizeof(place));
    snprintf(to, size, "thread %s%s%s", thread, place[0] ? " at " : "", place);
}

static void say_effect(struct pl_result_driven *out, const struct pl_driven *answer,
                       const struct side *failing)
{
    size_t size = sizeof(out->text);
    char first[200] = "";

    if (failing != NULL) /* the longest names of places are too long for a sentence */
        snprintf(first, sizeof(first), "%.199s", out->firsts[failing->from->meeting.first & 1]);
    PL_ASSERT(answer->effect < sizeof(effects) / sizeof(effects[0]));
    snprintf(out->effect, sizeof(out->effect), "%s", effects[answer->effect]);
    if (failing != NULL)
        snprintf(out->text, size,
                 "confirmed in either order; failure: %s follows if %s comes first: %.300s",
                 failing->words.kind, first, failing->words.message);
    else if (answer->effect == PL_DRIVEN_FAILURE)
        snprintf(out->text, size, "confirmed in either order; failure: the two end differently");
    else if (answer->effect == PL_DRIVEN_VALUE)
        snprintf(out->text, size,
                 "confirmed in either order; different value: the order decides what is read or "
                 "left there");
    else
        snprintf(out->text, size,
                 "confirmed in either order; no effect seen: both end alike and leave the same");
}

static void write_sides(const struct pl_confirm *c, unsigned number, struct pl_session *session,
                        const struct pl_driven *answer, struct pl_result_finding *out)
{
    const struct pl_goal_member *members = session->slots[0].board->goal.members;
    const struct pl_driven_side *from = pl_drive_sides(answer);
    struct pl_symbols *symbols =
        pl_symbols_open(session->slots[0].board, c->job.target->program.path);
    const struct side *failing = NULL;
    struct side *sides = calloc(2, sizeof(*sides));

    PL_ASSERT(from != NULL && number > 0);
    if (sides == NULL)
        abort();
    for (unsigned i = 0; i < 2; i++) {
        struct side *s = &sides[i];

        s->from = &from[i];
        s->scene =
            (struct pl_scene){from[i].kept.threads, from[i].kept.n_threads, symbols, NULL, NULL};
        s->fails = answer->effect == PL_DRIVEN_FAILURE && from[i].outcome == PL_OUTCOME_FINDING;
        describe_side(s, out);
        pl_folder_order(c->request->folder, number, out->kind, i, out->driven.schedules[i],
                        sizeof(out->driven.schedules[i]));
        say_first(s, members[i].pc, out->driven.firsts[i], sizeof(out->driven.firsts[i]));
        write_side(c, session, s, out->driven.schedules[i], sizeof(out->driven.schedules[i]));
        if (s->fails && failing == NULL)
            failing = s;
    }
    say_effect(&out->driven, answer, failing);
    for (unsigned i = 0; i < 2; i++)
        pl_result_forget(&sides[i].words);
    free(sides);
    pl_symbols_close(symbols);
}

void pl_confirm_race(const struct pl_confirm *c, unsigned number, struct pl_result_finding *out)
{
    struct pl_goal goal = goal_of(c);
    struct pl_session session;

    PL_ASSERT(c->origin.found->finding.kind == PL_FINDING_RACE);
    if (drive(c, &session, &goal, &out->driven) != 0)
        return;
    const struct pl_driven *answer = pl_drive_answer(&session);

    if (pl_drive_sides(answer) == NULL || answer->effect > PL_DRIVEN_FAILURE) {
        say_not_reached(&out->driven, answer);
    } else {
        say_reached(&out->driven, answer);
        write_sides(c, number, &session, answer, out);
    }
    pl_session_close(&session);
}
