/* SPDX-License-Identifier: MIT */
/* See trust.h. */
#include "engine/trust.h"

#include "base/err.h"
#include "base/exit.h"
#include "engine/code.h"
#include "engine/glob.h"
#include "engine/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- patterns ---- */

static void add_pattern(struct pl_trust *t, const char *text, size_t n, const char *path,
                        unsigned line)
{
    t->patterns = pl_err_must(realloc(t->patterns, (t->n + 1) * sizeof(*t->patterns)));
    t->patterns[t->n++] =
        (struct pl_trust_pattern){pl_err_must(strndup(text, n)), path, line, false};
}

/* Where lines come from and go to. */
struct source {
    struct pl_trust *to;
    const char *path;
};

static int add_line(void *context, const char *text, unsigned line, struct pl_err *err)
{
    const struct source *source = context;

    add_pattern(source->to, text, strlen(text), source->path, line);
    return 0;
}

int pl_trust_add(struct pl_trust *t, const char *value, struct pl_err *err)
{
    struct source source = {t, value + 1};

    if (value[0] == '@')
        return pl_lines_each(source.path, "the file of --trust", add_line, &source, err);
    for (;;) {
        size_t n = strcspn(value, ",");

        if (n == 0)
            return pl_err_set(err, PL_EXIT_USAGE,
                              "--trust has an empty pattern. Give functions, files or libraries "
                              "with commas between them, or @FILE.");
        add_pattern(t, value, n, NULL, 0);
        if (value[n] == '\0')
            return 0;
        value += n + 1;
    }
}

void pl_trust_free(struct pl_trust *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->patterns[i].text);
    free(t->patterns);
    *t = (struct pl_trust){0};
}

/* ---- code ---- */

struct ranges {
    struct pl_trust *trust;
    struct pl_trusted *list;
    size_t n, room;
};

static void add_range(struct ranges *r, uint64_t start, uint64_t end)
{
    if (r->n == r->room) {
        r->room = r->room ? 2 * r->room : 256;
        r->list = pl_err_must(realloc(r->list, r->room * sizeof(*r->list)));
    }
    r->list[r->n++] = (struct pl_trusted){start, end};
}

static void look_at_function(void *context, const struct pl_code_function *f)
{
    struct ranges *r = context;

    for (size_t i = 0; i < r->trust->n; i++) {
        struct pl_trust_pattern *p = &r->trust->patterns[i];

        if (!pl_glob_fits_function(p->text, f->name) && !pl_glob_fits(p->text, f->plain) &&
            !pl_glob_fits_file(p->text, f->file, 0))
            continue;
        p->used = true;
        add_range(r, f->start, f->end);
    }
}

/* The program itself is no library, and neither is plait. */
static void look_at_modules(struct ranges *r, const struct pl_board *board)
{
    unsigned n = board->n_modules < PL_BOARD_MODULES ? board->n_modules : PL_BOARD_MODULES;

    for (unsigned m = 1; m < n; m++) {
        const struct pl_module *module = &board->modules[m];

        if (pl_glob_fits_file("libplait.so", module->path, 0))
            continue;
        for (size_t i = 0; i < r->trust->n; i++) {
            struct pl_trust_pattern *p = &r->trust->patterns[i];

            if (!pl_glob_fits_file(p->text, module->path, 0))
                continue;
            p->used = true;
            add_range(r, module->start, module->end);
        }
    }
}

static int by_start(const void *a, const void *b)
{
    const struct pl_trusted *x = a, *y = b;

    return x->start < y->start ? -1 : x->start > y->start;
}

/* What touches is one. */
static size_t merge(struct pl_trusted *list, size_t n)
{
    size_t kept = 0;

    qsort(list, n, sizeof(*list), by_start);
    for (size_t i = 0; i < n; i++) {
        if (kept > 0 && list[i].start <= list[kept - 1].end) {
            if (list[i].end > list[kept - 1].end)
                list[kept - 1].end = list[i].end;
        } else {
            list[kept++] = list[i];
        }
    }
    return kept;
}

size_t pl_trust_resolve(struct pl_trust *t, const struct pl_board *board, const char *program,
                        struct pl_trusted **ranges)
{
    struct pl_symbols *symbols = pl_symbols_open(board, program);
    struct ranges r = {.trust = t};

    add_range(&r, 0, 0); /* so that there is a list */
    r.n = 0;
    look_at_modules(&r, board);
    pl_code_each(symbols, NULL, look_at_function, &r);
    pl_symbols_close(symbols);
    *ranges = r.list;
    return merge(r.list, r.n);
}

/* ---- the answer ---- */

/* Where a pattern was given, to begin a sentence with. */
static void say_origin(const struct pl_trust_pattern *p, char *to, size_t size)
{
    if (p->path != NULL)
        snprintf(to, size, "%s:%u: '%s'", p->path, p->line, p->text);
    else
        snprintf(to, size, "--trust '%s'", p->text);
}

/* Whoever names a library may mean one that the program loads later. */
static bool may_come(const struct pl_trust_pattern *p)
{
    return strstr(p->text, ".so") != NULL;
}

static int check_patterns(struct pl_trust *t, struct pl_err *err)
{
    char origin[512];

    for (size_t i = 0; i < t->n; i++) {
        const struct pl_trust_pattern *p = &t->patterns[i];

        if (p->used)
            continue;
        say_origin(p, origin, sizeof(origin));
        if (!may_come(p))
            return pl_err_set(err, PL_EXIT_USAGE,
                              "%s is no function, source file or library of the program. Names of "
                              "static functions and files need debug information (-g).",
                              origin);
        if (!t->warned)
            fprintf(stderr,
                    "plait: %s is no library that the program has loaded when it creates its "
                    "first thread; what is loaded later is not trusted.\n",
                    origin);
    }
    t->warned = true;
    return 0;
}

static int put_ranges(struct pl_trust *t, struct pl_slot *slot, struct pl_err *err)
{
    struct pl_trusted *ranges = NULL;
    size_t n = pl_trust_resolve(t, slot->board, slot->target->program.path, &ranges);
    int rc = check_patterns(t, err);

    if (rc == 0 && n > PL_BOARD_TRUSTED)
        rc = pl_err_set(err, PL_EXIT_USAGE,
                        "--trust fits %zu separate stretches of code, more than %d. Name whole "
                        "libraries instead of functions.",
                        n, (int)PL_BOARD_TRUSTED);
    if (rc == 0) {
        memcpy(slot->board->trusted, ranges, n * sizeof(*ranges));
        slot->board->n_trusted = n;
    }
    free(ranges);
    return rc;
}

int pl_trust_answer(struct pl_trust *t, struct pl_slot *slot, struct pl_err *err)
{
    struct pl_board *board = slot->board;

    if (board->phase != PL_PHASE_TRUST || board->trust_status != 0)
        return 0;
    uint64_t modules = pl_code_modules(board);

    /* With restart by exec each execution asks. */
    if (board->trusted_in != modules && put_ranges(t, slot, err) != 0)
        return -1;
    board->trusted_in = modules;
    pl_slot_answer(&board->trust_status, 1);
    return 0;
}
