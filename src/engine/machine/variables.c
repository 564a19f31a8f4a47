/* SPDX-License-Identifier: MIT */
/* See variables.h. */
#include "engine/machine/variables.h"

#include "base/err.h"
#include "engine/symbols/inlined.h"
#include "engine/symbols/scopes.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <stdlib.h>

enum { DEEPEST = 100, RBP = 6, RSP = 7 };

struct list {
    struct pl_machine_object *items;
    size_t n, room;
    enum pl_machine_frame base; /* what DW_OP_fbreg counts from */
};

static void add(struct list *l, enum pl_machine_frame base, uint64_t offset, uint64_t size)
{
    if (l->n == l->room) {
        l->room = l->room ? 2 * l->room : 16;
        l->items = pl_err_must(realloc(l->items, l->room * sizeof(*l->items)));
    }
    l->items[l->n++] = (struct pl_machine_object){base, offset, size};
}

static void add_variable(struct list *l, Dwarf_Die *die)
{
    Dwarf_Attribute location, type;
    Dwarf_Die type_die;
    Dwarf_Word size = 0;
    Dwarf_Addr base, start, end;
    Dwarf_Op *ops;
    size_t n;
    ptrdiff_t at = 0;

    if (dwarf_attr_integrate(die, DW_AT_location, &location) == NULL ||
        dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &type), &type_die) == NULL ||
        dwarf_aggregate_size(&type_die, &size) != 0 || size == 0)
        return;
    while ((at = dwarf_getlocations(&location, at, &base, &start, &end, &ops, &n)) > 0) {
        if (n != 1)
            continue;
        if (ops[0].atom == DW_OP_fbreg)
            add(l, l->base, ops[0].number, size);
        else if (ops[0].atom == DW_OP_breg0 + RBP)
            add(l, PL_FRAME_RBP, ops[0].number, size);
        else if (ops[0].atom == DW_OP_breg0 + RSP)
            add(l, PL_FRAME_RSP, ops[0].number, size);
    }
}

static void walk(struct list *l, Dwarf_Die *parent, unsigned depth)
{
    Dwarf_Die die;

    if (depth == DEEPEST || dwarf_child(parent, &die) != 0)
        return;
    do {
        int tag = dwarf_tag(&die);

        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
            add_variable(l, &die);
        else if (tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine)
            walk(l, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

static enum pl_machine_frame frame_base(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t n;

    if (dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) == NULL ||
        dwarf_getlocation(&attribute, &ops, &n) != 0 || n != 1)
        return PL_FRAME_CFA;
    return ops[0].atom == DW_OP_reg0 + RBP   ? PL_FRAME_RBP
           : ops[0].atom == DW_OP_reg0 + RSP ? PL_FRAME_RSP
                                             : PL_FRAME_CFA;
}

size_t pl_variables_find(Dwfl_Module *module, uint64_t start, struct pl_machine_object **list)
{
    struct list l = {0};
    Dwarf_Addr bias;
    Dwarf_Die *unit = pl_inlined_unit(module, start, &bias), *scopes = NULL;
    int n = unit != NULL ? pl_scopes_at(module, unit, start - bias, &scopes) : 0;

    for (int i = 0; i < n; i++) {
        if (dwarf_tag(&scopes[i]) != DW_TAG_subprogram)
            continue;
        l.base = frame_base(&scopes[i]);
        walk(&l, &scopes[i], 0);
        break;
    }
    free(scopes);
    *list = l.items;
    return l.n;
}
