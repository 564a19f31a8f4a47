/* SPDX-License-Identifier: MIT */
/*
 * Code that is linked into the program without bitcode, read from its machine code: what of the
 * program it refers to by itself, and which of its functions do nothing but to what they are
 * handed.  A function in assembly that moves bytes says by that that it calls nobody.
 */
#ifndef PL_STATIC_FOREIGN_H
#define PL_STATIC_FOREIGN_H

#include <gelf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A function, or a label that code goes on behind. */
struct pl_foreign_code {
    uint64_t start, end; /* up to where its size says, or to the next one */
    const char *name;
    bool known;  /* it has bitcode, or a model */
    bool closed; /* it calls nobody and touches no variable: found by pl_foreign_read() */
};

struct pl_foreign {
    Elf *elf;
    struct pl_foreign_code *code;
    size_t n, room;
    char **names; /* of the program, that it refers to */
    size_t n_names;
};

/* All functions of the program are to be added first. */
void pl_foreign_add(struct pl_foreign *f, const GElf_Sym *symbol, const char *name, bool known);
/* False: it may refer to anything. */
bool pl_foreign_read(struct pl_foreign *f);

#endif /* PL_STATIC_FOREIGN_H */
