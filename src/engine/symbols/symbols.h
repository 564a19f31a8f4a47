/* SPDX-License-Identifier: MIT */
/*
 * From addresses of the program under test to what a programmer calls them:
 * functions, source lines, variables.  Reads the debug information of the
 * modules on a board; what a stripped module does not say is left empty.
 *
 * Answers are kept, so asking twice is cheap, and their strings live until
 * pl_symbols_close().
 */
#ifndef PL_ENGINE_SYMBOLS_SYMBOLS_H
#define PL_ENGINE_SYMBOLS_SYMBOLS_H

#include "model/board.h"

#include <stdbool.h>
#include <stdint.h>

struct pl_symbols;
struct Dwfl;

/* Where a program counter is.  Strings are never NULL but may be empty. */
struct pl_symbols_code {
    const char *function;
    const char *file;   /* as the compiler saw it, without the current folder in front */
    unsigned line;      /* 0: not known */
    unsigned column;    /* 0: not known */
    const char *module; /* the file's name without folders; empty for the program itself */
    const char *object; /* the same, but for the program its name, too */
    bool own;           /* code of the program, not of libc, libstdc++, plait, ... */
    bool plait;         /* code of libplait itself */
};

/*
 * Copies the module list; the board may change afterwards.  `program` is the
 * path of the program, which the loader does not name.  Never NULL.  The same
 * as the last time if modules, files and the current folder are; each is closed.
 */
struct pl_symbols *pl_symbols_open(const struct pl_board *board, const char *program);
void pl_symbols_close(struct pl_symbols *symbols);

/* Whether that file name is of one of the system's libraries, or of plait's: code in them has
 * names, and no lines. */
bool pl_symbols_is_system(const char *module);

/* True when these are the modules of that board. */
bool pl_symbols_fit(const struct pl_symbols *symbols, const struct pl_board *board);

/* The symbols in *kept if they fit the modules of that board, else new ones in their place. */
struct pl_symbols *pl_symbols_of(struct pl_symbols **kept, const struct pl_board *board,
                                 const char *program);

/* The session with libdwfl behind the symbols, or NULL when there is none; see
 * <elfutils/libdwfl.h>. */
struct Dwfl *pl_symbols_session(const struct pl_symbols *symbols);

/* The path of a program under control, by its number (struct pl_module); "" when it is unknown. */
const char *pl_symbols_program(const struct pl_symbols *symbols, uint16_t image);

/* A return address: the call before it is what counts. */
const struct pl_symbols_code *pl_symbols_code(struct pl_symbols *symbols, uint64_t pc);

/* A function's address, such as the start function of a thread; "" when not known. */
const char *pl_symbols_function(struct pl_symbols *symbols, uint64_t address);

/* "accounts[1].lock" or "accounts+40"; "" when nothing is known there. */
const char *pl_symbols_variable(struct pl_symbols *symbols, uint64_t address);

#endif /* PL_ENGINE_SYMBOLS_SYMBOLS_H */
