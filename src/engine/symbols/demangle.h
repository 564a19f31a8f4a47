/* SPDX-License-Identifier: MIT */
/*
 * C++ names as a programmer writes them.  libstdc++ knows how; it is asked only
 * if it is on the machine, so the tool does not depend on it.
 */
#ifndef PL_ENGINE_SYMBOLS_DEMANGLE_H
#define PL_ENGINE_SYMBOLS_DEMANGLE_H

/* A copy of the name, demangled where possible; the caller frees it. */
char *pl_demangle_name(const char *name);

#endif /* PL_ENGINE_SYMBOLS_DEMANGLE_H */
