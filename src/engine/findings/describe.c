/* SPDX-License-Identifier: MIT */
/* See describe.h.  Texts that do not fit are cut. */
#include "engine/findings/describe.h"

#include "base/assert.h"
#include "base/err.h"
#include "engine/findings/accesses.h"
#include "engine/findings/called.h"
#include "engine/findings/identity.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_DEPTH = 64 };

/* Append, cutting what does not fit. */
__attribute__((format(printf, 3, 4))) static void append(char *to, size_t size, const char *format,
                                                         ...)
{
    size_t used = strlen(to);
    va_list args;
    PL_ASSERT(used < size);

    va_start(args, format);
    vsnprintf(to + used, size - used, format, args);
    va_end(args);
}

void pl_describe_thread(const struct pl_scene *scene, pl_tid tid, char *to, size_t size)
{
    uint16_t path[PATH_DEPTH];
    unsigned depth = 0;

    to[0] = '\0';
    while (tid != 0) {
        if (tid >= scene->n_threads || depth == PATH_DEPTH)
            return;
        path[depth++] = scene->threads[tid].nth;
        tid = scene->threads[tid].parent;
    }
    PL_ASSERT(size > PL_RESULT_WORD / 2 && depth <= PATH_DEPTH);
    append(to, size, "0");
    while (depth > 0)
        append(to, size, ".%u", path[--depth]);
}

void pl_describe_line(const struct pl_scene *scene, uint64_t pc, char *to, size_t size)
{
    const struct pl_symbols_code *code = pl_symbols_code(scene->symbols, pc);

    to[0] = '\0';
    if (code->line != 0 && !code->plait) /* of plait itself nobody wants to read */
        snprintf(to, size, "%s:%u", code->file, code->line);
}

void pl_describe_location(const struct pl_scene *scene, uint64_t pc, char *to, size_t size)
{
    const struct pl_symbols_code *code = pl_symbols_code(scene->symbols, pc);

    if (code->line != 0 && code->function[0] != '\0')
        snprintf(to, size, "%s:%u (%s)", code->file, code->line, code->function);
    else if (code->line != 0)
        snprintf(to, size, "%s:%u", code->file, code->line);
    else if (code->function[0] != '\0' && code->module[0] != '\0')
        snprintf(to, size, "%s in %s", code->function, code->module);
    else if (code->function[0] != '\0')
        snprintf(to, size, "%s", code->function);
    else
        snprintf(to, size, "%s", code->module);
}

static void describe_heap(const struct pl_scene *scene, const struct pl_place *place, char *to,
                          size_t size)
{
    char thread[PL_RESULT_WORD], site[PL_RESULT_LINE];

    pl_describe_thread(scene, place->tid, thread, sizeof(thread));
    pl_describe_line(scene, place->site, site, sizeof(site));
    if (site[0] == '\0')
        pl_describe_location(scene, place->site, site, sizeof(site));
    snprintf(to, size, "block %u of thread %s", place->count, thread);
    if (site[0] != '\0')
        append(to, size, " from %s", site);
    if (place->offset != 0)
        append(to, size, " +%llu", (unsigned long long)place->offset);
}

/* "write(3)": with its descriptor, if it has one. */
static void describe_call(const struct pl_place *place, char *to, size_t size)
{
    const char *name = pl_called_name(place->site);

    if (name != NULL)
        snprintf(to, size, "%s", name);
    else
        snprintf(to, size, "call %llu", (unsigned long long)place->site);
    if (place->offset != 0)
        append(to, size, "(%llu)", (unsigned long long)place->offset - 1);
}

void pl_describe_place(const struct pl_scene *scene, const struct pl_place *place, char *to,
                       size_t size)
{
    char thread[PL_RESULT_WORD];

    to[0] = '\0';
    switch (place->kind) {
    case PL_PLACE_STATIC:
        snprintf(to, size, "%s", pl_symbols_variable(scene->symbols, place->site));
        break;
    case PL_PLACE_HEAP:
        describe_heap(scene, place, to, size);
        break;
    case PL_PLACE_STACK:
        pl_describe_thread(scene, place->tid, thread, sizeof(thread));
        snprintf(to, size, "stack of %s", thread);
        break;
    case PL_PLACE_THREAD:
        pl_describe_thread(scene, place->tid, thread, sizeof(thread));
        if (thread[0] != '\0')
            snprintf(to, size, "thread %s", thread);
        break;
    case PL_PLACE_CALL:
        describe_call(place, to, size);
        break;
    default:
        break;
    }
}

/* "thread 0.1 waits at bank.c:12 (transfer) for mutex a.lock, held by 0.2 since bank.c:11" */
static void write_sentence(struct pl_result_thread *t)
{
    size_t size = sizeof(t->sentence);
    bool join = strncmp(t->object, "thread ", 7) == 0; /* nobody holds a thread */
    const char *has = strcmp(t->kind, pl_object_text(PL_OBJECT_COND)) == 0 ? "signalled" : "held";

    snprintf(t->sentence, size, "thread %s %s", t->name, t->waits[0] ? t->waits : "is");
    if (t->location[0] != '\0')
        append(t->sentence, size, " at %s", t->location);
    else if (t->operation[0] != '\0')
        append(t->sentence, size, " in %s", t->operation);
    if (join)
        append(t->sentence, size, " for %s", t->object);
    else if (t->kind[0] != '\0' && strstr(t->waits, "wait") != NULL)
        append(t->sentence, size, t->object[0] ? " for %s %s" : " for a %s%s", t->kind, t->object);
    else if (t->object[0] != '\0')
        append(t->sentence, size, " (%s of %s)", t->operation, t->object);
    if (t->holder[0] != '\0' && !join)
        append(t->sentence, size, ", %s by %s", has, t->holder);
    if (t->holder[0] != '\0' && t->since[0] != '\0' && !join)
        append(t->sentence, size, " since %s", t->since);
}

const uint64_t (*pl_describe_frames(const struct pl_common *common,
                                    const struct pl_found *found))[PL_FINDING_ROW_FRAMES]
{
    return found->frames_at != 0 ? (const void *)(common->store + found->frames_at) : NULL;
}

/* Where the thread is, and its callers; what it is about to do is known better than by walking. */
static void describe_stack(const struct pl_scene *scene, const struct pl_row *row,
                           const uint64_t *frames, struct pl_result_thread *t)
{
    struct pl_trail trail = {row->pc, frames, row->n_frames};
    uint64_t place = row->pc;

    if (row->walked && row->op == PL_OP_NONE) {
        trail.pc = 0;
        place = pl_describe_own_pc(scene, &trail);
        pl_describe_location(scene, place, t->location, sizeof(t->location));
    }
    t->n_stack = pl_describe_callers(scene, &trail, place, t->stack, PL_RESULT_STACK);
}

static void describe_row(const struct pl_scene *scene, const struct pl_row *row,
                         const uint64_t *frames, struct pl_result_thread *t)
{
    static const char *const waits[] = {"",           "waits",     "goes round", "would wait",
                                        "came first", "came next", "came later", "goes on"};
    unsigned object = row->awaited != 0 ? row->awaited : pl_operation_object(row->op);

    if (row->op == PL_OP_COND_WAKE && row->holder == PL_TID_NONE)
        object = PL_OBJECT_COND; /* nobody has what it waits for: a signal */
    memset(t, 0, sizeof(*t));
    pl_describe_thread(scene, row->tid, t->name, sizeof(t->name));
    snprintf(t->waits, sizeof(t->waits), "%s",
             row->waits < sizeof(waits) / sizeof(waits[0]) ? waits[row->waits] : "");
    if (row->op != PL_OP_NONE)
        snprintf(t->operation, sizeof(t->operation), "%s", pl_operation_text(row->op));
    if (object != PL_OBJECT_NONE && object != PL_OBJECT_ANY)
        snprintf(t->kind, sizeof(t->kind), "%s", pl_object_text(object));
    pl_describe_place(scene, &row->object, t->object, sizeof(t->object));
    pl_describe_location(scene, row->pc, t->location, sizeof(t->location));
    pl_describe_thread(scene, row->holder, t->holder, sizeof(t->holder));
    if (row->since != 0)
        pl_describe_line(scene, row->since, t->since, sizeof(t->since));
    if (frames != NULL && row->n_frames <= PL_FINDING_ROW_FRAMES)
        describe_stack(scene, row, frames, t);
    write_sentence(t);
}

uint64_t pl_describe_own_pc(const struct pl_scene *scene, const struct pl_trail *trail)
{
    if (trail->pc != 0 && pl_symbols_code(scene->symbols, trail->pc)->own)
        return trail->pc;
    for (unsigned i = 0; i < trail->n_frames; i++) {
        if (pl_symbols_code(scene->symbols, trail->frames[i])->own)
            return trail->frames[i];
    }
    return pl_symbols_code(scene->symbols, trail->pc)->plait ? 0 : trail->pc;
}

struct pl_trail pl_describe_trail(const struct pl_scene *scene, const struct pl_event *e)
{
    const uint64_t *frames =
        scene->frames != NULL && e->stack != 0 ? scene->frames + e->stack - 1 : NULL;

    return frames != NULL ? (struct pl_trail){e->op.pc, frames + 1, (unsigned)frames[0]}
                          : (struct pl_trail){e->op.pc, NULL, 0};
}

/* Of a library without hooks it is not known from where the function is called that calls it. */
uint64_t pl_describe_event_pc(const struct pl_scene *scene, const struct pl_event *e)
{
    struct pl_trail trail = pl_describe_trail(scene, e);

    return pl_symbols_code(scene->symbols, e->op.pc)->line != 0 ? pl_describe_own_pc(scene, &trail)
                                                                : e->op.pc;
}

size_t pl_describe_callers(const struct pl_scene *scene, const struct pl_trail *trail,
                           uint64_t place, char (*to)[PL_RESULT_LINE], size_t most)
{
    bool behind = trail->pc == place;
    size_t n = 0;

    for (unsigned i = 0; i < trail->n_frames && n < most; i++) {
        uint64_t pc = trail->frames[i];

        if (behind && pc != place && pl_symbols_code(scene->symbols, pc)->own)
            pl_describe_location(scene, pc, to[n++], PL_RESULT_LINE);
        behind = behind || pc == place;
    }
    PL_ASSERT(n <= most && n <= trail->n_frames);
    return n;
}

uint64_t pl_describe_pc(const struct pl_finding *f)
{
    return f->pc != 0 && f->kind == PL_FINDING_CRASH && f->signal != 0 ? f->pc + 1 : f->pc;
}

static struct pl_trail trail_of(const struct pl_finding *f)
{
    return (struct pl_trail){pl_describe_pc(f), f->frames,
                             f->n_frames < PL_FINDING_FRAMES ? f->n_frames : PL_FINDING_FRAMES};
}

void pl_describe_finding(const struct pl_scene *scene, const struct pl_finding *f,
                         struct pl_result_finding *out)
{
    unsigned rows = f->n_rows < PL_FINDING_ROWS ? f->n_rows : PL_FINDING_ROWS;

    struct pl_trail trail = trail_of(f);

    PL_ASSERT(out->threads == NULL && out->stack == NULL && out->accesses == NULL);
    PL_ASSERT(scene->symbols != NULL && trail.n_frames <= PL_FINDING_FRAMES);
    snprintf(out->kind, sizeof(out->kind), "%s", pl_finding_text(f->kind));
    snprintf(out->meaning, sizeof(out->meaning), "%s", pl_finding_meaning(f->kind));
    snprintf(out->message, sizeof(out->message), "%.*s", PL_FINDING_TEXT - 1,
             f->text[0] ? f->text : out->meaning);
    out->signature = f->signature;
    if (f->tid != PL_TID_NONE)
        pl_describe_thread(scene, f->tid, out->thread, sizeof(out->thread));
    uint64_t own = pl_describe_own_pc(scene, &trail);

    if (f->pc != 0 || f->n_frames > 0)
        pl_describe_location(scene, own, out->location, sizeof(out->location));
    if (f->other_pc != 0)
        pl_describe_location(scene, f->other_pc, out->other, sizeof(out->other));
    pl_describe_place(scene, &f->object, out->object, sizeof(out->object));
    out->stack = pl_err_must(calloc(trail.n_frames + 1, sizeof(*out->stack)));
    out->n_stack = pl_describe_callers(scene, &trail, own, out->stack, trail.n_frames);
    out->accesses = pl_err_must(calloc(2 + 1, sizeof(*out->accesses)));
    pl_accesses_describe(scene, f, out);
    out->threads = pl_err_must(calloc(rows + 1, sizeof(*out->threads)));
    for (unsigned i = 0; i < rows; i++)
        describe_row(scene, &f->rows[i], scene->row_frames != NULL ? scene->row_frames[i] : NULL,
                     &out->threads[i]);
    out->n_threads = rows;
    /* A deadlock has no place of its own: take the first thread's. */
    if (out->location[0] == '\0' && rows > 0)
        memcpy(out->location, out->threads[0].location, sizeof(out->location));
    out->identity = pl_identity_of(out);
}

/* "30 s", "1.5 ms" */
static void say_span(char *to, size_t size, uint64_t ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    double span = (double)ns;
    unsigned i = 0;

    for (; i < 3 && span >= 1000; i++)
        span /= 1000;
    snprintf(to, size, span < 1000 ? "%.3g %s" : "%.0f %s", span, units[i]);
}

static void say_early(const struct pl_scene *scene, const struct pl_event *e, char *to, size_t size)
{
    char span[32], line[PL_RESULT_LINE], other[PL_RESULT_WORD];
    const char *what = e->op.kind == PL_OP_SLEEP ? "sleep" : "time-out";

    say_span(span, sizeof(span), e->waited);
    pl_describe_line(scene, pl_describe_event_pc(scene, e), line, sizeof(line));
    pl_describe_thread(scene, e->beside, other, sizeof(other));
    snprintf(to, size, "the %s %s%s%s %s", span, what, line[0] != '\0' ? " at " : "", line,
             e->op.kind == PL_OP_SLEEP ? "was over" : "expired");
    size_t n = strlen(to);

    if (other[0] != '\0')
        snprintf(to + n, size - n, " while %s could run", other);
    else
        snprintf(to + n, size - n, " before one that was due sooner");
}

/* The last one came more often. */
static void again_text(char *to, size_t size, unsigned *again)
{
    size_t n = strlen(to);

    if (*again == 1)
        snprintf(to + n, size - n, ", twice");
    else if (*again > 1)
        snprintf(to + n, size - n, ", %u times", *again + 1);
    *again = 0;
}

void pl_describe_early(const struct pl_scene *scene, const struct pl_event *events, uint64_t n,
                       char *to, size_t size)
{
    enum { MOST = 3 };
    char last[PL_RESULT_LINE + 128] = "";
    unsigned said = 0, more = 0, again = 0;

    PL_ASSERT(size >= PL_RESULT_TEXT);
    to[0] = '\0';
    for (uint64_t i = 0; i < n; i++) {
        char one[PL_RESULT_LINE + 128];

        if (!events[i].op.early)
            continue;
        say_early(scene, &events[i], one, sizeof(one));
        if (strcmp(one, last) == 0) {
            again++;
            continue;
        }
        again_text(to, size, &again);
        if (said == MOST || strlen(to) + strlen(one) + 32 > size) {
            more++;
            continue;
        }
        snprintf(to + strlen(to), size - strlen(to), "%s%s", said++ > 0 ? "; " : "", one);
        memcpy(last, one, sizeof(last));
    }
    again_text(to, size, &again);
    if (more > 0)
        snprintf(to + strlen(to), size - strlen(to), "%sand %u more", said > 0 ? "; " : "", more);
}
