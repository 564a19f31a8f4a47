/* SPDX-License-Identifier: MIT */
/* See marks.h. */
#include "engine/worker/marks.h"

#include "base/assert.h"
#include "base/err.h"
#include "engine/shared/glob.h"
#include "engine/shared/lines.h"
#include "engine/symbols/code.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a mark is given with, and what code that has it is. */
static const struct {
    const char *option, *made;
} words[PL_MARKS] = {
    [PL_MARK_TRUST] = {"--trust", "trusted"},
    [PL_MARK_NOISE] = {"--noise-at", "disturbed"},
};

/* ---- patterns ---- */

static void add_pattern(struct pl_marks *t, enum pl_mark mark, const char *text, size_t n,
                        const char *path, unsigned line)
{
    PL_ASSERT(mark < PL_MARKS && n > 0);
    t->patterns = pl_err_must(realloc(t->patterns, (t->n + 1) * sizeof(*t->patterns)));
    t->patterns[t->n++] =
        (struct pl_marks_pattern){mark, pl_err_must(strndup(text, n)), path, line, false};
}

/* Where lines come from and go to. */
struct source {
    struct pl_marks *to;
    enum pl_mark mark;
    const char *path;
};

static int add_line(void *context, const char *text, unsigned line, struct pl_err *err)
{
    const struct source *source = context;

    add_pattern(source->to, source->mark, text, strlen(text), source->path, line);
    return 0;
}

int pl_marks_add(struct pl_marks *t, enum pl_mark mark, const char *value, struct pl_err *err)
{
    PL_ASSERT(mark < PL_MARKS && value != NULL);
    struct source source = {t, mark, value + 1};
    char what[64];

    snprintf(what, sizeof(what), "the file of %s", words[mark].option);
    if (value[0] == '@')
        return pl_lines_each(source.path, what, add_line, &source, err);
    for (;;) {
        size_t n = strcspn(value, ",");

        if (n == 0)
            return pl_err_set(err, PL_ERR_USER,
                              "%s has an empty pattern. Give functions, files or libraries "
                              "with commas between them, or @FILE.",
                              words[mark].option);
        add_pattern(t, mark, value, n, NULL, 0);
        if (value[n] == '\0')
            return 0;
        value += n + 1;
    }
}

void pl_marks_free(struct pl_marks *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->patterns[i].text);
    free(t->patterns);
    *t = (struct pl_marks){0};
}

uint8_t pl_marks_used(const struct pl_marks *t)
{
    unsigned bits = 0;

    for (size_t i = 0; i < t->n; i++)
        bits |= 1u << t->patterns[i].mark;
    return (uint8_t)bits;
}

/* ---- code ---- */

struct search {
    struct pl_marks *marks;
    struct pl_marks_ranges *found; /* by enum pl_mark */
};

static void add_range(struct pl_marks_ranges *r, uint64_t start, uint64_t end)
{
    PL_ASSERT(start <= end && r->n <= r->room);
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->list = pl_err_must(realloc(r->list, r->room * sizeof(*r->list)));
    }
    r->list[r->n++] = (struct pl_stretch){start, end};
}

static void look_at_function(void *context, const struct pl_code_function *f)
{
    const struct search *s = context;

    for (size_t i = 0; i < s->marks->n; i++) {
        struct pl_marks_pattern *p = &s->marks->patterns[i];

        if (!pl_glob_fits_function(p->text, f->name) && !pl_glob_fits(p->text, f->plain) &&
            !pl_glob_fits_file(p->text, f->file, 0))
            continue;
        p->used = true;
        add_range(&s->found[p->mark], f->start, f->end);
    }
}

/* The program itself is no library, and neither is plait. */
static void look_at_modules(const struct search *s, const struct pl_board *board)
{
    unsigned n = board->n_modules < PL_BOARD_MODULES ? board->n_modules : PL_BOARD_MODULES;

    for (unsigned m = 1; m < n; m++) {
        const struct pl_module *module = &board->modules[m];

        if (pl_glob_fits_file("libplait.so", module->path, 0))
            continue;
        for (size_t i = 0; i < s->marks->n; i++) {
            struct pl_marks_pattern *p = &s->marks->patterns[i];

            if (!pl_glob_fits_file(p->text, module->path, 0))
                continue;
            p->used = true;
            add_range(&s->found[p->mark], module->start, module->end);
        }
    }
}

static int by_start(const void *a, const void *b)
{
    const struct pl_stretch *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

/* What touches is one. */
static void merge(struct pl_marks_ranges *r)
{
    struct pl_stretch *list = r->list;
    size_t kept = 0;

    if (r->n > 0)
        qsort(list, r->n, sizeof(*list), by_start);
    for (size_t i = 0; i < r->n; i++) {
        if (kept > 0 && list[i].start <= list[kept - 1].end) {
            if (list[i].end > list[kept - 1].end)
                list[kept - 1].end = list[i].end;
        } else {
            list[kept++] = list[i];
        }
    }
    PL_ASSERT(kept <= r->n);
    r->n = kept;
}

void pl_marks_resolve(struct pl_marks *t, const struct pl_board *board, const char *program,
                      struct pl_marks_ranges ranges[PL_MARKS])
{
    struct pl_symbols *symbols = pl_symbols_open(board, program);
    struct search s = {t, ranges};

    memset(ranges, 0, PL_MARKS * sizeof(*ranges));
    look_at_modules(&s, board);
    pl_code_each(symbols, NULL, look_at_function, &s);
    pl_symbols_close(symbols);
    for (unsigned i = 0; i < PL_MARKS; i++)
        merge(&ranges[i]);
}

/* ---- the answer ---- */

/* Where a pattern was given, to begin a sentence with. */
static void say_origin(const struct pl_marks_pattern *p, char *to, size_t size)
{
    if (p->path != NULL)
        snprintf(to, size, "%s:%u: '%s'", p->path, p->line, p->text);
    else
        snprintf(to, size, "%s '%s'", words[p->mark].option, p->text);
}

/* Whoever names a library may mean one that the program loads later. */
static bool may_come(const struct pl_marks_pattern *p)
{
    return strstr(p->text, ".so") != NULL;
}

static int check_patterns(struct pl_marks *t, struct pl_err *err)
{
    char origin[512];

    for (size_t i = 0; i < t->n; i++) {
        const struct pl_marks_pattern *p = &t->patterns[i];

        if (p->used)
            continue;
        say_origin(p, origin, sizeof(origin));
        if (!may_come(p))
            return pl_err_set(err, PL_ERR_USER,
                              "%s is no function, source file or library of the program. Names of "
                              "static functions and files need debug information (-g).",
                              origin);
        if (!t->warned)
            fprintf(stderr,
                    "plait: %s is no library that the program has loaded when it creates its "
                    "first thread; what is loaded later is not %s.\n",
                    origin, words[p->mark].made);
    }
    t->warned = true;
    return 0;
}

/* What a worker searches by halves: sorted, and apart from each other. */
__attribute__((unused)) static bool is_sorted(const struct pl_marks_ranges *r)
{
    for (size_t i = 1; i < r->n; i++) {
        if (r->list[i - 1].end >= r->list[i].start)
            return false;
    }
    return true;
}

static int put_mark(struct pl_board *board, enum pl_mark mark, const struct pl_marks_ranges *r,
                    struct pl_err *err)
{
    if (r->n > PL_BOARD_MARKED)
        return pl_err_set(err, PL_ERR_USER,
                          "%s fits %zu separate stretches of code, more than %d. Name whole "
                          "libraries instead of functions.",
                          words[mark].option, r->n, (int)PL_BOARD_MARKED);
    PL_CHECK(is_sorted(r));
    if (r->n > 0)
        memcpy(board->marked[mark].ranges, r->list, r->n * sizeof(*r->list));
    board->marked[mark].n = r->n;
    return 0;
}

static int put_ranges(struct pl_marks *t, struct pl_slot *slot, struct pl_err *err)
{
    struct pl_marks_ranges ranges[PL_MARKS];
    int rc;

    pl_marks_resolve(t, slot->board, slot->target->program.path, ranges);
    rc = check_patterns(t, err);
    for (unsigned i = 0; i < PL_MARKS; i++) {
        if (rc == 0)
            rc = put_mark(slot->board, (enum pl_mark)i, &ranges[i], err);
        free(ranges[i].list);
    }
    return rc;
}

int pl_marks_answer(struct pl_marks *t, struct pl_slot *slot, struct pl_err *err)
{
    struct pl_board *board = slot->board;

    if (board->phase != PL_PHASE_MARKS || board->marks_status != PL_ANSWER_PENDING)
        return 0;
    uint64_t modules = pl_code_modules(board);

    /* With restart by exec each execution asks. */
    if (board->marked_in != modules && put_ranges(t, slot, err) != 0)
        return -1;
    board->marked_in = modules;
    pl_slot_answer(&board->marks_status, PL_ANSWER_YES);
    return 0;
}
