/* SPDX-License-Identifier: MIT */
/*
 * See record.h.  Only choices other than the default are written; they are the
 * same whichever accesses were points, so a replay on a fresh board, which has
 * learned nothing about shared memory yet, makes the same ones.
 */
#include "engine/findings/record.h"

#include "base/assert.h"
#include "engine/findings/event_index.h"
#include "engine/shared/own.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A schedule with more choices is packed, all but the last of them. */
enum { LONG = 50000, UNPACKED = 1000, CALLERS = 8 };

struct words {
    char thread[PL_RESULT_WORD], target[PL_RESULT_WORD];
    char object[PL_RESULT_LINE], location[PL_RESULT_LINE];
    char callers[CALLERS * (PL_RESULT_LINE + 2)];
};

static void annotate(struct pl_schedule_line *line, struct words *w, const struct pl_record *r,
                     const struct pl_event *e)
{
    uint64_t pc = pl_describe_event_pc(r->scene, e);
    const struct pl_symbols_code *code = pl_symbols_code(r->scene->symbols, pc);
    const char *function = code->function;

    pl_describe_place(r->scene, &e->object, w->object, sizeof(w->object));
    line->object = w->object[0] ? w->object : NULL;
    if (code->plait) /* at the return from main(): no code of the program */
        return;
    pl_describe_line(r->scene, pc, w->location, sizeof(w->location));
    line->location = w->location[0] ? w->location : NULL;
    line->function = function[0] ? function : NULL;
}

static void add_choice(struct pl_schedule *s, const struct pl_record *r,
                       const struct pl_event_index *index, const struct pl_choice *c, bool packed)
{
    struct pl_schedule_line line = {.kind = c->kind,
                                    .op = c->op,
                                    .taken = c->taken,
                                    .options = c->options,
                                    .ordinal = c->ordinal,
                                    .digest = c->digest};
    const struct pl_event *e = packed ? NULL : pl_event_index_find(index, c->tid, c->ordinal);
    struct words w;

    pl_describe_thread(r->scene, c->tid, w.thread, sizeof(w.thread));
    line.thread = w.thread;
    if (c->kind == PL_CHOICE_THREAD || c->kind == PL_CHOICE_WAITER) {
        pl_describe_thread(r->scene, c->target, w.target, sizeof(w.target));
        line.target = w.target;
    }
    if (e != NULL)
        annotate(&line, &w, r, e);
    if (packed)
        pl_schedule_pack_choice(s, &line);
    else
        pl_schedule_add_choice(s, &line);
}

/* Accesses to memory that only one thread uses would bury the rest. */
static bool is_worth_a_line(const struct pl_event *e)
{
    bool plain =
        e->op.kind == PL_OP_READ || e->op.kind == PL_OP_WRITE || e->op.kind == PL_OP_READ_WRITE;

    return e->point || e->switched || !plain;
}

/* Whether a segment may begin or end there; that a thread starts comes aside. */
static bool is_at_an_end(const struct pl_record *r, const struct pl_event *e)
{
    const struct pl_event *before = e, *behind = e, *end = r->events + r->n_events;

    do
        before = before > r->events ? before - 1 : NULL;
    while (before != NULL && (before->op.kind == PL_OP_THREAD_START || !is_worth_a_line(before)));
    do
        behind++;
    while (behind < end && (behind->op.kind == PL_OP_THREAD_START || !is_worth_a_line(behind)));
    return before == NULL || behind >= end || before->op.tid != e->op.tid ||
           behind->op.tid != e->op.tid;
}

static void add_callers(struct pl_schedule_line *line, struct words *w, const struct pl_record *r,
                        const struct pl_event *e)
{
    struct pl_trail trail = pl_describe_trail(r->scene, e);
    char list[CALLERS][PL_RESULT_LINE];
    size_t n, at = 0;

    if (trail.n_frames == 0 || line->function == NULL || !is_at_an_end(r, e))
        return;
    n = pl_describe_callers(r->scene, &trail, pl_describe_own_pc(r->scene, &trail), list, CALLERS);
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(w->callers + at, sizeof(w->callers) - at, "%s%s", i > 0 ? ", " : "",
                               list[i]);
    line->callers = n > 0 ? w->callers : NULL;
}

static void add_operation(struct pl_schedule *s, const struct pl_record *r,
                          const struct pl_event *e)
{
    struct pl_schedule_line line = {
        .op = e->op.kind, .way = e->op.way, .early = e->op.early, .ordinal = e->op.ordinal};
    struct words w;

    pl_describe_thread(r->scene, e->op.tid, w.thread, sizeof(w.thread));
    line.thread = w.thread;
    annotate(&line, &w, r, e);
    add_callers(&line, &w, r, e);
    if (e->object.kind == PL_PLACE_THREAD) {
        pl_describe_thread(r->scene, e->object.tid, w.target, sizeof(w.target));
        line.target = w.target[0] ? w.target : NULL;
        line.object = NULL; /* the target says it */
    }
    pl_schedule_add_operation(s, &line);
}

static uint64_t count_written(const struct pl_record *r)
{
    uint64_t n = 0;

    for (uint64_t i = 0; i < r->n_choices; i++)
        n += !r->choices[i].is_default;
    return n;
}

/* Of so many that operations, of which only the first were kept, would be no help. */
static void add_many(struct pl_schedule *s, const struct pl_record *r, uint64_t left)
{
    struct pl_event_index none;

    pl_event_index_open(&none, NULL, 0, false);
    for (uint64_t i = 0; i < r->n_choices && !s->failed; i++) {
        if (!r->choices[i].is_default)
            add_choice(s, r, &none, &r->choices[i], left-- > UNPACKED);
    }
    pl_event_index_close(&none);
}

static void add_lines(struct pl_schedule *s, const struct pl_record *r)
{
    struct pl_event_index index;
    uint64_t next = 0, written = count_written(r);

    if (written > LONG) {
        add_many(s, r, written);
        return;
    }
    pl_event_index_open(&index, r->events, r->events != NULL ? r->n_events : 0, false);
    for (uint64_t i = 0; r->events != NULL && i < r->n_events; i++) {
        for (; next < r->events[i].choice && next < r->n_choices; next++) {
            if (!r->choices[next].is_default)
                add_choice(s, r, &index, &r->choices[next], false);
        }
        if (is_worth_a_line(&r->events[i]))
            add_operation(s, r, &r->events[i]);
    }
    for (; next < r->n_choices; next++) {
        if (!r->choices[next].is_default)
            add_choice(s, r, &index, &r->choices[next], false);
    }
    PL_ASSERT(next == r->n_choices);
    pl_event_index_close(&index);
}

/* What makes the schedule simple, and why it fails. */
static void add_minimal(struct pl_schedule *s, const struct pl_result_finding *f)
{
    const struct pl_result_explanation *e = &f->explanation;
    const char *slash = strrchr(e->passing, '/');

    if (f->minimal[0] == '\0')
        return;
    s->minimal = pl_schedule_keep(s, f->minimal);
    s->preemptions = f->preemptions;
    s->switches = f->switches;
    s->why = e->text[0] ? pl_schedule_keep(s, e->text) : NULL;
    s->passing = e->passing[0] ? pl_schedule_keep(s, slash ? slash + 1 : e->passing) : NULL;
}

static void add_number(struct pl_schedule *s, const char *option, unsigned value)
{
    char text[PL_RESULT_WORD];

    snprintf(text, sizeof(text), "%u", value);
    if (value != 0)
        pl_schedule_add_option(s, option, text);
}

/* How the campaign found it: as asked for now, or as an earlier file says. */
static void add_origin(struct pl_schedule *s, const struct pl_record *r)
{
    const struct pl_settings *settings = &r->request->settings;
    char text[PL_RESULT_WORD * 2];

    s->carrier = settings->starts_chosen ? PL_CARRIER_FREE : settings->carrier;
    if (r->origin != NULL) {
        s->strategy = pl_schedule_keep(s, r->origin->strategy);
        s->seed = r->origin->seed;
        for (size_t i = 0; i < r->origin->n_options; i++)
            pl_schedule_add_option(s, r->origin->options[i].key, r->origin->options[i].value);
        return;
    }
    pl_request_strategy(settings, text, sizeof(text));
    s->strategy = pl_schedule_keep(s, text);
    s->seed = settings->seed;
    for (size_t i = 0; i < r->request->n_options; i++)
        pl_schedule_add_option(s, r->request->options[i].name, r->request->options[i].value);
    if (r->finding->cover[0] != '\0')
        pl_schedule_add_option(s, "cover", r->finding->cover);
    if (settings->section == 0)
        add_number(s, "section", r->section);
    if (settings->digits == 0)
        add_number(s, "process-digits", r->digits);
}

/* What it read: as recorded, or as the schedule had it that this one comes from. */
static void add_inputs(struct pl_schedule *s, const struct pl_record *r)
{
    bool derived = r->inputs == NULL && r->origin != NULL;

    s->inputs = derived ? r->origin->inputs : r->inputs;
    s->n_inputs = derived ? r->origin->n_inputs : r->n_inputs;
    if (r->inputs_lost)
        pl_schedule_add_detail(s, "what it read was too much to be kept: a replay reads it again");
}

/* The user runs this now, so may a replay. */
static void add_seal(struct pl_schedule *s, const struct pl_record *r)
{
    char seal[PL_OWN_SEAL];
    struct pl_own_words words = {.program = r->target->program.path,
                                 .arguments = (const char *const *)r->request->argv + 1,
                                 .check = pl_schedule_option(s, "check"),
                                 .client = pl_schedule_option(s, "client"),
                                 .inputs = s->inputs,
                                 .n_inputs = s->n_inputs};

    if (pl_own_seal(&words, seal))
        s->seal = pl_schedule_keep(s, seal);
}

static void add_details(struct pl_schedule *s, const struct pl_result_finding *f)
{
    if (f->about[0] != '\0')
        pl_schedule_add_detail(s, f->about);
    if (f->early[0] != '\0')
        pl_schedule_add_detail(s, f->early);
    for (size_t i = 0; i < f->n_accesses; i++)
        pl_schedule_add_detail(s, f->accesses[i].sentence);
    for (size_t i = 0; i < f->n_threads; i++) {
        pl_schedule_add_detail(s, f->threads[i].sentence);
        for (size_t k = 0; k < f->threads[i].n_stack; k++) {
            char line[PL_RESULT_LINE + 20];

            snprintf(line, sizeof(line), "    called from %s", f->threads[i].stack[k]);
            pl_schedule_add_detail(s, line);
        }
    }
}

void pl_record_fill(struct pl_schedule *s, const struct pl_record *r)
{
    const struct pl_program *program = &r->target->program;
    const struct pl_result_finding *f = r->finding;
    char text[PL_RESULT_WORD * 2];

    PL_ASSERT(f != NULL && r->scene != NULL && r->kind < PL_FINDING_KINDS);
    PL_ASSERT(s->program == NULL && s->n_lines == 0);
    PL_ASSERT(2 * sizeof(program->build_id) < sizeof(text));
    s->program = pl_schedule_keep(s, r->request->argv[0]);
    for (char **a = r->request->argv + 1; *a != NULL; a++)
        pl_schedule_add_argument(s, *a);
    if (program->build_id_size > 0) {
        pl_program_hex(program->build_id, program->build_id_size, text);
        s->build_id = pl_schedule_keep(s, text);
    }
    add_origin(s, r);
    add_inputs(s, r);
    add_seal(s, r);
    s->execution = f->execution;
    s->finding = (uint8_t)r->kind;
    s->signature = f->signature;
    s->identity = r->kind != PL_FINDING_NONE ? f->identity : 0;
    s->message = f->message[0] ? pl_schedule_keep(s, f->message) : NULL;
    s->location = f->location[0] ? pl_schedule_keep(s, f->location) : NULL;
    add_minimal(s, f);
    add_details(s, f);
    for (unsigned i = 0; i < r->scene->n_threads; i++) {
        const char *start = pl_symbols_function(r->scene->symbols, r->scene->threads[i].start);

        const struct pl_thread_name *t = &r->scene->threads[i];
        const char *path = t->image != 0 ? pl_symbols_program(r->scene->symbols, t->image) : "";
        const char *slash = strrchr(path, '/');

        pl_describe_thread(r->scene, (pl_tid)i, text, sizeof(text));
        if (text[0] != '\0')
            pl_schedule_add_thread(s, text, start[0] ? start : NULL, t->process,
                                   path[0] == '\0' ? NULL
                                   : slash != NULL ? slash + 1
                                                   : path);
    }
    add_lines(s, r);
}

static const struct pl_choice *next_real(const struct pl_choice *c, const struct pl_choice *end)
{
    while (c < end && c->is_default)
        c++;
    return c;
}

/* Whether b is how a replay made choice a; one recorded of free threads knows only who went on. */
static bool is_same(const struct pl_choice *a, const struct pl_choice *b)
{
    if (a->kind != b->kind || a->tid != b->tid || a->target != b->target)
        return false;
    if (a->op == PL_OP_NONE)
        return b->ordinal >= a->ordinal;
    return a->op == b->op && a->ordinal == b->ordinal && a->digest == b->digest;
}

uint64_t pl_record_match(const struct pl_choice *a, uint64_t n_a, const struct pl_choice *b,
                         uint64_t n_b)
{
    const struct pl_choice *end_a = a + n_a, *start_b = b, *end_b = b + n_b;

    PL_ASSERT(a != NULL || n_a == 0);
    for (;;) {
        a = next_real(a, end_a);
        if (a == end_a)
            return (uint64_t)(b - start_b);
        b = next_real(b, end_b);
        if (b == end_b || !is_same(a, b))
            return UINT64_MAX;
        a++;
        b++;
    }
}
