/* SPDX-License-Identifier: MIT */
/*
 * See variable.h.  A variable is found by its address (DW_OP_addr), so that two
 * static variables of one name do not get mixed up.  The walk ends at the first
 * scalar, union or private member such as those inside pthread_mutex_t.
 */
#include "engine/symbols/variable.h"

#include "base/assert.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

struct text {
    char at[300];
    size_t n;
};

static void add(struct text *t, const char *format, const char *s, unsigned long long number)
{
    size_t room = sizeof(t->at) - t->n;
    int n =
        s ? snprintf(t->at + t->n, room, format, s) : snprintf(t->at + t->n, room, format, number);

    if (n > 0)
        t->n += (size_t)n < room ? (size_t)n : room - 1;
}

/* The type behind typedefs and qualifiers; false when there is none. */
static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die raw;

    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &raw) != NULL &&
           dwarf_peel_type(&raw, type) == 0;
}

static bool is_array(Dwarf_Die *type)
{
    return dwarf_tag(type) == DW_TAG_array_type;
}

/* Sizes of an array's inner dimensions, in elements: [3][4] has 4 at level 1. */
static unsigned dimensions(Dwarf_Die *array, uint64_t *counts, unsigned max)
{
    Dwarf_Die range;
    unsigned n = 0;

    if (dwarf_child(array, &range) != 0)
        return 0;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word value = 0;

        if (dwarf_tag(&range) != DW_TAG_subrange_type || n == max)
            continue;
        if (dwarf_formudata(dwarf_attr(&range, DW_AT_count, &attribute), &value) == 0)
            counts[n++] = value;
        else if (dwarf_formudata(dwarf_attr(&range, DW_AT_upper_bound, &attribute), &value) == 0)
            counts[n++] = value + 1;
        else
            counts[n++] = 0;
    } while (dwarf_siblingof(&range, &range) == 0);
    return n;
}

/* Write [i][j] and leave the element's type and the offset into it. */
static bool enter_array(struct text *t, Dwarf_Die *type, uint64_t *offset)
{
    uint64_t counts[8], size;
    unsigned n = dimensions(type, counts, 8);
    Dwarf_Die element;
    Dwarf_Word bytes;

    if (n == 0 || !type_of(type, &element) || dwarf_aggregate_size(&element, &bytes) != 0 ||
        bytes == 0)
        return false;
    PL_ASSERT(n <= sizeof(counts) / sizeof(counts[0]));
    uint64_t index = *offset / bytes;

    *offset %= bytes;
    size = 1;
    for (unsigned i = 1; i < n; i++)
        size *= counts[i] ? counts[i] : 1;
    for (unsigned i = 0; i < n; i++) {
        add(t, "[%llu]", NULL, (unsigned long long)(index / size));
        index %= size;
        if (i + 1 < n)
            size /= counts[i + 1] ? counts[i + 1] : 1;
    }
    *type = element;
    return true;
}

/* Write .member and leave its type and the offset into it. */
static bool enter_member(struct text *t, Dwarf_Die *type, uint64_t *offset)
{
    Dwarf_Die member, next;

    if (dwarf_child(type, &member) != 0)
        return false;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word at = 0, size = 0;
        const char *name = dwarf_diename(&member);
        int tag = dwarf_tag(&member);

        if ((tag != DW_TAG_member && tag != DW_TAG_inheritance) ||
            dwarf_attr(&member, DW_AT_declaration, &attribute) != NULL ||
            dwarf_formudata(dwarf_attr(&member, DW_AT_data_member_location, &attribute), &at) !=
                0 ||
            !type_of(&member, &next) || dwarf_aggregate_size(&next, &size) != 0 || *offset < at ||
            *offset - at >= size)
            continue;
        if (tag == DW_TAG_member && name != NULL && strncmp(name, "_", 1) == 0)
            return false; /* somebody's private matter */
        if (tag == DW_TAG_member && name != NULL)
            add(t, ".%s", name, 0);
        PL_ASSERT(*offset >= at && *offset - at < size);
        *offset -= at;
        *type = next;
        return true;
    } while (dwarf_siblingof(&member, &member) == 0);
    return false;
}

static void walk(struct text *t, Dwarf_Die *type, uint64_t offset)
{
    for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
        int tag = dwarf_tag(type);
        const char *name = dwarf_diename(type);
        bool entered = false;

        if (is_array(type))
            entered = enter_array(t, type, &offset);
        else if ((tag == DW_TAG_structure_type || tag == DW_TAG_class_type) &&
                 (name == NULL || strncmp(name, "_", 1) != 0))
            entered = enter_member(t, type, &offset);
        if (!entered)
            break;
    }
    if (offset != 0)
        add(t, "+%llu", NULL, (unsigned long long)offset);
}

static bool is_at(Dwarf_Die *variable, uint64_t address)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t n;

    return dwarf_attr(variable, DW_AT_location, &attribute) != NULL &&
           dwarf_getlocation(&attribute, &ops, &n) == 0 && n == 1 && ops[0].atom == DW_OP_addr &&
           ops[0].number == address;
}

/* Look for the variable among a scope's children; statics of functions are one level deeper. */
static bool find_variable(Dwarf_Die *scope, uint64_t address, Dwarf_Die *found, unsigned depth)
{
    Dwarf_Die child;

    if (depth > DEPTH_MAX || dwarf_child(scope, &child) != 0)
        return false;
    do {
        int tag = dwarf_tag(&child);

        if (tag == DW_TAG_variable && is_at(&child, address)) {
            *found = child;
            return true;
        }
        if ((tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_namespace) &&
            find_variable(&child, address, found, depth + 1))
            return true;
    } while (dwarf_siblingof(&child, &child) == 0);
    return false;
}

char *pl_variable_path(Dwfl_Module *module, uint64_t address, uint64_t offset, const char *name)
{
    struct text t = {.n = 0};
    Dwarf_Die *unit = NULL, variable, type;
    Dwarf_Addr bias;

    while ((unit = dwfl_module_nextcu(module, unit, &bias)) != NULL) {
        if (!find_variable(unit, address - offset - bias, &variable, 0))
            continue;
        if (!type_of(&variable, &type))
            return NULL;
        add(&t, "%s", name, 0);
        walk(&t, &type, offset);
        return strdup(t.at);
    }
    return NULL;
}
