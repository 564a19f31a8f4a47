/* SPDX-License-Identifier: MIT */
/* See code.h. */
#include "engine/symbols/code.h"

#include "base/assert.h"
#include "base/hash.h"
#include "engine/symbols/demangle.h"
#include "engine/symbols/inlined.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 200 }; /* entries within each other; hostile debug information has no end */

struct walk {
    bool (*wanted)(void *context, uint64_t module);
    void (*visit)(void *context, const struct pl_code_function *function);
    void *context;
    Dwarf_Addr bias;
    const char *folder; /* of the unit */
};

/* The file that a function stands in; NULL when not known. */
static const char *file_of(Dwarf_Die *die)
{
    const char *file = dwarf_decl_file(die);
    Dwarf_Attribute attribute;
    Dwarf_Die unit;

    if (file != NULL || dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) == NULL)
        return file;
    /* In DWARF 5 number 0 is the unit's own file, which this libdw takes for none. */
    return dwarf_cu_die(attribute.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) != NULL
               ? dwarf_diename(&unit)
               : NULL;
}

/* Where the code was inlined. */
static void fill_call(struct pl_code_function *f, Dwarf_Die *die)
{
    Dwarf_Attribute attribute;
    Dwarf_Word file = 0, line = 0;
    Dwarf_Files *files;
    Dwarf_Die unit;
    size_t n;

    if (dwarf_formudata(dwarf_attr(die, DW_AT_call_file, &attribute), &file) != 0 ||
        dwarf_formudata(dwarf_attr(die, DW_AT_call_line, &attribute), &line) != 0 ||
        dwarf_diecu(die, &unit, NULL, NULL) == NULL || dwarf_getsrcfiles(&unit, &files, &n) != 0)
        return;
    const char *name = dwarf_filesrc(files, file, NULL, NULL);

    f->caller = name ? name : "";
    f->line = (unsigned)line;
}

/* All stretches of code of one function or of one place where it was inlined. */
static void visit_function(const struct walk *w, Dwarf_Die *die)
{
    const char *file = file_of(die), *plain = dwarf_diename(die);
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;
    char *name = NULL;

    while ((at = dwarf_ranges(die, at, &base, &start, &end)) > 0) {
        if (name == NULL)
            name = pl_inlined_name(die);
        struct pl_code_function f = {.name = name ? name : "",
                                     .plain = plain ? plain : "",
                                     .file = file ? file : "",
                                     .folder = w->folder,
                                     .inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine,
                                     .caller = "",
                                     .start = start + w->bias,
                                     .end = end + w->bias};

        if (f.inlined)
            fill_call(&f, die);
        w->visit(w->context, &f);
    }
    free(name);
}

static void walk_children(const struct walk *w, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;

    PL_ASSERT(depth <= DEEPEST && w->visit != NULL);
    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);

        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            visit_function(w, &die);
        if (dwarf_haschildren(&die) > 0)
            walk_children(w, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static void visit_symbols(const struct walk *w, Dwfl_Module *module)
{
    int n = dwfl_module_getsymtab(module);

    for (int i = 1; i < n; i++) {
        GElf_Sym sym;
        GElf_Addr start;
        const char *raw = dwfl_module_getsym_info(module, i, &sym, &start, NULL, NULL, NULL);
        int type = GELF_ST_TYPE(sym.st_info);

        if (raw == NULL || (type != STT_FUNC && type != STT_GNU_IFUNC) || sym.st_size == 0)
            continue;
        char *name = pl_demangle_name(raw);

        w->visit(w->context, &(struct pl_code_function){.name = name,
                                                        .plain = "",
                                                        .file = "",
                                                        .folder = "",
                                                        .caller = "",
                                                        .start = start,
                                                        .end = start + sym.st_size});
        free(name);
    }
}

static int visit_module(Dwfl_Module *module, void **unused, const char *name, Dwarf_Addr start,
                        void *context)
{
    struct walk *w = context;
    Dwarf_Die *unit = NULL;

    if (strncmp(name, "libplait.so", 11) == 0)
        return DWARF_CB_OK; /* it is large, and nobody's business */
    if (w->wanted != NULL && !w->wanted(w->context, start))
        return DWARF_CB_OK;

    visit_symbols(w, module);
    if (pl_symbols_is_system(name)) /* their debug information takes longer to read than most
                                       programs to be explored */
        return DWARF_CB_OK;
    while ((unit = dwfl_module_nextcu(module, unit, &w->bias)) != NULL) {
        Dwarf_Attribute folder;
        const char *text = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &folder));

        w->folder = text ? text : "";
        walk_children(w, unit, 0);
    }
    return DWARF_CB_OK;
}

void pl_code_each(struct pl_symbols *symbols, bool (*wanted)(void *context, uint64_t module),
                  void (*visit)(void *context, const struct pl_code_function *function),
                  void *context)
{
    struct walk w = {.wanted = wanted, .visit = visit, .context = context};

    if (pl_symbols_session(symbols) != NULL)
        dwfl_getmodules(pl_symbols_session(symbols), visit_module, &w, 0);
}

uint64_t pl_code_modules(const struct pl_board *board)
{
    uint64_t h = 0;

    for (unsigned i = 0; i < board->n_modules && i < PL_BOARD_MODULES; i++) {
        if (board->modules[i].end != 0 && board->modules[i].base >> PL_IMAGE_SHIFT == 0)
            h = pl_hash_add(pl_hash_add(h, board->modules[i].base),
                            pl_hash_text(board->modules[i].path));
    }
    return h | 1;
}
