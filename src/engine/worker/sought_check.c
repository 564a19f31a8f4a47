/* SPDX-License-Identifier: MIT */
/*
 * Whether the places of orders that are sought exist: a slip of the pen must not
 * cost a whole search.  Files and lines are those of the debug information; a line may
 * have code and still never perform an operation, which only executions tell.
 */
#include "base/assert.h"
#include "engine/shared/glob.h"
#include "engine/symbols/code.h"
#include "engine/worker/sought.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES = 4 };

/* What the debug information has of one side. */
struct look {
    const struct pl_sought_side *side;
    struct pl_symbols *symbols;
    unsigned n_files; /* different ones that fit; the first few: */
    char files[FILES][PATH_MAX];
    bool has_line, has_function, has_lines; /* has_lines: of anything */
    unsigned below, above;                  /* the nearest lines with code; 0: there is none */
};

/* ./a.c is a.c, wherever that is in a path. */
static void write_path(char *to, size_t size, const char *folder, const char *file)
{
    char whole[PATH_MAX * 2];
    size_t n = 0;

    snprintf(whole, sizeof(whole), "%s%s%s", file[0] == '/' ? "" : folder,
             file[0] == '/' || folder[0] == '\0' ? "" : "/", file);
    for (const char *p = whole; *p != '\0' && n + 1 < size; p++) {
        if ((p == whole || p[-1] == '/') && p[0] == '.' && p[1] == '/')
            p++;
        else
            to[n++] = *p;
    }
    to[n] = '\0';
}

static void add_file(struct look *l, const char *folder, const char *file)
{
    char path[PATH_MAX];

    write_path(path, sizeof(path), folder, file);
    for (unsigned i = 0; i < l->n_files && i < FILES; i++) {
        if (strcmp(l->files[i], path) == 0)
            return;
    }
    if (l->n_files < FILES)
        strcpy(l->files[l->n_files], path);
    l->n_files++;
}

static void add_line(struct look *l, unsigned line)
{
    unsigned wanted = l->side->line;
    PL_ASSERT(wanted != 0);

    l->has_line |= line == wanted;
    if (line < wanted && line > l->below)
        l->below = line;
    if (line > wanted && (l->above == 0 || line < l->above))
        l->above = line;
}

/* All lines of a unit that have code. */
static void look_at_unit(struct look *l, Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    const char *folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const char *last = NULL;
    Dwarf_Lines *lines;
    bool fits = false;
    size_t n;

    if (dwarf_getsrclines(unit, &lines, &n) != 0)
        return;
    for (size_t i = 0; i < n; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i);
        const char *file = dwarf_linesrc(line, NULL, NULL);
        int number = 0;

        if (file == NULL || dwarf_lineno(line, &number) != 0 || number <= 0)
            continue;
        l->has_lines = true;
        if (file != last) {
            fits = pl_glob_fits_file(l->side->name, file, 0);
            if (fits)
                add_file(l, folder ? folder : "", file);
        }
        last = file;
        if (fits)
            add_line(l, (unsigned)number);
    }
}

/* The module at this address is the program's, not libc or plait. */
static bool is_own(void *context, uint64_t module)
{
    const struct look *l = context;

    return pl_symbols_code(l->symbols, module + 1)->own;
}

static int look_at_module(Dwfl_Module *module, void **unused, const char *name, Dwarf_Addr start,
                          void *context)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = NULL;

    if (!is_own(context, start))
        return DWARF_CB_OK;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != NULL)
        look_at_unit(context, unit);
    return DWARF_CB_OK;
}

/* Functions by their names; and lines that have no code but what is inlined there. */
static void look_at_function(void *context, const struct pl_code_function *f)
{
    struct look *l = context;
    struct pl_symbols_code code = {.function = f->name, .file = f->caller, .line = f->line};

    if (l->side->line == 0)
        l->has_function |= pl_sought_fits(l->side, &code);
    else if (f->inlined && pl_sought_fits(l->side, &code))
        l->has_line = true;
}

static int refuse_file(const struct look *l, const char *text, struct pl_err *err)
{
    if (!l->has_lines)
        return pl_err_set(err, PL_ERR_USER,
                          "--cover '%s': the program has no debug information, so no line is "
                          "known. Compile it with -g, or give names of functions.",
                          text);
    return pl_err_set(err, PL_ERR_USER,
                      "--cover '%s': no source file of the program is called %s. plait coverage "
                      "lists those with operations.",
                      text, l->side->name);
}

static int refuse_files(const struct look *l, const char *text, struct pl_err *err)
{
    PL_ASSERT(l->n_files > 1);
    return pl_err_set(err, PL_ERR_USER,
                      "--cover '%s': %s may be %.120s or %.120s%s. Write more of the folders in "
                      "front of it.",
                      text, l->side->name, l->files[0], l->files[1],
                      l->n_files > 2 ? ", or others" : "");
}

static int refuse_line(const struct look *l, const char *text, struct pl_err *err)
{
    char nearest[80];

    PL_ASSERT(l->below == 0 || l->above == 0 || l->below < l->above);
    if (l->below != 0 && l->above != 0)
        snprintf(nearest, sizeof(nearest), "lines %u and %u have", l->below, l->above);
    else
        snprintf(nearest, sizeof(nearest), "line %u has", l->below != 0 ? l->below : l->above);
    return pl_err_set(err, PL_ERR_USER,
                      "--cover '%s': line %u of %s has no code. Nearest to it, %s.", text,
                      l->side->line, l->side->name, nearest);
}

static int check_side(const struct pl_sought_side *side, const char *text,
                      struct pl_symbols *symbols, struct pl_err *err)
{
    struct look *l = pl_err_must(calloc(1, sizeof(*l)));
    bool pattern = strpbrk(side->name, "*?[") != NULL; /* may mean several files */
    int rc = 0;

    l->side = side;
    l->symbols = symbols;
    if (side->line != 0 && pl_symbols_session(symbols) != NULL)
        dwfl_getmodules(pl_symbols_session(symbols), look_at_module, l, 0);
    if (!l->has_line && (side->line == 0 || l->n_files > 0))
        pl_code_each(symbols, is_own, look_at_function, l);
    if (side->line == 0 && !l->has_function)
        rc = pl_err_set(err, PL_ERR_USER,
                        "--cover '%s': the program has no function %s. Give a function, or a line "
                        "as FILE:LINE.",
                        text, side->name);
    else if (side->line != 0 && l->n_files == 0)
        rc = refuse_file(l, text, err);
    else if (side->line != 0 && l->n_files > 1 && !pattern)
        rc = refuse_files(l, text, err);
    else if (side->line != 0 && !l->has_line)
        rc = refuse_line(l, text, err);
    free(l);
    return rc;
}

int pl_sought_check(const struct pl_sought_names *names, struct pl_err *err)
{
    PL_ASSERT(names->n <= PL_SOUGHT_ORDERS && names->symbols != NULL);
    for (unsigned i = 0; i < names->n; i++) {
        for (unsigned k = 0; k < 2; k++) {
            if (check_side(&names->sides[i][k], names->texts[i], names->symbols, err) != 0)
                return -1;
        }
    }
    return 0;
}
