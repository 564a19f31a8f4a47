/* SPDX-License-Identifier: MIT */
/*
 * Out of inlined library code: a std::mutex is locked by five functions of
 * system headers, one inside the other, and none of them is where a programmer
 * wants to look.
 */
#ifndef PL_ENGINE_SYMBOLS_INLINED_H
#define PL_ENGINE_SYMBOLS_INLINED_H

#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * A file's name without the folders that it leaves again: clang calls the system's headers
 * /usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/mutex.
 */
const char *pl_inlined_plain_file(const char *file, char plain[PATH_MAX]);

/* Whether a source file belongs to the system rather than to the program. */
bool pl_inlined_system_file(const char *file);

/* Where in the program's own files the inlined code at an address was called. */
struct pl_inlined_call {
    char *function;   /* the caller frees it; may be NULL */
    const char *file; /* lives as long as the module */
    unsigned line;
};

/* False when the code is not inlined into a file of the program. */
bool pl_inlined_caller(Dwfl_Module *module, uint64_t address, struct pl_inlined_call *call);

/* The name of a function's entry as a programmer writes it, or NULL; the caller frees it. */
char *pl_inlined_name(Dwarf_Die *function);

/*
 * The compilation unit of an address, or NULL.  clang writes no table of
 * address ranges, so that libdw's own look-up may not find it.
 */
Dwarf_Die *pl_inlined_unit(Dwfl_Module *module, uint64_t address, Dwarf_Addr *bias);

#endif /* PL_ENGINE_SYMBOLS_INLINED_H */
