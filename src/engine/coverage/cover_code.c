/* SPDX-License-Identifier: MIT */
/* See cover_code.h. */
#include "engine/coverage/cover_code.h"

#include "base/assert.h"
#include "base/err.h"
#include "engine/symbols/code.h"
#include "engine/symbols/inlined.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stretch {
    uint64_t start, end;
    bool debug; /* from the debug information */
    char *module, *name, *file;
};

struct list {
    const struct pl_board *board;
    const char *program;
    struct stretch *items;
    size_t n, room;
};

/* ---- which functions ---- */

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool is_system(const struct pl_module *m)
{
    static const char *const folders[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};

    if (strstr(m->path, "linux-vdso") != NULL || strstr(m->path, "/libplait.so") != NULL ||
        strstr(m->path, "/libtsan.so") != NULL)
        return true;
    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (!m->instrumented && starts_with(m->path, folders[i]))
            return true;
    }
    return false;
}

/* Of the compiler's start-up code, and of the gate. */
static bool is_added(const char *name)
{
    static const char *const starts[] = {
        "__tsan_",       "pl_do_atomic",    "pl_native_atomic",
        "_sub_I_",       "_GLOBAL__sub_I_", "__do_global_",
        "_start",        "_init",           "_fini",
        "frame_dummy",   "find_runtime",    "__libc_csu_",
        "register_tm_",  "deregister_tm",   "_dl_relocate_static",
        "plait_runtime",
    };

    for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
        if (starts_with(name, starts[i]))
            return true;
    }
    return false;
}

static const struct pl_module *module_of(const struct pl_board *board, uint64_t address)
{
    for (unsigned i = 0; i < board->n_modules && i < PL_BOARD_MODULES; i++) {
        if (address >= board->modules[i].start && address < board->modules[i].end)
            return &board->modules[i];
    }
    return NULL;
}

/* ---- their names ---- */

static char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return pl_err_must(strdup(slash ? slash + 1 : path));
}

/* Without what a compiler adds to a part of a function. */
static char *whole_name(const char *name)
{
    static const char *const additions[] = {" [clone ", ".cold", ".part.", ".isra.", ".constprop."};
    size_t n = strlen(name);

    for (size_t i = 0; i < sizeof(additions) / sizeof(additions[0]); i++) {
        const char *at = strstr(name, additions[i]);

        if (at != NULL && at > name && (size_t)(at - name) < n)
            n = (size_t)(at - name);
    }
    return pl_err_must(strndup(name, n));
}

/* Without the folder of the compilation. */
static char *short_file(const char *file, const char *folder)
{
    char plain[PATH_MAX];
    size_t n = strlen(folder);

    if (n > 0 && strncmp(file, folder, n) == 0 && file[n] == '/')
        file += n + 1;
    while (starts_with(file, "./"))
        file += 2;
    return pl_err_must(strdup(pl_inlined_plain_file(file, plain)));
}

static bool is_wanted(void *context, uint64_t module)
{
    const struct list *l = context;
    const struct pl_module *m = module_of(l->board, module);

    return m != NULL && !is_system(m);
}

static void add(void *context, const struct pl_code_function *f)
{
    struct list *l = context;
    const struct pl_module *m = module_of(l->board, f->start);

    PL_ASSERT(l->n <= l->room);
    if (f->inlined || f->start >= f->end || f->name[0] == '\0' || m == NULL || is_added(f->name))
        return;
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 256;
        l->items = pl_err_must(realloc(l->items, l->room * sizeof(*l->items)));
    }
    l->items[l->n++] = (struct stretch){
        .start = f->start,
        .end = f->end,
        .debug = f->file[0] != '\0',
        .module = base_name(m->path[0] == '\0' ? l->program : m->path),
        .name = whole_name(f->name),
        .file = short_file(f->file, f->folder),
    };
}

/* What the debug information says comes first: it has the file. */
static int by_start(const void *a, const void *b)
{
    const struct stretch *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return x->debug == y->debug ? (x->end > y->end) - (x->end < y->end) : x->debug ? -1 : 1;
}

/* ---- the table ---- */

/* The number of the function; 0 when there are too many. */
static uint32_t number_of(struct pl_cover_code *code, json_t *known, struct stretch *s)
{
    char *key;

    if (asprintf(&key, "%s\n%s\n%s", s->module, s->name, s->file) < 0)
        abort();
    uint32_t number = (uint32_t)json_integer_value(json_object_get(known, key));

    if (number == 0 && code->n < PL_COVER_FUNCTIONS) {
        code->functions =
            pl_err_must(realloc(code->functions, (code->n + 1) * sizeof(*code->functions)));
        code->functions[code->n++] = (struct pl_cover_code_function){s->module, s->name, s->file};
        number = (uint32_t)code->n;
        json_object_set_new_nocheck(known, key, json_integer(number));
        s->module = s->name = s->file = NULL;
    }
    PL_ASSERT(number <= code->n);
    free(key);
    return number;
}

static void put(struct pl_cover_code *code, struct list *l, struct pl_cover *cover)
{
    json_t *known = json_object();
    uint64_t end = 0;

    for (size_t i = 0; i < l->n && cover->n_ranges < PL_COVER_RANGES; i++) {
        struct stretch *s = &l->items[i];
        uint32_t number = s->start >= end ? number_of(code, known, s) : 0;

        if (number == 0)
            continue;
        PL_ASSERT(s->start < s->end && s->start >= end);
        cover->ranges[cover->n_ranges++] =
            (struct pl_cover_range){.start = s->start, .end = s->end, .function = number};
        end = s->end;
    }
    PL_ASSERT(code->n <= PL_COVER_FUNCTIONS && cover->n_ranges <= PL_COVER_RANGES);
    cover->n_functions = (uint32_t)code->n;
    json_decref(known);
}

void pl_cover_code_make(struct pl_cover_code *code, const struct pl_board *board,
                        const char *program, struct pl_cover *cover)
{
    struct pl_symbols *symbols = pl_symbols_open(board, program);
    struct list l = {.board = board, .program = program};

    *code = (struct pl_cover_code){0};
    pl_code_each(symbols, is_wanted, add, &l);
    pl_symbols_close(symbols);
    if (l.n > 0)
        qsort(l.items, l.n, sizeof(*l.items), by_start);
    put(code, &l, cover);
    for (size_t i = 0; i < l.n; i++) {
        free(l.items[i].module);
        free(l.items[i].name);
        free(l.items[i].file);
    }
    free(l.items);
}

void pl_cover_code_free(struct pl_cover_code *code)
{
    for (size_t i = 0; i < code->n; i++) {
        free(code->functions[i].module);
        free(code->functions[i].name);
        free(code->functions[i].file);
    }
    free(code->functions);
    *code = (struct pl_cover_code){0};
}
