/* SPDX-License-Identifier: MIT */
/*
 * The functions and blocks around an address.  dwarf_getscopes() goes over all entries of a
 * compilation unit for each address, of which the headers of C++ bring tens of thousands along, and
 * over all that are inside them for each function that was inlined.  Here the functions of a unit
 * are listed once.
 */
#ifndef PL_ENGINE_SYMBOLS_SCOPES_H
#define PL_ENGINE_SYMBOLS_SCOPES_H

#include <elfutils/libdwfl.h>

/*
 * The entries of the unit with code at `pc`, which is without the module's bias, from the innermost
 * to the function itself, each the one that has the code and not its abstract definition.  Returns
 * how many; the caller frees them.
 */
int pl_scopes_at(Dwfl_Module *module, Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die **scopes);

/* Free what is kept of the modules of a session, before its end. */
void pl_scopes_close(Dwfl *session);

#endif /* PL_ENGINE_SYMBOLS_SCOPES_H */
