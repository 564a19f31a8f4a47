/* SPDX-License-Identifier: MIT */
/* See suppress.h. */
#include "engine/suppress.h"

#include "base/assert.h"
#include "base/err.h"
#include "base/exit.h"
#include "engine/glob.h"
#include "engine/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* pc, other_pc, the frames, two of each row, both accesses; the objects of it and of each row. */
enum { PLACES = 3 + PL_FINDING_FRAMES + 3 * PL_FINDING_ROWS + 2 * (1 + PL_FINDING_FRAMES) };

static bool is_at(const struct pl_suppression *s, const struct pl_suppress_place *p)
{
    if (s->any != NULL)
        return pl_glob_fits_function(s->any, p->function) ||
               pl_glob_fits_file(s->any, p->file, p->line) ||
               pl_glob_fits_file(s->any, p->object, 0);
    return (s->function == NULL || pl_glob_fits_function(s->function, p->function)) &&
           (s->file == NULL || pl_glob_fits_file(s->file, p->file, p->line)) &&
           (s->object == NULL || pl_glob_fits_file(s->object, p->object, 0));
}

bool pl_suppress_matches(const struct pl_suppression *s, unsigned kind,
                         const struct pl_suppress_place *places, size_t n)
{
    if (s->kind != PL_FINDING_KINDS && s->kind != kind)
        return false;
    if (s->any != NULL && strcmp(s->any, "*") == 0)
        return true; /* some findings have no place */
    for (size_t i = 0; i < n; i++) {
        if (is_at(s, &places[i]))
            return true;
    }
    return false;
}

/* ---- the file ---- */

static int refuse(const struct pl_suppression *s, const char *what, const char *word,
                  struct pl_err *err)
{
    return pl_err_set(err, PL_EXIT_USAGE,
                      "%s:%u: %s%s. Write KIND:PATTERN or KIND function=PATTERN "
                      "file=PATTERN object=PATTERN.",
                      s->path, s->line, what, word);
}

/* "function=PATTERN"; the pattern may stand in double quotes.  Returns what is behind it. */
static char *read_field(struct pl_suppression *s, char *at)
{
    static const char *const keys[] = {"function=", "file=", "object="};
    const char **fields[] = {&s->function, &s->file, &s->object};

    for (unsigned i = 0; i < 3; i++) {
        size_t n = strlen(keys[i]);

        if (strncmp(at, keys[i], n) != 0)
            continue;
        at += n;
        bool quoted = *at == '"';
        char *end = at + quoted + strcspn(at + quoted, quoted ? "\"" : " \t");

        if (end == at + quoted || (quoted && *end == '\0'))
            return NULL;
        *fields[i] = at + quoted;
        at = *end != '\0' ? end + 1 : end;
        *end = '\0';
        return at + strspn(at, " \t");
    }
    return NULL;
}

static int read_line(struct pl_suppression *s, struct pl_err *err)
{
    size_t n = strcspn(s->words, ": \t");
    char *at = s->words + n, separator = *at;

    *at = '\0';
    s->kind = pl_finding_find(s->words);
    if (s->kind == PL_FINDING_NONE || (s->kind == PL_FINDING_KINDS && strcmp(s->words, "*") != 0))
        return refuse(s, "there is no kind of finding ", s->words, err);
    at += separator != '\0';
    at += strspn(at, " \t");
    if (separator == ':') {
        s->any = at;
        return *at != '\0' ? 0 : refuse(s, "the pattern is missing", "", err);
    }
    if (*at == '\0')
        return refuse(s, "the pattern is missing", "", err);
    while (*at != '\0') {
        const char *field = at;

        at = read_field(s, at);
        if (at == NULL)
            return refuse(s, "this is no pattern: ", field, err);
    }
    return 0;
}

/* Where lines come from and go to. */
struct source {
    struct pl_suppressions *to;
    const char *path;
};

static int add_line(void *context, const char *text, unsigned line, struct pl_err *err)
{
    const struct source *source = context;
    struct pl_suppressions *to = source->to;

    to->list = pl_err_must(realloc(to->list, (to->n + 1) * sizeof(*to->list)));
    struct pl_suppression *s = &to->list[to->n++];

    *s = (struct pl_suppression){.words = pl_err_must(strdup(text)),
                                 .text = pl_err_must(strdup(text)),
                                 .path = source->path,
                                 .line = line};
    return read_line(s, err);
}

int pl_suppress_read(struct pl_suppressions *to, const char *path, struct pl_err *err)
{
    struct source source = {to, path};

    return pl_lines_each(path, "the file of --suppressions", add_line, &source, err);
}

void pl_suppress_free(struct pl_suppressions *s)
{
    for (size_t i = 0; i < s->n; i++) {
        free(s->list[i].words);
        free(s->list[i].text);
    }
    free(s->list);
    *s = (struct pl_suppressions){0};
}

/* ---- a finding ---- */

/* The places of a finding; names of objects have a place of their own. */
struct places {
    struct pl_suppress_place list[PLACES];
    char objects[1 + PL_FINDING_ROWS][PL_RESULT_LINE];
    size_t n, n_objects;
};

static void add_code(struct places *p, const struct pl_scene *scene, uint64_t pc)
{
    if (pc == 0)
        return;
    const struct pl_symbols_code *code = pl_symbols_code(scene->symbols, pc);

    PL_ASSERT(p->n < PLACES);
    p->list[p->n++] =
        (struct pl_suppress_place){code->function, code->file, code->line, code->object};
}

static void add_object(struct places *p, const struct pl_scene *scene, const struct pl_place *place)
{
    char *name = p->objects[p->n_objects];

    pl_describe_place(scene, place, name, PL_RESULT_LINE);
    if (name[0] == '\0')
        return;
    p->n_objects++;
    PL_ASSERT(p->n < PLACES);
    p->list[p->n++] = (struct pl_suppress_place){"", "", 0, name};
}

static void add_frames(struct places *p, const struct pl_scene *scene, const uint64_t *frames,
                       unsigned n)
{
    for (unsigned i = 0; i < n && i < PL_FINDING_FRAMES; i++)
        add_code(p, scene, frames[i]);
}

static void list_places(struct places *p, const struct pl_scene *scene, const struct pl_finding *f)
{
    unsigned rows = f->n_rows < PL_FINDING_ROWS ? f->n_rows : PL_FINDING_ROWS;

    p->n = p->n_objects = 0;
    add_code(p, scene, pl_describe_pc(f));
    add_code(p, scene, f->other_pc);
    add_frames(p, scene, f->frames, f->n_frames);
    for (unsigned i = 0; i < f->n_accesses && i < 2; i++) {
        add_code(p, scene, f->accesses[i].pc);
        add_frames(p, scene, f->accesses[i].frames, f->accesses[i].n_frames);
    }
    add_object(p, scene, &f->object);
    for (unsigned i = 0; i < rows; i++) {
        add_code(p, scene, f->rows[i].pc);
        add_code(p, scene, f->rows[i].since);
        add_object(p, scene, &f->rows[i].object);
    }
}

/* A deadlock that is predicted is a deadlock, too: it will be driven there. */
static bool matches(const struct pl_suppression *s, unsigned kind, const struct places *p)
{
    return pl_suppress_matches(s, kind, p->list, p->n) ||
           (kind == PL_FINDING_LOCK_ORDER &&
            pl_suppress_matches(s, PL_FINDING_DEADLOCK, p->list, p->n));
}

bool pl_suppress_finding(struct pl_suppressions *s, const struct pl_scene *scene,
                         const struct pl_finding *f)
{
    struct places *p = pl_err_must(malloc(sizeof(*p)));
    bool found = false;

    list_places(p, scene, f);
    for (size_t i = 0; i < s->n; i++) {
        if (matches(&s->list[i], f->kind, p)) {
            s->list[i].findings++;
            found = true;
        }
    }
    free(p);
    return found;
}
