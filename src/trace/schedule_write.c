/* SPDX-License-Identifier: MIT */
/*
 * Writing a schedule.  Each line is put together in memory, so that the part
 * before its annotation can enter the checksum, and then printed.
 */
#include "base/assert.h"
#include "trace/schedule.h"

#include "trace/image.h"
#include "trace/schedule_format.h"
#include "trace/schedule_inputs.h"
#include "trace/schedule_packed.h"
#include "trace/utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct writer {
    FILE *to;
    char *line;
    size_t n, room;
    size_t bytes; /* printed so far */
    uint64_t hash;
    bool no_memory, too_large;
};

static void put(struct writer *w, const char *text, size_t n)
{
    if (w->room - w->n <= n) {
        size_t room = 2 * (w->n + n) + 256;
        char *line = n <= PL_SCHEDULE_LINE_MAX ? realloc(w->line, room) : NULL;

        if (!line) {
            w->no_memory = w->no_memory || n <= PL_SCHEDULE_LINE_MAX;
            w->too_large = w->too_large || n > PL_SCHEDULE_LINE_MAX;
            return;
        }
        w->line = line;
        w->room = room;
    }
    PL_ASSERT(w->n + n < w->room);
    memcpy(w->line + w->n, text, n);
    w->n += n;
}

static void put_text(struct writer *w, const char *text)
{
    put(w, text, strlen(text));
}

__attribute__((format(printf, 2, 3))) static void put_format(struct writer *w, const char *format,
                                                             ...)
{
    char text[128];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    put_text(w, text);
}

/* A C string literal.  Valid UTF-8 stays as it is; whatever else is not printable is escaped. */
static void put_quoted(struct writer *w, const char *s)
{
    put_text(w, "\"");
    while (*s != '\0') {
        uint32_t code;
        size_t n = pl_utf8_decode(s, &code);

        if (n == 1 && (code == '"' || code == '\\')) {
            put_format(w, "\\%c", (char)code);
        } else if (n == 1 && (code == '\n' || code == '\t' || code == '\r')) {
            put_text(w, code == '\n' ? "\\n" : code == '\t' ? "\\t" : "\\r");
        } else if (n > 0 && !pl_utf8_is_control(code)) {
            put(w, s, n);
        } else {
            for (size_t i = 0; i < (n ? n : 1); i++)
                put_format(w, "\\%03o", (unsigned)(unsigned char)s[i]);
        }
        s += n ? n : 1;
    }
    put_text(w, "\"");
}

/* A word: bare when it is an ordinary one, - for NULL, else quoted. */
static void put_word(struct writer *w, const char *s)
{
    bool bare = s && s[0] != '\0' && strcmp(s, "-") != 0;

    for (const char *p = s; bare && *p != '\0'; p++)
        bare = *p > ' ' && *p < 0x7f && !strchr("\"\\#", *p);
    if (!s)
        put_text(w, "-");
    else if (bare)
        put_text(w, s);
    else
        put_quoted(w, s);
}

/* End the line; the first n_checked bytes of it count. */
static void end_line(struct writer *w, size_t n_checked)
{
    PL_ASSERT(n_checked <= w->n);
    w->hash = pl_schedule_format_hash(w->hash, w->line, n_checked);
    w->hash = pl_schedule_format_hash(w->hash, "\n", 1);
    if (w->n > PL_SCHEDULE_LINE_MAX)
        w->too_large = true;
    put_text(w, "\n");
    w->bytes += w->n;
    if (w->bytes > PL_SCHEDULE_FILE_MAX)
        w->too_large = true;
    if (!w->no_memory && !w->too_large)
        fwrite(w->line, 1, w->n, w->to);
    w->n = 0;
}

static void put_header(struct writer *w, const char *key, const char *value)
{
    if (!value)
        return;
    put_format(w, "%s ", key);
    put_quoted(w, value);
    end_line(w, w->n);
}

static void put_plain_header(struct writer *w, const char *key, const char *value)
{
    if (!value)
        return;
    put_format(w, "%s ", key);
    put_word(w, value);
    end_line(w, w->n);
}

/* The oldest version that has what is in the schedule. */
static int version_of(const struct pl_schedule *s)
{
    for (size_t i = 0; i < s->n_threads; i++) {
        if (s->threads[i].program != NULL)
            return 4;
    }
    return pl_schedule_has_processes(s) ? 3 : s->n_packed > 0 ? 2 : 1;
}

static void print_program(struct writer *w, const struct pl_schedule *s)
{
    char number[32];

    PL_ASSERT(s->carrier < PL_CARRIERS && w->n == 0 && w->bytes == 0);
    put_format(w, PL_SCHEDULE_MAGIC " %d", version_of(s));
    end_line(w, w->n);
    put_header(w, "program", s->program ? s->program : "");
    put_plain_header(w, "build-id", s->build_id);
    put_plain_header(w, "seal", s->seal);
    for (size_t i = 0; i < s->n_arguments; i++)
        put_header(w, "argument", s->arguments[i]);
    put_plain_header(w, "strategy", s->strategy ? s->strategy : "");
    snprintf(number, sizeof(number), "%" PRIu64, s->seed);
    put_plain_header(w, "seed", number);
    snprintf(number, sizeof(number), "%" PRIu64, s->execution);
    put_plain_header(w, "execution", number);
    put_plain_header(w, "carrier", pl_carrier_texts[s->carrier]);
    for (size_t i = 0; i < s->n_options; i++) {
        put_format(w, "option %s", s->options[i].key);
        if (s->options[i].value) {
            put_text(w, " ");
            put_word(w, s->options[i].value);
        }
        end_line(w, w->n);
    }
}

static void print_inputs(struct writer *w, const struct pl_schedule *s)
{
    char line[2 * PL_SCHEDULE_INPUTS_LINE], name[PL_SCHEDULE_INPUTS_NAME];

    if (!s->inputs)
        return;
    put_format(w, "inputs %zu %016" PRIx64, s->n_inputs, pl_image_hash(s->inputs, s->n_inputs));
    end_line(w, w->n);
    if (s->n_inputs > PL_SCHEDULE_INPUTS_INSIDE) {
        pl_schedule_inputs_name(s, name);
        put_header(w, "inputs-file", name);
        return;
    }
    for (size_t at = 0; at < s->n_inputs; at += PL_SCHEDULE_INPUTS_LINE) {
        size_t left = s->n_inputs - at;

        pl_image_encode(line, s->inputs + at,
                        left < PL_SCHEDULE_INPUTS_LINE ? left : PL_SCHEDULE_INPUTS_LINE);
        put_text(w, "inputs-data ");
        put_text(w, line);
        end_line(w, w->n);
    }
}

static void print_minimal(struct writer *w, const struct pl_schedule *s)
{
    if (!s->minimal)
        return;
    put_plain_header(w, "minimal", s->minimal);
    put_format(w, "preemptions %" PRIu64, s->preemptions);
    end_line(w, w->n);
    put_format(w, "switches %" PRIu64, s->switches);
    end_line(w, w->n);
    put_header(w, "why", s->why);
    put_header(w, "passing", s->passing);
}

static void print_finding(struct writer *w, const struct pl_schedule *s)
{
    put_plain_header(w, "finding", pl_finding_text(s->finding));
    if (s->signature) {
        put_format(w, "signature %016" PRIx64, s->signature);
        end_line(w, w->n);
    }
    if (s->identity) {
        put_format(w, "identity %016" PRIx64, s->identity);
        end_line(w, w->n);
    }
    put_header(w, "message", s->message);
    put_header(w, "location", s->location);
    print_minimal(w, s);
    for (size_t i = 0; i < s->n_details; i++)
        put_header(w, "detail", s->details[i]);
    for (size_t i = 0; i < s->n_threads; i++) {
        put_format(w, "thread ");
        put_text(w, s->threads[i].path);
        if (s->threads[i].function) {
            put_text(w, " ");
            put_word(w, s->threads[i].function);
        } else if (s->threads[i].process != 0) {
            put_text(w, " -");
        }
        if (s->threads[i].process != 0)
            put_format(w, " %" PRIu32, s->threads[i].process);
        if (s->threads[i].process != 0 && s->threads[i].program != NULL) {
            put_text(w, " ");
            put_word(w, s->threads[i].program);
        }
        end_line(w, w->n);
    }
}

static void put_operation_kind(struct writer *w, unsigned op)
{
    for (const char *p = pl_operation_text(op); *p != '\0'; p++) {
        char c = pl_schedule_format_dash(*p);

        put(w, &c, 1);
    }
}

static void print_line(struct writer *w, const struct pl_schedule_line *line)
{
    put_text(w, line->is_choice ? "> " : ". ");
    put_text(w, line->thread);
    put_format(w, " %" PRIu32 " ", line->ordinal);
    if (line->is_choice) {
        put_format(w, "%s ", pl_choice_text(line->kind));
        put_text(w, line->target ? line->target : "-");
        put_format(w, " %u/%u ", (unsigned)line->taken, (unsigned)line->options);
    }
    put_operation_kind(w, line->op);
    if (line->is_choice) {
        put_format(w, " %016" PRIx64, line->digest);
    } else {
        if (line->target) {
            put_text(w, " ");
            put_text(w, line->target);
        }
        if (pl_schedule_format_ways[line->way])
            put_format(w, " %s", pl_schedule_format_ways[line->way]);
        if (line->early)
            put_text(w, " early");
    }

    size_t n_checked = w->n;

    if (line->object || line->location || line->function) {
        put_text(w, " # ");
        put_word(w, line->object);
        put_text(w, " ");
        put_word(w, line->location);
        put_text(w, " ");
        put_word(w, line->function);
    }
    if (line->function && line->callers) {
        put_text(w, " ");
        put_word(w, line->callers);
    }
    end_line(w, n_checked);
}

static void print_shape(struct writer *w, const struct pl_schedule_line *shape)
{
    put_format(w, "= ");
    put_text(w, shape->thread);
    put_format(w, " %s ", pl_choice_text(shape->kind));
    put_text(w, shape->target ? shape->target : "-");
    put_format(w, " %u/%u ", (unsigned)shape->taken, (unsigned)shape->options);
    put_operation_kind(w, shape->op);
    end_line(w, w->n);
}

static void print_packed(struct writer *w, const struct pl_schedule *s)
{
    struct pl_packed_state state;
    char *tokens = s->n_packed > 0 ? malloc(PL_PACKED_LINE * PL_PACKED_TOKEN) : NULL;

    if (s->n_packed == 0)
        return;
    if (pl_packed_open(&state, s) != 0 || tokens == NULL)
        w->no_memory = true;
    for (size_t i = 0; i < s->n_shapes && !w->no_memory; i++)
        print_shape(w, &s->shapes[i]);
    for (size_t i = 0; i < s->n_groups && !w->no_memory && !w->too_large; i++) {
        size_t n = pl_packed_print(s, &state, i, tokens);

        put_format(w, "+ %016" PRIx64, s->groups[i].digest);
        put(w, tokens, n);
        end_line(w, w->n);
    }
    pl_packed_close(&state);
    free(tokens);
}

int pl_schedule_print(FILE *to, const struct pl_schedule *s, struct pl_err *err)
{
    struct writer w = {.to = to, .hash = PL_SCHEDULE_HASH_START};

    if (s->failed)
        return pl_err_set(err, PL_ERR_INTERNAL,
                          "the schedule does not fit into memory. Make the program's work "
                          "smaller, or set --max-steps.");
    PL_ASSERT(s->n_choices <= s->n_lines && s->finding < PL_FINDING_KINDS);
    print_program(&w, s);
    print_inputs(&w, s);
    print_finding(&w, s);
    put_text(&w, "begin");
    end_line(&w, w.n);
    print_packed(&w, s);
    for (size_t i = 0; i < s->n_lines && !w.too_large && !w.no_memory && !ferror(to); i++)
        print_line(&w, &s->lines[i]);
    put_format(&w, "end %zu %016" PRIx64, s->n_shapes + s->n_groups + s->n_lines, w.hash);
    end_line(&w, 0);
    free(w.line);

    if (w.no_memory)
        return pl_err_set(err, PL_ERR_INTERNAL,
                          "memory ran out while a schedule was written. Free some and try again.");
    if (w.too_large)
        return pl_err_set(err, PL_ERR_USER,
                          "the schedule is too large for a file (at most %d bytes, %d in a line). "
                          "Give the program less to do, or set --max-steps.",
                          PL_SCHEDULE_FILE_MAX, PL_SCHEDULE_LINE_MAX);
    if (fflush(to) != 0 || ferror(to))
        return pl_err_set(err, PL_ERR_USER, "cannot write: %s. Is there room on the disk?",
                          strerror(errno));
    return 0;
}
