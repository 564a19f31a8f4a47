/* SPDX-License-Identifier: MIT */
/*
 * See inlined.h.
 */
#include "engine/symbols/inlined.h"

#include "engine/symbols/demangle.h"
#include "engine/symbols/scopes.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

const char *pl_inlined_plain_file(const char *file, char plain[PATH_MAX])
{
    size_t n = strlen(file);
    char *from = plain, *up;

    if (n >= PATH_MAX)
        return file;
    memcpy(plain, file, n + 1);
    while ((up = strstr(from, "/../")) != NULL) {
        char *folder = up;

        while (folder > plain && folder[-1] != '/')
            folder--;
        from = plain;
        if (folder == up || strncmp(folder, "../", 3) == 0)
            from = up + 1; /* nothing to go up from */
        else
            memmove(folder, up + 4, strlen(up + 4) + 1);
    }
    return plain;
}

bool pl_inlined_system_file(const char *file)
{
    char plain[PATH_MAX];

    file = pl_inlined_plain_file(file, plain);
    return strncmp(file, "/usr/include/", 13) == 0 || strncmp(file, "/usr/lib/", 9) == 0;
}

char *pl_inlined_name(Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    const char *mangled =
        dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
    const char *plain = dwarf_diename(function);

    if (mangled != NULL)
        return pl_demangle_name(mangled);
    return plain ? strdup(plain) : NULL;
}

static uint64_t number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value = 0;

    return dwarf_formudata(dwarf_attr(die, name, &attribute), &value) == 0 ? value : 0;
}

static bool is_function(Dwarf_Die *die)
{
    int tag = dwarf_tag(die);

    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

/* The first call, going outwards, that stands in a file of the program. */
static bool find_call(Dwarf_Die *scopes, int n, Dwarf_Files *files, struct pl_inlined_call *call)
{
    for (int i = 0; i < n && dwarf_tag(&scopes[i]) != DW_TAG_subprogram; i++) {
        const char *file;

        if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
            continue;
        file = dwarf_filesrc(files, number_of(&scopes[i], DW_AT_call_file), NULL, NULL);
        if (file == NULL || pl_inlined_system_file(file))
            continue;
        call->file = file;
        call->line = (unsigned)number_of(&scopes[i], DW_AT_call_line);
        for (i++; i < n && call->function == NULL; i++) {
            if (is_function(&scopes[i]))
                call->function = pl_inlined_name(&scopes[i]);
        }
        return call->line != 0;
    }
    return false;
}

bool pl_inlined_caller(Dwfl_Module *module, uint64_t address, struct pl_inlined_call *call)
{
    Dwarf_Addr bias;
    Dwarf_Die *unit = pl_inlined_unit(module, address, &bias), *scopes = NULL;
    Dwarf_Files *files;
    size_t n_files;

    *call = (struct pl_inlined_call){NULL, NULL, 0};
    if (unit == NULL || dwarf_getsrcfiles(unit, &files, &n_files) != 0)
        return false;
    int n = pl_scopes_at(module, unit, address - bias, &scopes);
    bool found = find_call(scopes, n, files, call);

    free(scopes);
    return found;
}

Dwarf_Die *pl_inlined_unit(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module, address, bias);

    if (unit != NULL && dwarf_haspc(unit, address - *bias) > 0)
        return unit;
    unit = NULL;
    while ((unit = dwfl_module_nextcu(module, unit, bias)) != NULL) {
        if (dwarf_haspc(unit, address - *bias) > 0)
            return unit;
    }
    return NULL;
}
