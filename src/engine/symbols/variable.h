/* SPDX-License-Identifier: MIT */
/*
 * The part of a global variable that an address means: accounts[1].lock rather
 * than accounts+40.  Found by walking the variable's type in the debug
 * information.
 */
#ifndef PL_ENGINE_SYMBOLS_VARIABLE_H
#define PL_ENGINE_SYMBOLS_VARIABLE_H

#include <elfutils/libdwfl.h>
#include <stdint.h>

/*
 * `name` is the symbol that holds the address, `offset` how far into it.  NULL
 * when there is no debug information; else the caller frees the text.
 */
char *pl_variable_path(Dwfl_Module *module, uint64_t address, uint64_t offset, const char *name);

#endif /* PL_ENGINE_SYMBOLS_VARIABLE_H */
