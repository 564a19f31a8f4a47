/* SPDX-License-Identifier: MIT */
/* All functions of the modules that a program has loaded, plait's own aside, and where their code
 * is. */
#ifndef PL_ENGINE_SYMBOLS_CODE_H
#define PL_ENGINE_SYMBOLS_CODE_H

#include "engine/symbols/symbols.h"

#include <stdbool.h>
#include <stdint.h>

/* A stretch of code.  Strings are valid during the call, never NULL but may be empty. */
struct pl_code_function {
    const char *name;   /* as a C++ programmer writes it, with parameters */
    const char *plain;  /* without namespaces, classes and parameters */
    const char *file;   /* that it stands in; empty when not known */
    const char *folder; /* that was the current one when it was compiled */
    bool inlined;       /* a place where it was inlined, */
    const char *caller; /* and the file and line of the call there; empty, 0: not known */
    unsigned line;
    uint64_t start, end;
};

/*
 * Visit each function, also where it was inlined; one with several stretches of
 * code, several times.  What is both in the symbol table and in the debug information
 * is visited twice.  `wanted` may say, by an address in it, which modules are of interest:
 * debug information of others is not even read.
 */
void pl_code_each(struct pl_symbols *symbols, bool (*wanted)(void *context, uint64_t module),
                  void (*visit)(void *context, const struct pl_code_function *function),
                  void *context);

/* Which modules are where: code has the same addresses while this is the same.  Never 0. */
uint64_t pl_code_modules(const struct pl_board *board);

#endif /* PL_ENGINE_SYMBOLS_CODE_H */
