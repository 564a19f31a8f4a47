/* SPDX-License-Identifier: MIT */
/* See scopes.h.  The lists hang at the module, in the word that libdwfl keeps for its user. */
#include "engine/symbols/scopes.h"

#include "base/assert.h"
#include "base/err.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

enum { DEEPEST = 200 }; /* entries within each other; hostile debug information has no end */

/* A stretch of code of a function. */
struct stretch {
    Dwarf_Addr start, end;
    Dwarf_Die function;
};

struct unit {
    struct unit *next;
    Dwarf_Off at;
    size_t n, room;
    struct stretch *stretches; /* by start */
};

static void **kept_of(Dwfl_Module *module)
{
    void **kept = NULL;

    dwfl_module_info(module, &kept, NULL, NULL, NULL, NULL, NULL, NULL);
    return kept;
}

static int by_start(const void *a, const void *b)
{
    const struct stretch *s = a, *t = b;

    return s->start < t->start ? -1 : s->start > t->start;
}

static void add(struct unit *u, Dwarf_Die *function)
{
    Dwarf_Addr base, start, end;
    ptrdiff_t at = 0;

    while ((at = dwarf_ranges(function, at, &base, &start, &end)) > 0) {
        if (u->n == u->room) {
            u->room = u->room ? 2 * u->room : 64;
            u->stretches = pl_err_must(realloc(u->stretches, u->room * sizeof(*u->stretches)));
        }
        if (start < end)
            u->stretches[u->n++] = (struct stretch){start, end, *function};
    }
}

static struct unit *list(Dwarf_Die *unit, struct unit *next)
{
    struct unit *u = pl_err_must(calloc(1, sizeof(*u)));
    Dwarf_Die die;

    u->at = dwarf_dieoffset(unit);
    u->next = next;
    if (dwarf_child(unit, &die) == 0) {
        do {
            if (dwarf_tag(&die) == DW_TAG_subprogram)
                add(u, &die);
        } while (dwarf_siblingof(&die, &die) == 0);
    }
    if (u->n > 0)
        qsort(u->stretches, u->n, sizeof(*u->stretches), by_start);
    return u;
}

/* The function with code at the address, NULL when there is none. */
static Dwarf_Die *function_at(struct unit *u, Dwarf_Addr pc)
{
    size_t from = 0, to = u->n;

    while (from < to) {
        size_t middle = from + (to - from) / 2;

        if (u->stretches[middle].start <= pc)
            from = middle + 1;
        else
            to = middle;
    }
    /* What the linker has left out begins at 0 or 1 and goes as far as it did. */
    while (from > 0) {
        struct stretch *s = &u->stretches[--from];

        if (pc < s->end && s->start > 1)
            return &s->function;
        if (s->start <= 1)
            break;
    }
    return NULL;
}

/* The child with code at the address, in its place; false when there is none. */
static bool enter(Dwarf_Die *die, Dwarf_Addr pc)
{
    Dwarf_Die child;

    if (dwarf_child(die, &child) != 0)
        return false;
    do {
        if (dwarf_haspc(&child, pc) > 0) {
            *die = child;
            return true;
        }
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

int pl_scopes_at(Dwfl_Module *module, Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die **scopes)
{
    void **kept = kept_of(module);
    struct unit *u = kept != NULL ? *kept : NULL;
    Dwarf_Die inside[DEEPEST], *function;
    int n = 0;

    *scopes = NULL;
    if (kept == NULL)
        return 0;
    while (u != NULL && u->at != dwarf_dieoffset(unit))
        u = u->next;
    if (u == NULL)
        *kept = u = list(unit, *kept);
    function = function_at(u, pc);
    if (function == NULL)
        return 0;
    inside[n++] = *function;
    for (Dwarf_Die die = *function; n < DEEPEST && enter(&die, pc);)
        inside[n++] = die;
    PL_ASSERT(n > 0 && n <= DEEPEST);
    *scopes = pl_err_must(malloc((size_t)n * sizeof(**scopes)));
    for (int i = 0; i < n; i++)
        (*scopes)[i] = inside[n - 1 - i];
    return n;
}

static int forget(Dwfl_Module *module, void **kept, const char *name, Dwarf_Addr start,
                  void *unused)
{
    struct unit *u = *kept;

    while (u != NULL) {
        struct unit *next = u->next;

        free(u->stretches);
        free(u);
        u = next;
    }
    *kept = NULL;
    return DWARF_CB_OK;
}

void pl_scopes_close(Dwfl *session)
{
    dwfl_getmodules(session, forget, NULL, 0);
}
