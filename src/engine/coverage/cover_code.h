/* SPDX-License-Identifier: MIT */
/*
 * The functions that coverage is about: those of the program and of its own
 * libraries.  Libraries of the system count when they were compiled for plait; what
 * the compiler and plait add to a program does not.
 *
 * Names come from the debug information, or from the symbol table where there is none.
 * All stretches of a function's code are one function; so are parts that
 * the compiler has made of it.
 */
#ifndef PL_ENGINE_COVERAGE_COVER_CODE_H
#define PL_ENGINE_COVERAGE_COVER_CODE_H

#include "model/board.h"
#include "model/cover.h"

#include <stddef.h>

struct pl_cover_code_function {
    char *module; /* the file's name without folders */
    char *name;   /* as a C++ programmer writes it */
    char *file;   /* that it stands in, without the folder of the compilation; may be empty */
};

/* functions[i - 1] is function number i of the region. */
struct pl_cover_code {
    size_t n;
    struct pl_cover_code_function *functions;
};

/* Find them, and tell workers where their code is.  What does not fit is left out. */
void pl_cover_code_make(struct pl_cover_code *code, const struct pl_board *board,
                        const char *program, struct pl_cover *cover);
void pl_cover_code_free(struct pl_cover_code *code);

#endif /* PL_ENGINE_COVERAGE_COVER_CODE_H */
